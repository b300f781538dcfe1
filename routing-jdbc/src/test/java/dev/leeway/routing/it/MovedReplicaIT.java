package dev.leeway.routing.it;

import static dev.leeway.routing.it.Sql.REPLICA;
import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.MysqlConnection;
import dev.leeway.gate.ServerState;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import dev.leeway.routing.RouteDecision;
import dev.leeway.testkit.Fault;
import dev.leeway.testkit.MySqlServer;
import dev.leeway.testkit.TestSchema;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/**
 * Case D23 for a reader: the replica's name leads to another machine, and the former one stays up.
 */
class MovedReplicaIT {
  @Test
  void connectionsToTheFormerReplicaAreNotReadAsIfTheyLedToTheNewOne() throws Exception {
    MySqlServer primary = Servers.CLUSTER.primary();
    MySqlServer former = Servers.CLUSTER.replica("replica-1");
    MySqlServer next = Servers.CLUSTER.replica("replica-2");
    try (TestSchema schema = Servers.newSchema();
        Door door = new Door(former);
        Leeway leeway =
            Servers.ready(
                Leeway.builder("moved")
                    .monitoring(
                        Servers.monitoring()
                            .ejectAbove(Duration.ofSeconds(2))
                            .readmitBelow(Duration.ofSeconds(1))
                            .build())
                    .primary(
                        "primary",
                        primary.jdbcUrl(schema.name()),
                        primary.user(),
                        primary.password())
                    .replica(
                        "reader",
                        "jdbc:mysql://127.0.0.1:" + door.port() + "/" + schema.name(),
                        former.user(),
                        former.password())
                    .start());
        Connection kept = leeway.dataSource().getConnection()) {
      Set<Long> pooled = new HashSet<>();
      leeway.run(REPLICA, () -> pooled.addAll(warm(leeway, kept)));
      try (Fault paused = former.pauseApplier()) {
        assertThat(paused).isNotNull();
        door.leadTo(next);
        endSessionsBut(pooled, former);
        Servers.await("the monitor knows the new one", () -> serves(leeway, next));

        for (int i = 0; i < 20; i++) {
          String written = "moved-" + i;
          try (RequestScope scope = leeway.openScope()) {
            Sql.write(leeway, "UPDATE orders SET status = '" + written + "' WHERE id = 1");
            assertThat(Sql.read(leeway, REPLICA, "SELECT status FROM orders WHERE id = 1"))
                .as("%s by %s", scope, leeway.lastDecision())
                .isEqualTo(written);
          }
        }
        leeway.run(
            REPLICA,
            () ->
                assertThat(Sql.query(kept, "SELECT status FROM orders WHERE id = 1"))
                    .isEqualTo("moved-19"));
        Servers.await(
            "the new one serves",
            () -> {
              try (RequestScope scope = leeway.openScope()) {
                assertThat(scope.isClosed()).isFalse();
                return "replica-2".equals(Sql.whoami(leeway))
                    && leeway
                        .lastDecision()
                        .map(RouteDecision::server)
                        .equals(java.util.Optional.of("reader"));
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
      }
    }
  }

  /** Several connections to the reader, at rest in its pool, and one that is kept. */
  private static Set<Long> warm(Leeway leeway, Connection kept) throws SQLException {
    Set<Long> sessions = new HashSet<>();
    List<Connection> open = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      open.add(leeway.dataSource().getConnection());
    }
    open.add(kept);
    for (Connection each : open) {
      assertThat(Sql.query(each, Sql.WHOAMI)).isEqualTo("replica-1");
      sessions.add(each.unwrap(MysqlConnection.class).getSession().getThreadId());
    }
    open.remove(kept);
    for (Connection each : open) {
      each.close();
    }
    return sessions;
  }

  /** As if the monitor's own connection had broken for a reason of its own. */
  private static void endSessionsBut(Collection<Long> spared, MySqlServer server) throws Exception {
    List<Long> others = new ArrayList<>();
    try (Connection admin = server.connect("");
        Statement statement = admin.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT id FROM information_schema.processlist WHERE user = '"
                    + server.user()
                    + "'")) {
      while (rows.next()) {
        if (!spared.contains(rows.getLong(1))) {
          others.add(rows.getLong(1));
        }
      }
    }
    for (long other : others) {
      try {
        server.execute("KILL " + other);
      } catch (SQLException e) {
        // It has ended by itself.
        assertThat(e.getErrorCode()).isEqualTo(1094);
      }
    }
  }

  private static boolean serves(Leeway leeway, MySqlServer server) {
    ServerState reader = leeway.clusterState().server(1);
    return reader.mayServe() && server.serverUuid().equals(String.valueOf(reader.serverUuid()));
  }

  /**
   * One address that leads to one server, and later to another; who is inside stays where he is.
   */
  private static final class Door implements AutoCloseable {
    private final ServerSocket socket;
    private final ConcurrentLinkedQueue<Socket> open = new ConcurrentLinkedQueue<>();
    private volatile MySqlServer server;

    Door(MySqlServer first) throws IOException {
      server = first;
      socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      inBackground(this::letIn);
    }

    int port() {
      return socket.getLocalPort();
    }

    void leadTo(MySqlServer other) {
      server = other;
    }

    private void letIn() {
      try {
        while (true) {
          Socket from = socket.accept();
          Socket to = new Socket(server.host(), server.port());
          from.setTcpNoDelay(true);
          to.setTcpNoDelay(true);
          open.addAll(List.of(from, to));
          inBackground(() -> copy(from, to));
          inBackground(() -> copy(to, from));
        }
      } catch (IOException e) {
        // The door was closed.
        return;
      }
    }

    private static void copy(Socket from, Socket to) {
      try (from;
          to) {
        from.getInputStream().transferTo(to.getOutputStream());
      } catch (IOException e) {
        // One side has closed; so does the other.
        return;
      }
    }

    private static void inBackground(Runnable task) {
      Thread thread = new Thread(task, "door");
      thread.setDaemon(true);
      thread.start();
    }

    @Override
    public void close() throws IOException {
      socket.close();
      for (Socket each : open) {
        each.close();
      }
    }
  }
}
