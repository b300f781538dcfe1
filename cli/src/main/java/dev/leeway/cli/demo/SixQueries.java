package dev.leeway.cli.demo;

import dev.leeway.cli.demo.ShopQuery.Customer;
import dev.leeway.cli.terminal.Task;
import dev.leeway.samples.shop.Shop;
import dev.leeway.samples.shop.Visitor;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Runs each of the six queries a number of times, one customer after the other. */
final class SixQueries {
  private final Shop shop;
  private final Observer observer;
  private final Supplier<Tally> newTally;
  private final Mode mode;
  private final List<ShopQuery.Read> again = new ArrayList<>();

  SixQueries(Shop shop, Observer observer, Supplier<Tally> newTally, Mode mode) {
    this.shop = shop;
    this.observer = observer;
    this.newTally = newTally;
    this.mode = mode;
  }

  /**
   * Goes through all six.
   *
   * @param firstId customers and products from here on belong to this run alone
   */
  Map<ShopQuery, Tally> run(int iterations, int firstId, Task task) {
    Map<ShopQuery, Tally> tallies = new EnumMap<>(ShopQuery.class);
    for (ShopQuery query : ShopQuery.values()) {
      Tally tally = newTally.get();
      tallies.put(query, tally);
      task.detail(query.title());
      for (int i = 0; i < iterations; i++) {
        ShopQuery.Read read = query.prepare(shop, customer(query, firstId + i));
        tally.judged(observer.observe(tally, read::run));
        if (query.canBeReadAgain()) {
          again.add(read);
        }
        task.advance();
      }
    }
    return tallies;
  }

  /** The customers of the last run look once more at the pages that can be looked at again. */
  Tally readAgain(Task task) {
    Tally tally = newTally.get();
    for (ShopQuery.Read read : again) {
      tally.judged(observer.observe(tally, read::run));
      task.advance();
    }
    return tally;
  }

  /** How many reads {@link #readAgain} makes. */
  int readsAgain() {
    return again.size();
  }

  private Customer customer(ShopQuery query, int id) {
    String key = mode.word() + "-" + query.name() + "-" + id;
    return new Customer(Visitor.of(id), id, key);
  }
}
