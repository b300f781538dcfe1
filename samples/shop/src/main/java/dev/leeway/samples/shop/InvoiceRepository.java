package dev.leeway.samples.shop;

import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import java.util.Optional;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.GetGeneratedKeys;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** Invoices that were asked for. */
@RoutedRepository
@RegisterConstructorMapper(Invoice.class)
public interface InvoiceRepository {
  /** The id of the new request. */
  @Write
  @SqlUpdate("INSERT INTO invoices (order_id, address) VALUES (:order, :address)")
  @GetGeneratedKeys
  long request(long order, String address);

  /** One request, as the job that writes the invoice reads it. */
  @ReadReplica(maxStaleness = "30s")
  @SqlQuery("SELECT id, order_id, address FROM invoices WHERE id = :invoice")
  Optional<Invoice> find(long invoice);
}
