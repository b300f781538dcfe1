package dev.leeway.samples.shop;

import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import java.util.Optional;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** Which checkouts were carried out, by the key that the client sends with each attempt. */
@RoutedRepository
public interface AttemptRepository {
  /** Remembers a checkout in the transaction that carries it out. */
  @Write
  @SqlUpdate("INSERT INTO checkout_attempts (attempt, order_id) VALUES (:attempt, :order)")
  void remember(String attempt, long order);

  /** The order an earlier attempt with this key has placed. */
  @ReadPrimary(
      because =
          "a client repeats a POST when it got no answer, so it has no position of the first one")
  @SqlQuery("SELECT order_id FROM checkout_attempts WHERE attempt = :attempt")
  Optional<Long> orderOf(String attempt);
}
