package dev.leeway.samples.shop;

import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import java.util.Optional;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.GetGeneratedKeys;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** Discount codes. */
@RoutedRepository
@RegisterConstructorMapper(Discount.class)
public interface DiscountRepository {
  /** The id of the new draft. */
  @Write
  @SqlUpdate("INSERT INTO discounts (code, percent) VALUES (:code, :percent)")
  @GetGeneratedKeys
  long draft(String code, int percent);

  /** One discount, approved or not. */
  @ReadReplica(maxStaleness = "30s")
  @SqlQuery("SELECT id, code, percent, approved FROM discounts WHERE id = :discount")
  Optional<Discount> find(long discount);

  @Write
  @SqlUpdate("UPDATE discounts SET approved = TRUE WHERE id = :discount")
  void approve(long discount);
}
