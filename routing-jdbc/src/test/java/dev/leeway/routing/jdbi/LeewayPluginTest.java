package dev.leeway.routing.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.bind.ContextBoundary;
import dev.leeway.routing.context.CallContext;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.result.ResultIterable;
import org.jdbi.v3.sqlobject.SqlObject;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.transaction.Transactional;
import org.junit.jupiter.api.Test;

/** What needs no server: which intent is in force where. The statements are in the IT. */
class LeewayPluginTest {
  private static final ThreadLocal<CallContext> CONTEXTS =
      ThreadLocal.withInitial(CallContext::new);

  private final Jdbi jdbi =
      Jdbi.create(
              () -> {
                throw new SQLException("this test opens no connection");
              })
          .installPlugin(new SqlObjectPlugin())
          .installPlugin(new LeewayPlugin(new ContextBoundary(CONTEXTS::get)));

  public interface Orders extends SqlObject {
    @ReadReplica(maxStaleness = "2s")
    default ReadIntent list() {
      return CONTEXTS.get().intent();
    }

    @ReadPrimary(because = "shown for editing")
    default ReadIntent find(boolean fails) {
      if (fails) {
        throw new IllegalStateException("from inside");
      }
      return CONTEXTS.get().intent();
    }

    default ReadIntent count() {
      return CONTEXTS.get().intent();
    }

    @Write
    default List<ReadIntent> approve() {
      return List.of(list(), CONTEXTS.get().intent(), find(false), count());
    }
  }

  @Test
  void methodsOfASqlObjectRunInsideTheirIntents() {
    Orders orders = jdbi.onDemand(Orders.class);

    assertThat(orders.list().kind()).isEqualTo(ReadIntent.Kind.REPLICA);
    assertThat(orders.list().label()).isEqualTo("LeewayPluginTest$Orders.list");
    assertThat(orders.find(false).kind()).isEqualTo(ReadIntent.Kind.PRIMARY);
    assertThat(CONTEXTS.get().intent()).isEqualTo(ReadIntent.undeclared());
  }

  @Test
  void aDefaultMethodCallsOthersInsideTheirOwnIntents() {
    assertThat(jdbi.onDemand(Orders.class).approve())
        .extracting(ReadIntent::kind)
        .containsExactly(
            ReadIntent.Kind.REPLICA,
            ReadIntent.Kind.WRITE,
            ReadIntent.Kind.PRIMARY,
            ReadIntent.Kind.UNDECLARED);
  }

  @Test
  void theOuterIntentIsBackAfterAnException() {
    CONTEXTS.get().enter(ReadIntent.replica());
    try {
      assertThatThrownBy(() -> jdbi.onDemand(Orders.class).find(true))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("from inside");
      assertThat(CONTEXTS.get().intent()).isSameAs(ReadIntent.replica());
    } finally {
      CONTEXTS.get().enter(ReadIntent.undeclared());
    }
  }

  @ReadReplica
  public interface Listings extends Transactional<Listings> {
    default ReadIntent one() {
      return CONTEXTS.get().intent();
    }
  }

  @Test
  void anIntentOnTheTypeCoversItsOwnMethods() {
    assertThat(jdbi.onDemand(Listings.class).one().kind()).isEqualTo(ReadIntent.Kind.REPLICA);
  }

  public interface Silent extends SqlObject {
    default ReadIntent one() {
      return CONTEXTS.get().intent();
    }
  }

  @Test
  void aTypeThatDeclaresNothingKeepsTheIntentAroundIt() {
    CONTEXTS.get().enter(ReadIntent.replica());
    try {
      assertThat(jdbi.onDemand(Silent.class).one()).isSameAs(ReadIntent.replica());
    } finally {
      CONTEXTS.get().enter(ReadIntent.undeclared());
    }
  }

  public interface Lazy {
    @SqlQuery("SELECT id FROM orders")
    @ReadReplica
    ResultIterable<Long> ids();
  }

  @Test
  void aQueryThatWouldRunAfterItsMethodReturnedIsRefused() {
    assertThatThrownBy(() -> jdbi.withExtension(Lazy.class, Lazy::ids))
        .hasStackTraceContaining(
            "Leeway - dev.leeway.routing.jdbi.LeewayPluginTest$Lazy#ids() returns a ResultIterable,"
                + " which runs its query after the method has returned and so outside its intent"
                + " (expected: List, Stream, Iterator or a Consumer parameter)");
  }
}
