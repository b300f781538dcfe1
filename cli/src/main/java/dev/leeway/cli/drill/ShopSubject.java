package dev.leeway.cli.drill;

import dev.leeway.samples.shop.Shop;
import dev.leeway.samples.shop.Visitor;
import dev.leeway.testkit.drill.Seen;
import java.util.function.Supplier;

/** A checkout of the shop, and its confirmation page. */
final class ShopSubject implements DrillSubject<ShopSubject.Placed> {
  private static final int PRODUCT = 1;

  private final Shop shop;
  private final Supplier<String> lastServer;
  private final Supplier<String> reason;

  /** An order, and the browser that placed it. */
  record Placed(Visitor visitor, long order) {}

  /**
   * A shop to drill.
   *
   * @param lastServer the {@code server_uuid} that answered the last query of this thread
   */
  ShopSubject(Shop shop, Supplier<String> lastServer, Supplier<String> reason) {
    this.shop = shop;
    this.lastServer = lastServer;
    this.reason = reason;
  }

  @Override
  public Placed write(int iteration) {
    Visitor visitor = Visitor.of(iteration + 1L);
    return new Placed(visitor, shop.checkout(visitor, "drill-" + iteration, PRODUCT, 1));
  }

  @Override
  public Seen read(Placed written) {
    boolean found = shop.confirmationPage(written.visitor(), written.order()).isPresent();
    return new Seen(found, lastServer.get());
  }

  @Override
  public String reason() {
    return reason.get();
  }
}
