package dev.leeway.samples.shop;

import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import java.util.Optional;
import org.jdbi.v3.sqlobject.config.RegisterConstructorMapper;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** What customers have chosen. */
@RoutedRepository
@RegisterConstructorMapper(Settings.class)
public interface SettingsRepository {
  /** Saves, whether or not anything changes. */
  @Write
  @SqlUpdate("UPDATE settings SET language = :language WHERE customer_id = :customer")
  void saveLanguage(long customer, String language);

  /** A customer's settings. */
  @ReadReplica(maxStaleness = "30s")
  @SqlQuery("SELECT customer_id, language, newsletter FROM settings WHERE customer_id = :customer")
  Optional<Settings> of(long customer);
}
