package dev.leeway.routing.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class OpeningDataSourceTest {
  @Test
  void aPoolThatIsClosedIsToldAsLongATimeoutAsItHasSet() {
    OpeningDataSource opening =
        new OpeningDataSource(
            () -> {
              throw new SQLException("nobody there");
            });
    HikariConfig config = new HikariConfig();
    config.setDataSource(opening);
    config.setConnectionTimeout(3_000);
    config.setInitializationFailTimeout(-1);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      assertThat(pool.isClosed()).isFalse();
      // In whole seconds, rounded.
      assertThat(opening.getLoginTimeout()).isEqualTo(3);
    }
  }
}
