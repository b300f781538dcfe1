package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.routing.RequestScope;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** Spring's JdbcTemplate and its transaction manager for one data source. */
// A scope and a fault are there to be in force, not to be called.
@SuppressWarnings("try")
class SpringJdbcIT extends FrameworkContract {
  @Override
  SpringStore store(DataSource dataSource) {
    // tag::spring[]
    JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    PlatformTransactionManager transactions = new DataSourceTransactionManager(dataSource);
    // end::spring[]
    return new SpringStore(jdbc, transactions);
  }

  private static final class SpringStore implements Store {
    private final JdbcTemplate jdbc;
    private final PlatformTransactionManager transactions;

    SpringStore(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
      this.jdbc = jdbc;
      this.transactions = transactions;
    }

    private String one(String sql, Object... arguments) {
      return Objects.requireNonNull(jdbc.queryForObject(sql, String.class, arguments));
    }

    @Override
    public String server() {
      return one("SELECT name FROM whoami");
    }

    @Override
    public String status(long id) {
      return one("SELECT status FROM orders WHERE id = ?", id);
    }

    @Override
    public void setStatus(long id, String status) {
      jdbc.update("UPDATE orders SET status = ? WHERE id = ?", status, id);
    }

    @Override
    public long insert(String status) {
      GeneratedKeyHolder keys = new GeneratedKeyHolder();
      jdbc.update(
          connection -> {
            var insert =
                connection.prepareStatement(
                    "INSERT INTO orders (status) VALUES (?)", Statement.RETURN_GENERATED_KEYS);
            insert.setString(1, status);
            return insert;
          },
          keys);
      return Objects.requireNonNull(keys.getKey()).longValue();
    }

    @Override
    public <T> T inTransaction(Code<T> code) throws Exception {
      return transaction(TransactionDefinition.PROPAGATION_REQUIRED, false, code);
    }

    @Override
    public <T> T inReadOnlyTransaction(Code<T> code) throws Exception {
      return transaction(TransactionDefinition.PROPAGATION_REQUIRED, true, code);
    }

    <T> T transaction(int propagation, boolean readOnly, Code<T> code) throws Exception {
      DefaultTransactionDefinition definition = new DefaultTransactionDefinition(propagation);
      definition.setReadOnly(readOnly);
      TransactionStatus transaction = transactions.getTransaction(definition);
      T result;
      try {
        result = code.run();
      } catch (Exception e) {
        transactions.rollback(transaction);
        throw e;
      }
      transactions.commit(transaction);
      return result;
    }
  }

  private SpringStore spring() {
    return (SpringStore) store();
  }

  @Test
  void requiresNewIsASecondTransactionOnThePrimaryThatCommitsByItself() throws Exception {
    try (Shop.StandStill still = shop().replicasStandStill();
        RequestScope scope = leeway().openScope()) {
      List<String> seen = new ArrayList<>();

      assertThatThrownBy(
              () ->
                  spring()
                      .inTransaction(
                          () -> {
                            store().setStatus(1, "outer");
                            spring()
                                .transaction(
                                    TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                                    false,
                                    () -> {
                                      store().setStatus(2, "audited");
                                      seen.add(store().server());
                                      return "";
                                    });
                            seen.add(store().status(1));
                            seen.add(store().server());
                            throw new IllegalStateException("the outer one fails");
                          }))
          .hasMessage("the outer one fails");

      assertThat(seen).containsExactly("primary", "outer", "primary");
      assertThat(shop().statusOnPrimary(1)).isEqualTo("new");
      assertThat(shop().statusOnPrimary(2)).isEqualTo("audited");
      assertThat(read(() -> store().status(2))).isEqualTo("audited");
    }
  }

  @Test
  void aNestedTransactionRollsBackToItsSavepoint() throws Exception {
    String inside =
        spring()
            .inTransaction(
                () -> {
                  store().setStatus(1, "outer");
                  assertThatThrownBy(
                          () ->
                              spring()
                                  .transaction(
                                      TransactionDefinition.PROPAGATION_NESTED,
                                      false,
                                      () -> {
                                        store().setStatus(1, "inner");
                                        throw new IllegalStateException("only the inner one");
                                      }))
                      .hasMessage("only the inner one");
                  return store().status(1);
                });

    assertThat(inside).isEqualTo("outer");
    assertThat(shop().statusOnPrimary(1)).isEqualTo("outer");
  }

  @Test
  void aReadOnlyTransactionThatRequiresNewLivesOnAReplicaBesideTheOuterOne() throws Exception {
    List<String> seen =
        leeway()
            .read(
                WRITE,
                () ->
                    spring()
                        .inTransaction(
                            () -> {
                              store().setStatus(1, "outer");
                              String report =
                                  readInNewScope(
                                      () ->
                                          spring()
                                              .transaction(
                                                  TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                                                  true,
                                                  () -> store().server()));
                              return List.of(report, store().server());
                            }));

    assertThat(seen.get(0)).startsWith("replica-");
    assertThat(seen.get(1)).isEqualTo("primary");
  }

  @Test
  void aTransactionManagerThatEnforcesReadOnlyByStatementWorksToo() throws Exception {
    DataSource dataSource = leeway().dataSource();
    DataSourceTransactionManager enforcing = new DataSourceTransactionManager(dataSource);
    enforcing.setEnforceReadOnly(true);
    SpringStore strict = new SpringStore(new JdbcTemplate(dataSource), enforcing);

    assertThat(readInNewScope(() -> strict.inReadOnlyTransaction(strict::server)))
        .startsWith("replica-");
    assertThat(strict.inReadOnlyTransaction(strict::server)).isEqualTo("primary");
    assertThatThrownBy(
            () -> strict.inReadOnlyTransaction(() -> strict.insert("in a read-only transaction")))
        .isInstanceOf(DataAccessException.class);
    assertThat(strict.inTransaction(() -> strict.insert("made"))).isPositive();
  }
}
