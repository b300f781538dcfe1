package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.leeway.routing.RequestScope;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** jOOQ without generated code. */
// A scope and a fault are there to be in force, not to be called.
@SuppressWarnings("try")
class JooqIT extends FrameworkContract {
  private static final Table<Record> ORDERS = table(name("orders"));
  private static final Field<Long> ID = field(name("id"), SQLDataType.BIGINT.identity(true));
  private static final Field<String> STATUS = field(name("status"), String.class);

  @BeforeAll
  static void quiet() {
    System.setProperty("org.jooq.no-logo", "true");
    System.setProperty("org.jooq.no-tips", "true");
  }

  @Override
  Store store(DataSource dataSource) {
    // tag::jooq[]
    DSLContext jooq = DSL.using(dataSource, SQLDialect.MYSQL);
    // end::jooq[]
    return new JooqStore(jooq, dataSource);
  }

  private static final class JooqStore implements Store {
    private final DSLContext jooq;
    private final DataSource dataSource;
    private @Nullable DSLContext open;

    JooqStore(DSLContext jooq, DataSource dataSource) {
      this.jooq = jooq;
      this.dataSource = dataSource;
    }

    private DSLContext context() {
      DSLContext transaction = open;
      return transaction == null ? jooq : transaction;
    }

    @Override
    public String server() {
      return context()
          .select(field(name("name"), String.class))
          .from(table(name("whoami")))
          .fetchSingle()
          .value1();
    }

    @Override
    public String status(long id) {
      return context().select(STATUS).from(ORDERS).where(ID.eq(id)).fetchSingle().value1();
    }

    @Override
    public void setStatus(long id, String status) {
      context().update(ORDERS).set(STATUS, status).where(ID.eq(id)).execute();
    }

    @Override
    public long insert(String status) {
      return context()
          .insertInto(ORDERS, STATUS)
          .values(status)
          .returningResult(ID)
          .fetchSingle()
          .value1();
    }

    @Override
    public <T> T inTransaction(Code<T> code) throws Exception {
      return context().transactionResult(transaction -> inside(transaction.dsl(), code));
    }

    @Override
    public <T> T inReadOnlyTransaction(Code<T> code) throws Exception {
      try (Connection connection = dataSource.getConnection()) {
        connection.setReadOnly(true);
        return DSL.using(connection, SQLDialect.MYSQL)
            .transactionResult(transaction -> inside(transaction.dsl(), code));
      }
    }

    private <T> T inside(DSLContext transaction, Code<T> code) throws Exception {
      DSLContext outer = open;
      open = transaction;
      try {
        return code.run();
      } finally {
        open = outer;
      }
    }
  }

  @Test
  void aNestedTransactionRollsBackToItsSavepointOnThePrimary() throws Exception {
    try (RequestScope scope = leeway().openScope()) {
      List<String> seen =
          store()
              .inTransaction(
                  () -> {
                    store().setStatus(1, "outer");
                    try {
                      store()
                          .inTransaction(
                              () -> {
                                store().setStatus(1, "inner");
                                throw new IllegalStateException("only the inner one");
                              });
                    } catch (IllegalStateException expected) {
                      assertThat(expected).hasMessage("only the inner one");
                    }
                    return List.of(store().status(1), store().server());
                  });

      assertThat(seen).containsExactly("outer", "primary");
      assertThat(shop().statusOnPrimary(1)).isEqualTo("outer");
    }
  }
}
