package shop;

import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;

// tag::class[]
@RoutedRepository
@Singleton
class CartRepository {
  private final Database database;

  @Inject
  CartRepository(Database database) {
    this.database = database;
  }

  @ReadReplica(maxStaleness = "1s")
  public List<String> items(long cart) {
    return database.query("SELECT item FROM cart_item WHERE cart = ?", cart);
  }

  @Write
  public void add(long cart, String item) {
    database.update("INSERT INTO cart_item VALUES (?, ?)", cart, item);
  }
}
// end::class[]
