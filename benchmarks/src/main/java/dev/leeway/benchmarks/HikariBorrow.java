package dev.leeway.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leeway.benchmarks.fork.Workload;
import dev.leeway.benchmarks.stub.StubDriver;

/** Plain HikariCP over a driver that does nothing. */
public final class HikariBorrow implements Workload {
  private final HikariDataSource pool;

  /** Opens the pool. */
  public HikariBorrow() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(new StubDriver());
    config.setMaximumPoolSize(4);
    config.setMinimumIdle(4);
    pool = new HikariDataSource(config);
  }

  @Override
  public long run(int operations) throws Exception {
    return PointRead.repeat(pool, operations);
  }

  @Override
  public void close() {
    pool.close();
  }
}
