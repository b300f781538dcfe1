package dev.leeway.routing.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.Reason;
import dev.leeway.routing.RequestScope;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A repository interface bound to intents, over plain JDBC, on real servers. */
// A scope and a fault are there to be in force, not to be called.
@SuppressWarnings("try")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BindingIT {
  // tag::bind[]
  interface OrderRepository {
    @ReadReplica(maxStaleness = "1h")
    String listedStatus(long id) throws Exception;

    @ReadPrimary(because = "the customer edits what is shown")
    String statusForEditing(long id) throws Exception;

    @Write
    void setStatus(long id, String status) throws Exception;
  }

  // end::bind[]

  interface TestedRepository extends OrderRepository {
    @ReadReplica
    String server() throws Exception;

    String serverOfAnUndeclaredMethod() throws Exception;

    @ReadReplica
    default List<String> overview() throws Exception {
      return List.of(server(), serverOfAnUndeclaredMethod());
    }

    @Write
    default void fail() {
      throw new IllegalStateException("from the repository");
    }
  }

  private static final class JdbcOrders implements TestedRepository {
    private final PlainJdbcIT.JdbcStore store;

    JdbcOrders(javax.sql.DataSource dataSource) {
      this.store = new PlainJdbcIT.JdbcStore(dataSource);
    }

    @Override
    public String listedStatus(long id) throws Exception {
      return store.status(id);
    }

    @Override
    public String statusForEditing(long id) throws Exception {
      return store.status(id);
    }

    @Override
    public void setStatus(long id, String status) throws Exception {
      store.setStatus(id, status);
    }

    @Override
    public String server() throws Exception {
      return store.server();
    }

    @Override
    public String serverOfAnUndeclaredMethod() throws Exception {
      return store.server();
    }
  }

  private Shop shop;
  private RequestScope request;
  private TestedRepository orders;

  @BeforeAll
  void open() throws Exception {
    shop = Shop.open();
    orders = shop.leeway().bind(TestedRepository.class, new JdbcOrders(shop.leeway().dataSource()));
  }

  @AfterAll
  void close() {
    shop.close();
  }

  @BeforeEach
  void asAtFirst() throws Exception {
    shop.onPrimary("UPDATE orders SET status = 'new' WHERE id = 1");
    shop.schema().awaitReplicated();
    // Whatever other tests wrote without a scope is no business of a new request.
    request = shop.leeway().openScope();
  }

  @AfterEach
  void endRequest() {
    request.close();
  }

  private Reason lastReason() {
    return shop.leeway().lastDecision().orElseThrow().reason();
  }

  @Test
  void aRepositoryIsBoundByItsInterface() throws Exception {
    Leeway leeway = shop.leeway();
    JdbcOrders jdbcOrders = new JdbcOrders(leeway.dataSource());
    // tag::bind-call[]
    OrderRepository repository = leeway.bind(OrderRepository.class, jdbcOrders);
    // end::bind-call[]

    assertThat(repository.listedStatus(1)).isEqualTo("new");
    assertThat(leeway.lastDecision().orElseThrow().role()).isEqualTo(Reason.Role.REPLICA);
  }

  @Test
  void eachMethodIsServedAsItDeclares() throws Exception {
    assertThat(orders.server()).startsWith("replica-");
    assertThat(orders.statusForEditing(1)).isEqualTo("new");
    assertThat(lastReason()).isEqualTo(Reason.PRIMARY_REQUESTED);
    assertThat(orders.serverOfAnUndeclaredMethod()).isEqualTo("primary");
    assertThat(lastReason()).isEqualTo(Reason.UNDECLARED);
  }

  @Test
  void aScopeReadsItsOwnWriteWhileTheReplicasStandStill() throws Exception {
    try (Shop.StandStill still = shop.replicasStandStill();
        RequestScope scope = shop.leeway().openScope()) {
      orders.setStatus(1, "paid");

      assertThat(orders.listedStatus(1)).isEqualTo("paid");
      assertThat(lastReason()).isEqualTo(Reason.NO_REPLICA_REACHED_POSITION);
    }
  }

  @Test
  void intentsNestWithTheFunctionalFormInBothDirections() throws Exception {
    ReadIntent outer = ReadIntent.replica().named("outer");

    List<String> seen =
        shop.leeway()
            .read(
                outer,
                () ->
                    List.of(
                        shop.leeway().read(ReadIntent.primary("nested"), orders::server),
                        orders.serverOfAnUndeclaredMethod(),
                        shop.leeway().currentIntent().label()));

    assertThat(seen.get(0)).startsWith("replica-");
    assertThat(seen.get(1)).isEqualTo("primary");
    assertThat(seen.get(2)).isEqualTo("outer");
    assertThat(shop.leeway().currentIntent()).isEqualTo(ReadIntent.undeclared());
  }

  @Test
  void aDefaultMethodGivesEachCallItsOwnIntent() throws Exception {
    List<String> seen = orders.overview();

    assertThat(seen.get(0)).startsWith("replica-");
    assertThat(seen.get(1)).isEqualTo("primary");
  }

  @Test
  void afterAnExceptionTheOuterIntentRoutesAgain() throws Exception {
    String server =
        shop.leeway()
            .read(
                ReadIntent.replica(),
                () -> {
                  assertThatThrownBy(orders::fail).hasMessage("from the repository");
                  return new PlainJdbcIT.JdbcStore(shop.leeway().dataSource()).server();
                });

    assertThat(server).startsWith("replica-");
  }
}
