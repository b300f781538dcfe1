package dev.leeway.samples.shop;

import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** What is on the shelves. */
@RoutedRepository
public interface StockRepository {
  /** Pieces that nobody has reserved. */
  @ReadPrimary(
      because = "a promise to a customer depends on it, and other customers reserve meanwhile")
  @SqlQuery("SELECT available FROM products WHERE id = :product")
  int available(long product);

  /** Takes pieces off the shelf if there are enough; whether there were. */
  @Write
  @SqlUpdate(
      """
      UPDATE products SET available = available - :quantity
      WHERE id = :product AND available >= :quantity
      """)
  boolean take(long product, int quantity);
}
