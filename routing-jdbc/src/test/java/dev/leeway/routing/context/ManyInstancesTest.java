package dev.leeway.routing.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leeway.gate.ClusterId;
import dev.leeway.gate.ClusterState;
import dev.leeway.gate.Finding;
import dev.leeway.gate.GtidSet;
import dev.leeway.gate.Health;
import dev.leeway.gate.HeartbeatStatus;
import dev.leeway.gate.PositionTokens;
import dev.leeway.gate.PrimaryClock;
import dev.leeway.gate.ServerState;
import dev.leeway.gate.TokenResult;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.decide.Moments;
import dev.leeway.routing.decide.Route;
import dev.leeway.routing.decide.Router;
import dev.leeway.routing.decide.Routes;
import dev.leeway.routing.decide.ServerLoad;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * One user, whose every request goes to another of two application instances, which know the
 * servers by their own polls and clocks only. Between the requests travels nothing but the token.
 *
 * <p>The world is generated: a register that is written all the time, replicas that follow at
 * delays that change, that stop, and that are restored from an older copy; monitors that are blind
 * for a while; a primary whose clock is set. Seeded, so that a failure can be repeated.
 */
class ManyInstancesTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;
  private static final UUID PRIMARY = new UUID(1, 1);
  private static final ReadIntent READ = ReadIntent.replica();
  private static final List<String> NAMES = List.of("p", "r1", "r2");

  @Test
  void aUserNeverGoesBackInTimeWhereverHisRequestsGo() {
    int onReplicas = 0;
    int reads = 0;
    for (int seed = 0; seed < 100; seed++) {
      World world = new World(seed, true);
      world.live(60 * SECOND);
      onReplicas += world.readsOnReplicas;
      reads += world.reads;
    }
    assertThat(reads).isGreaterThan(10_000);
    assertThat(onReplicas).as("of %s reads", reads).isGreaterThan(reads / 4);
  }

  /** The check itself is checked: without the token such a user does go back. */
  @Test
  void withoutTheTokenHeWould() {
    int stepsBack = 0;
    for (int seed = 0; seed < 10; seed++) {
      World world = new World(seed, false);
      world.live(30 * SECOND);
      stepsBack += world.stepsBack;
    }
    assertThat(stepsBack).isGreaterThan(100);
  }

  private static GtidSet upTo(long count) {
    return count == 0 ? GtidSet.EMPTY : GtidSet.parse(PRIMARY + ":1-" + count);
  }

  /** A server, of which only the number of transactions it has executed matters. */
  private static final class Server {
    final UUID uuid;
    long executed;
    long delay = 50 * MS;
    long stoppedUntil;
    long awayUntil;
    int lives;

    Server(UUID uuid) {
      this.uuid = uuid;
    }
  }

  /** What one instance believes. */
  private static final class Instance {
    final long ahead;
    final Router router;
    final List<long[]> marks = new ArrayList<>();
    final long[] fresh = {Moments.NEVER, Moments.NEVER, Moments.NEVER};
    final long[] since = {Moments.NEVER, Moments.NEVER, Moments.NEVER};
    final int[] lives = new int[3];
    @Nullable PrimaryClock clock;
    @Nullable ClusterState state;
    long nextPoll;
    long blindUntil;

    Instance(long ahead) {
      this.ahead = ahead;
      ServerLoad[] loads = {new ServerLoad(1), new ServerLoad(1), new ServerLoad(1)};
      router = new Router(new Routes(NAMES), loads, Set.of(Finding.DETACHED));
    }
  }

  private static final class World {
    final int seed;
    final boolean withToken;
    final Random random;
    final Server[] servers = {
      new Server(PRIMARY), new Server(new UUID(2, 2)), new Server(new UUID(3, 3))
    };
    final List<long[]> commits = new ArrayList<>();
    final Instance[] instances;
    final PositionTokens tokens;
    long time = 1_000 * SECOND;
    long idleUntil;
    long clockSetBy;
    long clockSetNext;
    @Nullable String token;
    long seen;
    int reads;
    int readsOnReplicas;
    int stepsBack;

    World(int seed, boolean withToken) {
      this.seed = seed;
      this.withToken = withToken;
      random = new Random(seed);
      instances = new Instance[] {new Instance(random.nextLong() / 4), new Instance(0)};
      tokens =
          PositionTokens.builder()
              .key("k", new byte[32])
              .clock(() -> Instant.ofEpochMilli(time / MS))
              .build();
      clockSetNext = time + 20 * SECOND;
    }

    void live(long duration) {
      long end = time + duration;
      while (time < end) {
        time += 1L + random.nextInt((int) (8 * MS));
        if (random.nextInt(3) == 0) {
          commit();
        }
        befall();
        replicate();
        for (Instance instance : instances) {
          if (time >= instance.nextPoll && time >= instance.blindUntil) {
            poll(instance);
          }
        }
        if (time >= idleUntil && random.nextInt(20) == 0) {
          request(instances[random.nextInt(instances.length)]);
          idleUntil = random.nextInt(10) == 0 ? time + random.nextInt(3_000) * MS : time;
        }
      }
    }

    private long commit() {
      servers[0].executed++;
      commits.add(new long[] {time, servers[0].executed});
      return servers[0].executed;
    }

    private void befall() {
      Server replica = servers[1 + random.nextInt(2)];
      switch (random.nextInt(600)) {
        case 0 -> replica.delay = random.nextInt(400) * MS;
        case 1 -> replica.delay = 5 * MS;
        case 2 -> replica.stoppedUntil = time + random.nextInt(3_000) * MS;
        case 3 -> {
          Instance instance = instances[random.nextInt(2)];
          if (servers[1].awayUntil < time && servers[2].awayUntil < time) {
            instance.blindUntil = time + random.nextInt(1_500) * MS;
          }
        }
        case 4 -> {
          if (instances[0].blindUntil < time && instances[1].blindUntil < time) {
            // Restored from an older copy; away for longer than it takes to be noticed.
            replica.awayUntil = time + 400 * MS;
            replica.executed = Math.max(0, replica.executed - random.nextInt(400));
            replica.stoppedUntil = replica.awayUntil + random.nextInt(2_000) * MS;
            replica.lives++;
          }
        }
        default -> {
          if (time >= clockSetNext) {
            clockSetBy += (random.nextInt(10_000) - 5_000) * MS;
            clockSetNext = time + 15 * SECOND;
          }
        }
      }
    }

    private void replicate() {
      for (int i = 1; i < servers.length; i++) {
        Server replica = servers[i];
        if (time < replica.stoppedUntil || time < replica.awayUntil) {
          continue;
        }
        for (int c = commits.size() - 1; c >= 0; c--) {
          if (commits.get(c)[0] <= time - replica.delay) {
            replica.executed = Math.max(replica.executed, commits.get(c)[1]);
            break;
          }
        }
      }
    }

    private void poll(Instance instance) {
      long now = time + instance.ahead;
      long sent = now - random.nextInt((int) MS);
      long clockMicros = (time + clockSetBy) / 1_000;
      instance.clock =
          instance.clock == null
              ? PrimaryClock.first(PRIMARY, sent, now, clockMicros)
              : instance.clock.read(PRIMARY, sent, now, clockMicros);
      instance.marks.add(new long[] {sent, servers[0].executed});
      List<ServerState> states = new ArrayList<>();
      for (int i = 0; i < servers.length; i++) {
        states.add(stateOf(instance, i, sent, now));
      }
      instance.state =
          ClusterState.of(
                  new ClusterId("shop", 1), states, 0, "as configured", HeartbeatStatus.RUNNING, 1)
              .withPrimaryClock(instance.clock);
      instance.nextPoll = time + 90 * MS + random.nextInt((int) (20 * MS));
    }

    private ServerState stateOf(Instance instance, int index, long sent, long now) {
      Server server = servers[index];
      boolean away = time < server.awayUntil;
      if (!away && instance.lives[index] != server.lives) {
        instance.lives[index] = server.lives;
        instance.since[index] = Moments.NEVER;
        instance.fresh[index] = Moments.NEVER;
      }
      if (!away && instance.since[index] == Moments.NEVER) {
        instance.since[index] = now;
      }
      if (!away) {
        for (long[] mark : instance.marks) {
          if (mark[1] <= server.executed) {
            instance.fresh[index] = Moments.later(instance.fresh[index], mark[0]);
          }
        }
      }
      return ServerState.builder(NAMES.get(index), index)
          .health(away ? Health.UNREACHABLE : Health.FRESH)
          .serverUuid(server.uuid)
          .executed(upTo(server.executed))
          .freshAsOfNanos(index == 0 ? sent : instance.fresh[index])
          .sampledAtNanos(sent)
          .generation(instance.lives[index])
          .undisturbedSinceNanos(instance.since[index])
          .build();
    }

    private void request(Instance instance) {
      ClusterState state = instance.state;
      if (state == null) {
        return;
      }
      ScopeState scope = new ScopeState(0, null);
      if (token != null && withToken) {
        TokenResult result = tokens.verify(token, "shop");
        scope.adopt(
            ReceivedToken.of(
                Objects.requireNonNull(result.token()),
                result.minimumAgeNanos(),
                state,
                time + instance.ahead));
      }
      for (int read = random.nextInt(3); read >= 0; read--) {
        if (random.nextInt(30) == 0) {
          long written = commit();
          scope.wrote(GtidSet.parse(PRIMARY + ":" + written), time + instance.ahead);
          seen = written;
        }
        read(instance, scope, state);
        time += random.nextInt((int) MS);
      }
      token = tokens.sign(scope.token(state, time + instance.ahead));
      assertThat(token.length()).isLessThanOrEqualTo(384);
    }

    private void read(Instance instance, ScopeState scope, ClusterState state) {
      long now = time + instance.ahead;
      int excluded = Router.NOBODY;
      for (int attempt = 0; attempt < 3; attempt++) {
        int pinned = scope.pinnedServer();
        Route route = instance.router.decide(READ, true, scope, state, excluded, now);
        Server server = servers[route.server()];
        if (time < server.awayUntil) {
          scope.lostPin(route.server());
          excluded = route.server();
          continue;
        }
        reads++;
        if (route.toReplica()) {
          readsOnReplicas++;
          scope.pin(route.server(), state.server(route.server()).generation(), pinned);
        }
        if (withToken) {
          assertThat(server.executed)
              .as("seed %s: read on %s at %s ms; %s", seed, route, time / MS, token)
              .isGreaterThanOrEqualTo(seen);
        } else if (server.executed < seen) {
          stepsBack++;
        }
        seen = Math.max(seen, server.executed);
        if (route.toReplica()) {
          scope.served(route.server(), now);
        } else {
          scope.sawPrimary(now);
        }
        return;
      }
    }
  }
}
