package shop;

import dev.leeway.annotation.IntentBoundary;

class Wiring {
  CartRepository carts(IntentBoundary boundary, Database database) {
    // tag::wiring[]
    CartRepository carts = new CartRepository_Routed(boundary, database);
    // end::wiring[]
    return carts;
  }
}
