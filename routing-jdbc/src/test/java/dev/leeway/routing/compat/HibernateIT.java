package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.routing.Reason;
import java.util.function.Function;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Hibernate, with one session per call or per transaction. */
class HibernateIT extends FrameworkContract {
  @Override
  Store store(DataSource dataSource) {
    // tag::hibernate[]
    Configuration configuration = new Configuration().addAnnotatedClass(OrderRow.class);
    configuration.getProperties().put("hibernate.connection.datasource", dataSource);
    SessionFactory sessions = configuration.buildSessionFactory();
    // end::hibernate[]
    return new HibernateStore(sessions);
  }

  @Override
  boolean sendsWritesInReadOnlyTransactions() {
    return false;
  }

  private static final class HibernateStore implements Store {
    private final SessionFactory sessions;
    private @Nullable Session open;

    HibernateStore(SessionFactory sessions) {
      this.sessions = sessions;
    }

    private <T> T use(Function<Session, T> work) {
      Session transaction = open;
      return transaction == null ? sessions.fromSession(work) : work.apply(transaction);
    }

    /** Entities are written when a transaction commits, so a write without one makes its own. */
    private <T> T write(Function<Session, T> work) {
      Session transaction = open;
      if (transaction == null) {
        return sessions.fromTransaction(work);
      }
      T result = work.apply(transaction);
      transaction.flush();
      return result;
    }

    @Override
    public String server() {
      return use(
          session ->
              session.createNativeQuery("SELECT name FROM whoami", String.class).getSingleResult());
    }

    @Override
    public String status(long id) {
      return use(session -> session.find(OrderRow.class, id).status());
    }

    @Override
    public void setStatus(long id, String status) {
      write(
          session -> {
            session.find(OrderRow.class, id).changeStatus(status);
            return status;
          });
    }

    @Override
    public long insert(String status) {
      return write(
          session -> {
            OrderRow row = new OrderRow(status);
            session.persist(row);
            return row.id();
          });
    }

    @Override
    public <T> T inTransaction(Code<T> code) throws Exception {
      try (Session session = sessions.openSession()) {
        return transaction(session, code);
      }
    }

    @Override
    public <T> T inReadOnlyTransaction(Code<T> code) throws Exception {
      // tag::hibernate-read-only[]
      try (Session session = sessions.withOptions().readOnly(true).openSession()) {
        // end::hibernate-read-only[]
        return transaction(session, code);
      }
    }

    private <T> T transaction(Session session, Code<T> code) throws Exception {
      open = session;
      Transaction transaction = session.beginTransaction();
      try {
        T result = code.run();
        transaction.commit();
        return result;
      } catch (Exception e) {
        transaction.rollback();
        throw e;
      } finally {
        open = null;
      }
    }

    @Override
    public void end() {
      sessions.close();
    }
  }

  @Test
  void anEntityThatIsLoadedOutsideATransactionComesFromAReplica() throws Exception {
    assertThat(readInNewScope(() -> store().status(3))).isEqualTo("new");
    assertThat(leeway().lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.REPLICA);
  }
}
