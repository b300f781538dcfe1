package dev.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A test that breaks its cluster by hand fails itself, and not the test after it. */
class UnhealthyClusterIT {
  private static final List<MySqlCluster> SEEN = new ArrayList<>();

  /** Run by the launcher below, not by the build. */
  @MySqlTopology(replicas = 1, options = "--max-connections=399")
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  static class Careless {
    @Test
    @Order(1)
    void detachesItsReplicaByHand(
        MySqlCluster cluster, @Server("replica-1") MySqlServer replica, TestSchema schema)
        throws SQLException {
      SEEN.add(cluster);
      replica.execute("STOP REPLICA", "RESET REPLICA ALL");
    }

    @Test
    @Order(2)
    void writesOnItsReplicaByHand(
        MySqlCluster cluster, @Server("replica-1") MySqlServer replica, TestSchema schema)
        throws SQLException {
      SEEN.add(cluster);
      replica.execute("SET GLOBAL super_read_only=OFF", "CREATE SCHEMA stray");
      replica.execute("SET GLOBAL super_read_only=ON");
    }

    @Test
    @Order(3)
    void isCareful(MySqlCluster cluster, TestSchema schema) {
      SEEN.add(cluster);
      assertThat(schema.cluster()).isSameAs(cluster);
    }
  }

  @Test
  void theCulpritFailsAndTheNextTestGetsAnotherCluster() {
    Map<String, TestExecutionResult> results = run();

    assertThat(failure(results, "detachesItsReplicaByHand(MySqlCluster, MySqlServer, TestSchema)"))
        .hasValueSatisfying(
            e ->
                assertThat(e)
                    .hasMessageStartingWith("testkit - the cluster is not healthy again")
                    .hasMessageContaining("replica-1 follows primary with both threads running")
                    .hasMessageContaining("(seen: follows nobody)")
                    .hasMessageContaining("Use faults of the testkit"));
    assertThat(failure(results, "writesOnItsReplicaByHand(MySqlCluster, MySqlServer, TestSchema)"))
        .hasValueSatisfying(
            e -> assertThat(e).hasMessageMatching(".*replica-1 - has executed .*:1, which .*"));
    assertThat(failure(results, "isCareful(MySqlCluster, TestSchema)")).isEmpty();
    assertThat(results).hasSize(3);
    assertThat(SEEN).hasSize(3).doesNotHaveDuplicates();
    SEEN.get(2).close();
  }

  private static Optional<Throwable> failure(
      Map<String, TestExecutionResult> results, String test) {
    TestExecutionResult result = results.get(test);
    assertThat(result).as(test).isNotNull();
    return Objects.requireNonNull(result).getThrowable();
  }

  private static Map<String, TestExecutionResult> run() {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(Careless.class)).build();
    Map<String, TestExecutionResult> results = new LinkedHashMap<>();
    LauncherFactory.create()
        .execute(
            request,
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                  results.put(test.getDisplayName(), result);
                }
              }
            });
    return results;
  }
}
