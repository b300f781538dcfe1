package shop;

import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import javax.sql.DataSource;

// tag::class[]
@RoutedRepository
@Singleton
public class CartRepository {
  private final DataSource database;

  @Inject
  public CartRepository(DataSource database) {
    this.database = database;
  }

  @ReadReplica(maxStaleness = "1s")
  public List<String> items(long cart) {
    return query(cart);
  }

  @Write
  public void add(long cart, String item) {
    // ...
  }

  // end::class[]

  private List<String> query(long cart) {
    return List.of(database + ":" + cart);
  }
}
