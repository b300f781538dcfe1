package dev.leeway.routing.connection;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.Health;
import dev.leeway.gate.HeartbeatStatus;
import dev.leeway.gate.ServerState;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A primary and two replicas that answer every query with their own name, note what they were told,
 * and fail when told to.
 */
final class FakeServers {
  static final List<String> NAMES = List.of("p", "r1", "r2");

  /** What reached which server, such as {@code r1: setInt(1, 7)}; pools' own calls are left out. */
  final List<String> log = new CopyOnWriteArrayList<>();

  /** Thrown by the next executions on the servers of these names. */
  final List<String> failing = new CopyOnWriteArrayList<>();

  /** These give no connection. */
  final List<String> full = new CopyOnWriteArrayList<>();

  final boolean[] serves = {true, true, true};
  long freshAsOfNanos = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
  GtidSet executed = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-100");
  int primaryIndex;

  /** Each is another server at its address when this changes. */
  final @Nullable UUID[] uuids = new @Nullable UUID[3];

  int opened;
  @Nullable GtidSet nextGtids;

  ClusterState state() {
    List<ServerState> servers = new ArrayList<>();
    for (int i = 0; i < NAMES.size(); i++) {
      servers.add(
          ServerState.builder(NAMES.get(i), i)
              .health(serves[i] ? Health.FRESH : Health.UNREACHABLE)
              .freshAsOfNanos(freshAsOfNanos)
              .sampledAtNanos(freshAsOfNanos)
              .executed(executed)
              .serverUuid(uuids[i])
              .build());
    }
    return ClusterState.of(
        new ClusterId("fake", 0), servers, primaryIndex, "as set", HeartbeatStatus.RUNNING, 1);
  }

  RoutingCore.Builder core() {
    List<ConnectionSource> sources = new ArrayList<>();
    for (String name : NAMES) {
      sources.add(new FakeSource(name));
    }
    return RoutingCore.builder("fake").servers(NAMES, sources).state(this::state);
  }

  private final class FakeSource implements ConnectionSource {
    private final String name;

    FakeSource(String name) {
      this.name = name;
    }

    @Override
    public Connection openReading() throws SQLException {
      if (full.contains(name)) {
        throw new SQLException("Too many connections", "08004", 1040);
      }
      opened++;
      return new FakeConnection(name).asConnection();
    }

    @Override
    public Connection openWriting() {
      opened++;
      return new FakeConnection(name).asConnection();
    }
  }

  /** One session. */
  private final class FakeConnection implements InvocationHandler, WriteSession {
    private final String server;
    private boolean autoCommit = true;
    private boolean closed;

    FakeConnection(String server) {
      this.server = server;
    }

    Connection asConnection() {
      return (Connection)
          Proxy.newProxyInstance(
              FakeServers.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
      return switch (method.getName()) {
        case "unwrap" -> first == WriteSession.class ? this : proxy;
        case "isWrapperFor" -> first == WriteSession.class || first == Connection.class;
        case "prepareStatement", "createStatement" ->
            statement(method.getReturnType(), first instanceof String sql ? sql : "");
        case "getAutoCommit" -> autoCommit;
        case "setAutoCommit" -> {
          autoCommit = Boolean.TRUE.equals(first);
          log.add(server + ": autocommit=" + autoCommit);
          yield null;
        }
        case "commit", "rollback" -> {
          log.add(server + ": " + method.getName());
          failIfTold();
          yield null;
        }
        case "close" -> {
          closed = true;
          yield null;
        }
        case "isClosed" -> closed;
        case "isValid" -> !closed;
        case "toString" -> "connection of " + server;
        case "hashCode" -> System.identityHashCode(proxy);
        case "equals" -> proxy == first;
        default -> zero(method.getReturnType());
      };
    }

    private void failIfTold() throws SQLException {
      if (failing.remove(server)) {
        closed = true;
        throw new SQLException("connection to " + server + " lost", "08S01");
      }
    }

    private Object statement(Class<?> type, String sql) {
      return Proxy.newProxyInstance(
          FakeServers.class.getClassLoader(),
          new Class<?>[] {type == Statement.class ? Statement.class : PreparedStatement.class},
          (proxy, method, arguments) -> {
            String name = method.getName();
            Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
            if (name.startsWith("execute")) {
              log.add(server + ": " + (first instanceof String text ? text : sql));
              failIfTold();
              return name.equals("executeQuery")
                  ? rows(server)
                  : name.equals("execute") ? (Object) true : zero(method.getReturnType());
            }
            if (name.startsWith("set") && arguments != null && arguments.length >= 2) {
              log.add(server + ": " + name + "(" + arguments[0] + ", " + arguments[1] + ")");
            }
            if (name.equals("setQueryTimeout")) {
              log.add(server + ": timeout " + first);
            }
            return switch (name) {
              case "getResultSet" -> rows(server);
              case "hashCode" -> System.identityHashCode(proxy);
              case "equals" -> proxy == first;
              default -> zero(method.getReturnType());
            };
          });
    }

    @Override
    public @Nullable GtidSet takeGtids() {
      GtidSet taken = nextGtids;
      nextGtids = null;
      return taken;
    }

    @Override
    public @Nullable String changedSchema() {
      return null;
    }

    @Override
    public boolean inTransaction() {
      return false;
    }

    @Override
    public boolean autocommitOff() {
      return !autoCommit;
    }
  }

  private static ResultSet rows(String server) {
    boolean[] seen = new boolean[1];
    return (ResultSet)
        Proxy.newProxyInstance(
            FakeServers.class.getClassLoader(),
            new Class<?>[] {ResultSet.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "next" -> {
                    boolean first = !seen[0];
                    seen[0] = true;
                    yield first;
                  }
                  case "getString" -> server;
                  default -> zero(method.getReturnType());
                });
  }

  private static @Nullable Object zero(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    if (type == int.class) {
      return 0;
    }
    if (type == long.class) {
      return 0L;
    }
    return type == int[].class ? new int[0] : null;
  }
}
