package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.ExecutionInfo;
import net.ttddyy.dsproxy.QueryInfo;
import net.ttddyy.dsproxy.listener.MethodExecutionContext;
import net.ttddyy.dsproxy.listener.MethodExecutionListener;
import net.ttddyy.dsproxy.listener.QueryExecutionListener;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.junit.jupiter.api.Test;

/** A tracing wrapper around the data source, which asks every new connection what it is. */
class WrappedDataSourceIT extends FrameworkContract {
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger traced = new AtomicInteger();

  @Override
  Store store(DataSource dataSource) {
    // tag::wrapped[]
    DataSource tracing =
        ProxyDataSourceBuilder.create("shop", dataSource)
            .methodListener(new CuriousListener())
            .listener(new CountingListener())
            .build();
    // end::wrapped[]
    return new PlainJdbcIT.JdbcStore(tracing);
  }

  /** Looks at each connection before its first statement, as tracing libraries do. */
  private final class CuriousListener implements MethodExecutionListener {
    @Override
    public void beforeMethod(MethodExecutionContext context) {}

    @Override
    public void afterMethod(MethodExecutionContext context) {
      if (context.getMethod().getName().equals("getConnection")
          && context.getResult() instanceof Connection connection) {
        try {
          assertThat(connection.getMetaData().getURL()).startsWith("jdbc:mysql:");
          assertThat(connection.getMetaData().getUserName()).isNotEmpty();
          assertThat(connection.isValid(1)).isTrue();
          assertThat(connection.getCatalog()).isNotEmpty();
          assertThat(connection.getTransactionIsolation())
              .isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
          connection.getWarnings();
          connection.clearWarnings();
          asked.incrementAndGet();
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private final class CountingListener implements QueryExecutionListener {
    @Override
    public void beforeQuery(ExecutionInfo execution, java.util.List<QueryInfo> queries) {}

    @Override
    public void afterQuery(ExecutionInfo execution, java.util.List<QueryInfo> queries) {
      traced.incrementAndGet();
    }
  }

  @Test
  void theWrapperSeesStatementsAndItsQuestionsChooseNoServer() throws Exception {
    int askedBefore = asked.get();
    int tracedBefore = traced.get();

    assertThat(readInNewScope(store()::server)).startsWith("replica-");

    assertThat(asked.get()).isGreaterThan(askedBefore);
    assertThat(traced.get()).isGreaterThan(tracedBefore);
  }
}
