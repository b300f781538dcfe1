package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leeway.routing.RequestScope;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * A pool around the data source, as some containers insist on. Not needed, for Leeway pools by
 * itself; but what is right without must be right with it, although its connections outlive many
 * requests.
 */
// A scope and a fault are there to be in force, not to be called.
@SuppressWarnings("try")
class PooledAgainIT extends FrameworkContract {
  @Override
  Store store(DataSource dataSource) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(dataSource);
    config.setPoolName("around-leeway");
    config.setMaximumPoolSize(2);
    HikariDataSource pool = new HikariDataSource(config);
    return new PooledStore(new PlainJdbcIT.JdbcStore(pool), pool);
  }

  private record PooledStore(Store store, HikariDataSource pool) implements Store {
    @Override
    public String server() throws Exception {
      return store.server();
    }

    @Override
    public String status(long id) throws Exception {
      return store.status(id);
    }

    @Override
    public void setStatus(long id, String status) throws Exception {
      store.setStatus(id, status);
    }

    @Override
    public long insert(String status) throws Exception {
      return store.insert(status);
    }

    @Override
    public <T> T inTransaction(Code<T> code) throws Exception {
      return store.inTransaction(code);
    }

    @Override
    public <T> T inReadOnlyTransaction(Code<T> code) throws Exception {
      return store.inReadOnlyTransaction(code);
    }

    @Override
    public void end() {
      pool.close();
    }
  }

  @Test
  void oneRequestsWriteDoesNotKeepTheNextRequestsOnThePrimary() throws Exception {
    try (Shop.StandStill still = shop().replicasStandStill()) {
      for (int request = 0; request < 20; request++) {
        try (RequestScope scope = leeway().openScope()) {
          String status = "written " + request;
          write(() -> store().setStatus(1, status));
          assertThat(read(() -> store().status(1))).isEqualTo(status);
        }
        assertThat(readInNewScope(store()::server)).startsWith("replica-");
      }
    }
  }
}
