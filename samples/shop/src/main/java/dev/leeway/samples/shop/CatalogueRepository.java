package dev.leeway.samples.shop;

import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import java.util.List;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/** Listings and reports: read often, by everybody, and none the worse for being a little old. */
@RoutedRepository
@ReadReplica(maxStaleness = "1m")
@RegisterConstructorMapper(Product.class)
@RegisterConstructorMapper(Sales.class)
public interface CatalogueRepository {
  /** A page of the catalogue, after the product with this id. */
  @SqlQuery("SELECT id, name, price_cents FROM products WHERE id > :after ORDER BY id LIMIT 20")
  List<Product> pageAfter(long after);

  /** What sells best. */
  @SqlQuery(
      """
      SELECT p.id AS product_id, p.name, SUM(o.quantity) AS sold, SUM(o.total_cents) AS total_cents
      FROM orders o JOIN products p ON p.id = o.product_id
      GROUP BY p.id, p.name ORDER BY sold DESC, product_id LIMIT 10
      """)
  List<Sales> bestSellers();

  /** How many orders there are and what they are worth, as one line without a product. */
  @ReadReplica(maxStaleness = "10m")
  @SqlQuery(
      """
      SELECT 0 AS product_id, 'all products' AS name,
        COALESCE(SUM(quantity), 0) AS sold, COALESCE(SUM(total_cents), 0) AS total_cents
      FROM orders
      """)
  Sales total();
}
