package dev.leeway.cli.demo;

import dev.leeway.samples.shop.Reservation;
import dev.leeway.samples.shop.Shop;
import dev.leeway.samples.shop.Visitor;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The six reads of the shop that must not be answered from the past. */
enum ShopQuery {
  CONFIRMATION("confirmation page after the checkout") {
    @Override
    Read prepare(Shop shop, Customer customer) {
      long order = shop.checkout(customer.visitor(), customer.key(), customer.product(), 1);
      return () -> Verdict.of(shop.confirmationPage(customer.visitor(), order), found -> true);
    }
  },

  SETTINGS("settings page after a change") {
    @Override
    Read prepare(Shop shop, Customer customer) {
      shop.saveLanguage(customer.visitor(), customer.key());
      return () ->
          Verdict.of(
              shop.settingsPage(customer.visitor()),
              settings -> settings.language().equals(customer.key()));
    }
  },

  RETRY("check whether a repeated POST was done") {
    @Override
    Read prepare(Shop shop, Customer customer) {
      long order = shop.checkout(customer.visitor(), customer.key(), customer.product(), 1);
      // The answer was lost on its way, and with it the token.
      Visitor again = Visitor.of(customer.visitor().customer());
      return () ->
          Verdict.of(shop.earlierCheckout(again, customer.key()), earlier -> earlier == order);
    }
  },

  JOB("job that reads what its dispatcher wrote") {
    @Override
    Read prepare(Shop shop, Customer customer) {
      return () -> {
        try {
          return Verdict.of(
              shop.requestInvoice(customer.visitor(), customer.product(), customer.key())
                  .get(JOB_BOUND.toNanos(), TimeUnit.NANOSECONDS),
              invoice -> invoice.address().equals(customer.key()));
        } catch (ExecutionException | TimeoutException e) {
          throw new IllegalStateException("demo - the job failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("demo - interrupted while a job ran", e);
        }
      };
    }
  },

  STOCK("stock a reservation relies on") {
    @Override
    Read prepare(Shop shop, Customer customer) {
      shop.reserve(customer.visitor(), customer.product(), 1);
      Visitor other = Visitor.of(customer.visitor().customer() + 1);
      return () -> {
        Reservation second = shop.reserve(other, customer.product(), 1);
        return second.available() == 0 ? Verdict.RIGHT : Verdict.OLDER;
      };
    }
  },

  APPROVAL("draft an administrator just created") {
    @Override
    Read prepare(Shop shop, Customer customer) {
      return () ->
          Verdict.of(
              shop.publishDiscount(customer.visitor(), customer.key(), 10),
              draft -> draft.code().equals(customer.key()));
    }
  };

  private static final Duration JOB_BOUND = Duration.ofSeconds(30);

  private final String title;

  ShopQuery(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Whether the read writes nothing itself, so that it can be made again later. */
  boolean canBeReadAgain() {
    return this == CONFIRMATION || this == SETTINGS;
  }

  /** Writes what the read should see, and answers the read itself. */
  abstract Read prepare(Shop shop, Customer customer);

  /** The read to judge; nothing before it is counted. */
  @FunctionalInterface
  interface Read {
    Verdict run();
  }

  /**
   * Whoever goes through a query once.
   *
   * @param product one of which there is exactly one piece, and which nobody else buys
   * @param key unlike any other
   */
  record Customer(Visitor visitor, long product, String key) {}
}
