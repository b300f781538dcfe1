package dev.leeway.samples.shop;

import static dev.leeway.routing.Reason.NO_REPLICA_REACHED_POSITION;
import static dev.leeway.routing.Reason.PINNED_REPLICA;
import static dev.leeway.routing.Reason.PRIMARY_REQUESTED;
import static dev.leeway.routing.Reason.REPLICA_CAUGHT_UP;
import static dev.leeway.routing.Reason.STALENESS_ACCEPTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.RequestScope;
import dev.leeway.routing.RouteDecision;
import dev.leeway.testkit.Await;
import dev.leeway.testkit.MySqlCluster;
import dev.leeway.testkit.MySqlTopology;
import dev.leeway.testkit.TestSchema;
import dev.leeway.testkit.drill.DrillResult;
import dev.leeway.testkit.drill.DrillTopology;
import dev.leeway.testkit.drill.ReadAfterWriteDrill;
import dev.leeway.testkit.drill.Seen;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The six reads that must not be answered from the past, on replicas that are ten seconds behind.
 */
// tag::topology[]
@MySqlTopology(replicas = 2, delay = "10s")
class ShopIT {
  // end::topology[]
  private final Visitor visitor = Visitor.of(1);
  private OpenShop open;
  private Leeway leeway;
  private Shop shop;

  @BeforeEach
  void openTheShop(TestSchema schema) throws SQLException {
    open = OpenShop.in(schema);
    leeway = open.leeway();
    shop = open.shop();
  }

  @AfterEach
  void closeTheShop() {
    open.close();
  }

  @Test
  void theConfirmationPageShowsTheOrderThatWasJustPlaced() {
    long order = shop.checkout(visitor, "attempt-1", 3, 2);

    assertThat(shop.confirmationPage(visitor, order)).contains(new Order(order, 1, 3, 2, 206));
    // tag::why[]
    assertThat(leeway.lastDecision())
        .map(RouteDecision::reason)
        .contains(NO_REPLICA_REACHED_POSITION);
    // end::why[]
  }

  @Test
  void theSettingsPageShowsWhatWasJustSaved() {
    shop.saveLanguage(visitor, "Lojban");

    assertThat(shop.settingsPage(visitor)).map(Settings::language).contains("Lojban");
  }

  /** A write that changes nothing has no position, and yet its author has seen the newest data. */
  @Test
  void savingTheSameAgainDoesNotBringTheOldSettingsBack() {
    shop.saveLanguage(visitor, "Lojban");
    Visitor otherBrowser = Visitor.of(1);

    shop.saveLanguage(otherBrowser, "Lojban");

    assertThat(shop.settingsPage(otherBrowser)).map(Settings::language).contains("Lojban");
  }

  @Test
  void aRepeatedPostFindsTheOrderOfTheFirstOne() {
    long order = shop.checkout(visitor, "attempt-1", 3, 1);
    Visitor withoutAnAnswer = Visitor.of(1);

    assertThat(shop.checkout(withoutAnAnswer, "attempt-1", 3, 1)).isEqualTo(order);
    assertThat(leeway.lastDecision()).map(RouteDecision::reason).contains(PRIMARY_REQUESTED);
    assertThat(shop.salesReport(visitor).sold()).isEqualTo(1);
  }

  @Test
  void aJobSeesWhatItsDispatcherWrote() throws Exception {
    assertThat(shop.requestInvoice(visitor, 7, "1 Main Street").get(30, TimeUnit.SECONDS))
        .map(Invoice::address)
        .contains("1 Main Street");
  }

  @Test
  void nobodyIsPromisedThePieceThatSomebodyElseHasJustReserved() {
    assertThat(shop.reserve(visitor, 5, 1)).isEqualTo(new Reservation(1, true, true));

    assertThat(shop.reserve(Visitor.of(2), 5, 1)).isEqualTo(new Reservation(0, false, false));
  }

  @Test
  void anAdministratorApprovesTheDraftHeHasJustCreated() {
    Discount draft = shop.publishDiscount(visitor, "SUMMER", 15).orElseThrow();

    assertThat(draft).isEqualTo(new Discount(draft.id(), "SUMMER", 15, false));
    assertThat(shop.discountPage(visitor, draft.id())).map(Discount::approved).contains(true);
  }

  @Test
  void listingsAndReportsOfVisitorsWhoWroteNothingLeaveThePrimary() {
    shop.cataloguePage(visitor, 0);
    assertThat(leeway.lastDecision()).map(RouteDecision::reason).contains(STALENESS_ACCEPTED);

    shop.bestSellers(Visitor.of(2));
    assertThat(leeway.lastDecision()).map(RouteDecision::reason).contains(STALENESS_ACCEPTED);

    shop.salesReport(Visitor.of(3));
    assertThat(leeway.lastDecision()).map(RouteDecision::reason).contains(STALENESS_ACCEPTED);
  }

  @Test
  void aVisitorWhoOnlyReadsStaysOnAReplicaFromPageToPage() {
    // For the first two seconds a process cannot tell whether it watched the replica when it
    // served.
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    int visitors = 1;
    do {
      Visitor next = Visitor.of(visitors++);
      shop.cataloguePage(next, 0);
      shop.bestSellers(next);
    } while (leeway.lastDecision().orElseThrow().reason() != PINNED_REPLICA
        && System.nanoTime() - deadline < 0);

    assertThat(leeway.lastDecision()).map(RouteDecision::reason).contains(PINNED_REPLICA);
  }

  @Test
  void oneVisitorsWriteSendsNobodyElseToThePrimary() {
    shop.checkout(visitor, "attempt-1", 3, 1);

    shop.orderList(Visitor.of(2));

    assertThat(leeway.lastDecision()).map(RouteDecision::reason).contains(STALENESS_ACCEPTED);
  }

  @Test
  void aVisitorGoesBackToTheReplicasOnceTheyHaveCaughtUp(MySqlCluster cluster) {
    long order = shop.checkout(visitor, "attempt-1", 3, 1);

    cluster.undoFaults();

    Await.until(
        "the page comes from a replica",
        Duration.ofSeconds(30),
        () -> {
          assertThat(shop.confirmationPage(visitor, order)).isPresent();
          return leeway.lastDecision().orElseThrow().reason() == REPLICA_CAUGHT_UP;
        });
  }

  /** What anybody's own suite can do: the testkit's drill, with the code under test in it. */
  @Test
  void noOrderIsMissingInTwoHundredCheckouts(MySqlCluster cluster) throws Exception {
    // tag::drill[]
    DrillResult result =
        ReadAfterWriteDrill.of(this::placeOrder, this::readOrder)
            .iterations(200)
            .topology(DrillTopology.of(cluster))
            .run();

    result.requireNoStaleReads();
    // end::drill[]
    assertThat(result.servedByPrimary()).isEqualTo(200);
  }

  private record Placed(Visitor visitor, long order) {}

  private Placed placeOrder(int iteration) {
    Visitor customer = Visitor.of(1 + iteration % OpenShop.CUSTOMERS);
    return new Placed(customer, shop.checkout(customer, "drill-" + iteration, 3, 1));
  }

  private Seen readOrder(Placed placed) throws SQLException {
    try (RequestScope scope = leeway.openScope(placed.visitor().token());
        Connection connection = leeway.dataSource().getConnection()) {
      assertThat(scope.isClosed()).isFalse();
      // tag::seen[]
      return leeway.read(
          ReadIntent.replica(),
          () -> Seen.ifExists(connection, "SELECT id FROM orders WHERE id = ?", placed.order()));
      // end::seen[]
    }
  }
}
