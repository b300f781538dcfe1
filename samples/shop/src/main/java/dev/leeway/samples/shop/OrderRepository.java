package dev.leeway.samples.shop;

import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.GetGeneratedKeys;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** Orders. */
@RoutedRepository
@RegisterConstructorMapper(Order.class)
public interface OrderRepository {
  /** The new order's id. */
  @Write
  @SqlUpdate(
      """
      INSERT INTO orders (customer_id, product_id, quantity, total_cents)
      SELECT :customer, id, :quantity, price_cents * :quantity FROM products WHERE id = :product
      """)
  @GetGeneratedKeys
  long place(long customer, long product, int quantity);

  /**
   * One order. A replica will do even on the page after the checkout: the customer's request
   * carries the position of his checkout, and no replica that lacks it is asked.
   */
  @ReadReplica(maxStaleness = "30s")
  @SqlQuery(
      "SELECT id, customer_id, product_id, quantity, total_cents FROM orders WHERE id = :order")
  Optional<Order> find(long order);

  /** A customer's latest orders. */
  @ReadReplica(maxStaleness = "30s")
  @SqlQuery(
      """
      SELECT id, customer_id, product_id, quantity, total_cents FROM orders
      WHERE customer_id = :customer ORDER BY id DESC LIMIT 20
      """)
  List<Order> latestOf(long customer);
}
