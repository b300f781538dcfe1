package dev.leeway.samples.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The shop's tables and what is in them on opening day. */
public final class ShopSchema {
  private static final List<String> TABLES =
      List.of(
          """
          CREATE TABLE products (
            id BIGINT PRIMARY KEY,
            name VARCHAR(80) NOT NULL,
            price_cents BIGINT NOT NULL,
            available INT NOT NULL)
          """,
          """
          CREATE TABLE orders (
            id BIGINT PRIMARY KEY AUTO_INCREMENT,
            customer_id BIGINT NOT NULL,
            product_id BIGINT NOT NULL,
            quantity INT NOT NULL,
            total_cents BIGINT NOT NULL,
            KEY (customer_id))
          """,
          """
          CREATE TABLE checkout_attempts (
            attempt VARCHAR(64) PRIMARY KEY,
            order_id BIGINT NOT NULL)
          """,
          """
          CREATE TABLE settings (
            customer_id BIGINT PRIMARY KEY,
            language VARCHAR(20) NOT NULL,
            newsletter BOOLEAN NOT NULL)
          """,
          """
          CREATE TABLE discounts (
            id BIGINT PRIMARY KEY AUTO_INCREMENT,
            code VARCHAR(40) NOT NULL UNIQUE,
            percent INT NOT NULL,
            approved BOOLEAN NOT NULL DEFAULT FALSE)
          """,
          """
          CREATE TABLE invoices (
            id BIGINT PRIMARY KEY AUTO_INCREMENT,
            order_id BIGINT NOT NULL,
            address VARCHAR(200) NOT NULL)
          """);

  private ShopSchema() {}

  /**
   * Makes the tables in the connection's schema, with customers and products numbered from 1.
   *
   * @param customers how many have settings
   * @param products how many there are, one piece of each
   */
  public static void create(Connection primary, int customers, int products) throws SQLException {
    try (Statement statement = primary.createStatement()) {
      for (String table : TABLES) {
        statement.execute(table);
      }
    }
    insert(
        primary,
        "INSERT INTO settings (customer_id, language, newsletter) VALUES (?, 'unset', FALSE)",
        customers);
    insert(
        primary,
        "INSERT INTO products (id, name, price_cents, available)"
            + " SELECT n, CONCAT('product ', n), 100 + n, 1 FROM (SELECT ? AS n) AS number",
        products);
  }

  private static void insert(Connection primary, String sql, int count) throws SQLException {
    boolean autoCommit = primary.getAutoCommit();
    primary.setAutoCommit(false);
    try (PreparedStatement insert = primary.prepareStatement(sql)) {
      for (int id = 1; id <= count; id++) {
        insert.setInt(1, id);
        insert.addBatch();
      }
      insert.executeBatch();
      primary.commit();
    } finally {
      primary.setAutoCommit(autoCommit);
    }
  }
}
