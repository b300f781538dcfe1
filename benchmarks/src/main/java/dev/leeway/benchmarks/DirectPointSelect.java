package dev.leeway.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.jdbi.v3.core.Jdbi;

/** Plain HikariCP to one replica. */
public final class DirectPointSelect extends PointSelect {
  private final HikariDataSource pool;
  private final Jdbi jdbi;

  /** Opens the pool. */
  public DirectPointSelect() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(told("replica.url"));
    config.setUsername(told("user"));
    config.setPassword(told("password"));
    config.setMaximumPoolSize(4);
    pool = new HikariDataSource(config);
    jdbi = Jdbi.create(pool);
  }

  @Override
  Jdbi jdbi() {
    return jdbi;
  }

  @Override
  public void close() {
    pool.close();
  }
}
