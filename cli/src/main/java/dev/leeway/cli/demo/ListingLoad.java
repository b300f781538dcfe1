package dev.leeway.cli.demo;

import dev.leeway.cli.terminal.Task;
import dev.leeway.samples.shop.Shop;
import dev.leeway.samples.shop.Visitor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What most of a shop's reading is: catalogue pages, order lists and reports, by people who have
 * just arrived, and now and then somebody who buys something and then looks at his orders.
 */
final class ListingLoad {
  private static final int THREADS = 4;

  /** One request in so many is a checkout, followed by the customer's list of orders. */
  private static final int CHECKOUT_EVERY = 20;

  private static final int PRODUCTS_ON_A_PAGE = 20;

  private final Shop shop;
  private final Tally tally;
  private final int customers;

  /**
   * A load on this shop.
   *
   * @param tally counts the reads, and judges those that follow a checkout
   * @param customers how many customers and products there are
   */
  ListingLoad(Shop shop, Tally tally, int customers) {
    this.shop = shop;
    this.tally = tally;
    this.customers = customers;
  }

  /** Sends this many requests from a few threads and returns when all are answered. */
  void run(int requests, Task task) {
    AtomicInteger next = new AtomicInteger();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "leeway-demo-load");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        running.add(
            threads.submit(
                () -> {
                  for (int n = next.getAndIncrement(); n < requests; n = next.getAndIncrement()) {
                    request(n);
                    task.advance();
                  }
                }));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("demo - a request failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("demo - interrupted during the load", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private void request(int number) {
    int id = 1 + number % customers;
    Visitor visitor = Visitor.of(id);
    if (number % CHECKOUT_EVERY == 0) {
      long order = shop.checkout(visitor, "load-" + number, id, 1);
      boolean there = shop.orderList(visitor).stream().anyMatch(seen -> seen.id() == order);
      tally.judged(there ? Verdict.RIGHT : Verdict.MISSING);
      return;
    }
    switch (number % 10) {
      case 1 -> shop.bestSellers(visitor);
      case 2 -> shop.salesReport(visitor);
      case 3, 4, 5 -> shop.orderList(visitor);
      default -> shop.cataloguePage(visitor, number % Math.max(1, customers - PRODUCTS_ON_A_PAGE));
    }
  }
}
