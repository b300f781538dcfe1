package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import javax.sql.DataSource;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.LocalCacheScope;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.session.SqlSessionManager;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.junit.jupiter.api.Test;

/** MyBatis, with a mapper that carries intents and is used without them for the contract. */
// A scope and a fault are there to be in force, not to be called.
@SuppressWarnings("try")
class MyBatisIT extends FrameworkContract {
  @Override
  Store store(DataSource dataSource) {
    return new MyBatisStore(sessions(dataSource));
  }

  private static SqlSessionFactory sessions(DataSource dataSource) {
    // tag::mybatis[]
    Configuration configuration =
        new Configuration(new Environment("shop", new JdbcTransactionFactory(), dataSource));
    // Otherwise a session answers a repeated query from its own memory and asks no server.
    configuration.setLocalCacheScope(LocalCacheScope.STATEMENT);
    configuration.addMapper(OrderMapper.class);
    SqlSessionFactory sessions = new SqlSessionFactoryBuilder().build(configuration);
    // end::mybatis[]
    configuration.addMapper(TestedOrderMapper.class);
    return sessions;
  }

  private static final class MyBatisStore implements Store {
    private final SqlSessionManager sessions;

    MyBatisStore(SqlSessionFactory sessions) {
      this.sessions = SqlSessionManager.newInstance(sessions);
    }

    private interface Use<T> {
      T with(TestedOrderMapper mapper);
    }

    /** In the session of the transaction, or in one of its own. */
    private <T> T use(Use<T> use) {
      if (sessions.isManagedSessionStarted()) {
        return use.with(sessions.getMapper(TestedOrderMapper.class));
      }
      try (SqlSession session = sessions.openSession(true)) {
        return use.with(session.getMapper(TestedOrderMapper.class));
      }
    }

    @Override
    public String server() {
      return use(TestedOrderMapper::server);
    }

    @Override
    public String status(long id) {
      return use(mapper -> mapper.currentStatus(id));
    }

    @Override
    public void setStatus(long id, String status) {
      use(
          mapper -> {
            mapper.setStatus(id, status);
            return status;
          });
    }

    @Override
    public long insert(String status) {
      TestedOrderMapper.NewOrder order = new TestedOrderMapper.NewOrder(status);
      return use(
          mapper -> {
            mapper.insert(order);
            return order.getId();
          });
    }

    @Override
    public <T> T inTransaction(Code<T> code) throws Exception {
      return transaction(code, false);
    }

    @Override
    public <T> T inReadOnlyTransaction(Code<T> code) throws Exception {
      return transaction(code, true);
    }

    private <T> T transaction(Code<T> code, boolean readOnly) throws Exception {
      sessions.startManagedSession(false);
      try (SqlSession session = sessions) {
        if (readOnly) {
          session.getConnection().setReadOnly(true);
        }
        try {
          T result = code.run();
          session.commit(true);
          return result;
        } catch (Exception e) {
          session.rollback(true);
          throw e;
        }
      }
    }
  }

  @Test
  void aBoundMapperIsRoutedByWhatItDeclares() throws Exception {
    Leeway leeway = leeway();
    try (Shop.StandStill still = shop().replicasStandStill();
        RequestScope scope = leeway.openScope();
        SqlSession session = sessions(leeway().dataSource()).openSession(true)) {
      // tag::mybatis-bind[]
      OrderMapper orders = leeway.bind(OrderMapper.class, session.getMapper(OrderMapper.class));
      // end::mybatis-bind[]

      assertThat(orders.listedStatus(1)).isEqualTo("new");
      assertThat(leeway.lastDecision().orElseThrow().server()).startsWith("replica-");
      orders.setStatus(1, "paid");
      assertThat(orders.listedStatus(1)).isEqualTo("paid");
      assertThat(orders.currentStatus(1)).isEqualTo("paid");
    }
    assertThat(leeway().lastDecision().orElseThrow().server()).isEqualTo("primary");
  }
}
