package dev.leeway.routing.compat;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of {@code orders}, as an entity. */
@Entity
@Table(name = "orders")
class OrderRow {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private long id;

  private String status = "";

  /** For Hibernate. */
  OrderRow() {}

  OrderRow(String status) {
    this.status = status;
  }

  long id() {
    return id;
  }

  String status() {
    return status;
  }

  void changeStatus(String changed) {
    status = changed;
  }
}
