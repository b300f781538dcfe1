package shop;

import dev.leeway.annotation.IntentBoundary;
import javax.sql.DataSource;

class Wiring {
  CartRepository carts(IntentBoundary boundary, DataSource database) {
    // tag::wiring[]
    CartRepository carts = new CartRepository_Routed(boundary, database);
    // end::wiring[]
    return carts;
  }
}
