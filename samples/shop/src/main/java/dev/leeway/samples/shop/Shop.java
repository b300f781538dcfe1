package dev.leeway.samples.shop;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.jdbi.LeewayPlugin;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jspecify.annotations.Nullable;

/**
 * The pages and jobs of the shop. Each public method is one request.
 *
 * <p>Nothing here says where a read goes: that is said on the repositories' methods.
 *
 * <p>Safe for any number of threads. Closing it ends its worker; the data source belongs to the
 * caller.
 */
public final class Shop implements AutoCloseable {
  private static final int WORKERS = 2;

  private final Jdbi jdbi;
  private final Requests requests;
  private final OrderRepository orders;
  private final AttemptRepository attempts;
  private final SettingsRepository settings;
  private final StockRepository stock;
  private final DiscountRepository discounts;
  private final InvoiceRepository invoices;
  private final CatalogueRepository catalogue;
  private final ExecutorService workers;

  private Shop(Jdbi jdbi, Requests requests) {
    this.jdbi = jdbi;
    this.requests = requests;
    this.orders = jdbi.onDemand(OrderRepository.class);
    this.attempts = jdbi.onDemand(AttemptRepository.class);
    this.settings = jdbi.onDemand(SettingsRepository.class);
    this.stock = jdbi.onDemand(StockRepository.class);
    this.discounts = jdbi.onDemand(DiscountRepository.class);
    this.invoices = jdbi.onDemand(InvoiceRepository.class);
    this.catalogue = jdbi.onDemand(CatalogueRepository.class);
    this.workers =
        Executors.newFixedThreadPool(
            WORKERS,
            task -> {
              Thread thread = new Thread(task, "shop-worker");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** The shop as it should be. */
  public static Shop on(Leeway leeway) {
    return on(leeway, leeway.dataSource());
  }

  /**
   * The shop as it should be, over a data source that wraps Leeway's, as tools for tracing and
   * measuring do.
   */
  public static Shop on(Leeway leeway, DataSource wrapped) {
    return new Shop(
        jdbi(wrapped).installPlugin(new LeewayPlugin(leeway)), new LeewayRequests(leeway));
  }

  /**
   * The same code on any other data source: its annotations say what is meant, and nobody listens.
   */
  public static Shop without(DataSource anyOther) {
    return new Shop(jdbi(anyOther), Requests.plain());
  }

  private static Jdbi jdbi(DataSource dataSource) {
    return Jdbi.create(dataSource).installPlugin(new SqlObjectPlugin());
  }

  /**
   * Places an order, once for each attempt key, however often it is called with it.
   *
   * @param attempt what the client sends again when it repeats a request it got no answer to
   * @return the order's id
   */
  public long checkout(Visitor visitor, String attempt, long product, int quantity) {
    return requests.handle(
        visitor,
        request -> {
          Optional<Long> earlier = attempts.orderOf(attempt);
          if (earlier.isPresent()) {
            return earlier.get();
          }
          return jdbi.inTransaction(
              handle -> {
                long order = orders.place(visitor.customer(), product, quantity);
                attempts.remember(attempt, order);
                return order;
              });
        });
  }

  /**
   * The order that an earlier attempt with this key has placed; the first thing a checkout does.
   */
  public Optional<Long> earlierCheckout(Visitor visitor, String attempt) {
    return requests.handle(visitor, request -> attempts.orderOf(attempt));
  }

  /** Where a checkout sends its customer. */
  public Optional<Order> confirmationPage(Visitor visitor, long order) {
    return requests.handle(visitor, request -> orders.find(order));
  }

  public void saveLanguage(Visitor visitor, String language) {
    requests.handle(
        visitor,
        request -> {
          settings.saveLanguage(visitor.customer(), language);
          return language;
        });
  }

  public Optional<Settings> settingsPage(Visitor visitor) {
    return requests.handle(visitor, request -> settings.of(visitor.customer()));
  }

  /**
   * Reserves what is on the shelf.
   *
   * @return what the customer is told, and what that was based on
   */
  public Reservation reserve(Visitor visitor, long product, int quantity) {
    return requests.handle(
        visitor,
        request -> {
          int available = stock.available(product);
          boolean promised = available >= quantity;
          return new Reservation(available, promised, promised && stock.take(product, quantity));
        });
  }

  /**
   * Asks for an invoice, which a worker writes.
   *
   * @return completed by the worker with what it found, which should be the request
   */
  public CompletableFuture<Optional<Invoice>> requestInvoice(
      Visitor visitor, long order, String address) {
    return requests.handle(
        visitor,
        request -> {
          long invoice = invoices.request(order, address);
          // The job's data: what to do, and the position at which it can be done.
          @Nullable String token = request.token();
          return CompletableFuture.supplyAsync(() -> writeInvoice(invoice, token), workers);
        });
  }

  private Optional<Invoice> writeInvoice(long invoice, @Nullable String token) {
    return requests.handle(Visitor.carrying(token), request -> invoices.find(invoice));
  }

  /**
   * An administrator creates a discount and approves it, in one request.
   *
   * @return the draft as it was read back for approval; empty if it was not found
   */
  public Optional<Discount> publishDiscount(Visitor admin, String code, int percent) {
    return requests.handle(
        admin,
        request -> {
          long discount = discounts.draft(code, percent);
          Optional<Discount> draft = discounts.find(discount);
          draft.ifPresent(found -> discounts.approve(found.id()));
          return draft;
        });
  }

  /** One discount as an administrator sees it. */
  public Optional<Discount> discountPage(Visitor admin, long discount) {
    return requests.handle(admin, request -> discounts.find(discount));
  }

  public List<Product> cataloguePage(Visitor visitor, long after) {
    return requests.handle(visitor, request -> catalogue.pageAfter(after));
  }

  public List<Order> orderList(Visitor visitor) {
    return requests.handle(visitor, request -> orders.latestOf(visitor.customer()));
  }

  public List<Sales> bestSellers(Visitor visitor) {
    return requests.handle(visitor, request -> catalogue.bestSellers());
  }

  public Sales salesReport(Visitor visitor) {
    return requests.handle(visitor, request -> catalogue.total());
  }

  @Override
  public void close() {
    workers.shutdownNow();
  }
}
