package dev.leeway.gate;

import static dev.leeway.gate.Samples.MILLIS;
import static dev.leeway.gate.ServerState.UNKNOWN_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The model against a made-up cluster whose truth is known: a primary that commits, replicas that
 * lag, stop, restart, lose transactions, are replaced, detached and skewed, and polls that are late
 * or fail. After each of a million polls everything the model claims is held against the truth.
 */
class ClusterSimulationTest {
  private static final int POLLS = 250_000;
  private static final MonitorSettings SETTINGS =
      MonitorSettings.builder().ejectAbove(Duration.ofSeconds(2)).build();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whateverHappensNoReplicaIsTakenForYoungerThanItIs(long seed) {
    World world = new World(seed);

    for (int i = 0; i < POLLS; i++) {
      world.poll();
      world.check();
    }

    // A world in which nothing ever served would prove nothing.
    assertThat(world.served).isGreaterThan(POLLS / 10);
    assertThat(world.refused).isGreaterThan(POLLS / 10);
    assertThat(world.ejections).isGreaterThan(30);
  }

  private static final class World {
    final Random random;
    final ClusterModel model =
        new ClusterModel("sim", SETTINGS, List.of("primary", "replica-1", "replica-2"), 0);

    /** The seeds 1 and 3 turn the primary's clock; the others let it be unreachable for long. */
    final boolean clockIsTurned;

    final Replica[] replicas = new Replica[2];
    long now = 10_000 * MILLIS;

    /* Commit i became visible at visibleAt[i] and entered gtid_executed at executedAt[i]. */
    long[] visibleAt = new long[1 << 20];
    long[] executedAt = new long[1 << 20];
    long[] heartbeatOf = new long[1 << 20];
    int commits;
    long lastHeartbeatAt;
    long primaryClockOffset;
    long primaryGoneUntil;
    long primaryAskedAt;
    int served;
    int refused;
    int ejections;

    World(long seed) {
      random = new Random(seed);
      clockIsTurned = seed % 2 == 1;
      for (int i = 0; i < replicas.length; i++) {
        replicas[i] = new Replica(i + 1);
      }
      commit(now, 0);
    }

    final class Replica {
      final int index;
      UUID uuid;
      int applied;
      int told;
      long lagNanos;
      long frozenUntil;
      long detachedUntil;
      long goneUntil;
      long clockSkew;
      boolean restarted;
      boolean heartbeatHidden;
      long generation = -1;
      boolean measuredInGeneration;
      Health health = Health.UNPROVED;

      Replica(int index) {
        this.index = index;
        uuid = Samples.uuid(10 + index);
      }

      void apply() {
        if (now < frozenUntil || now < detachedUntil) {
          return;
        }
        // Up to 3 ms early: the primary ships a transaction before its own commit has finished.
        while (applied < commits && visibleAt[applied + 1] <= now - lagNanos + 3 * MILLIS) {
          applied++;
        }
      }

      void happen() {
        switch (random.nextInt(20)) {
          case 0 -> lagNanos = random.nextInt(50) * MILLIS;
          case 1 -> lagNanos = random.nextInt(4_000) * MILLIS;
          case 2 -> frozenUntil = now + random.nextInt(6_000) * MILLIS;
          case 3 -> goneUntil = now + random.nextInt(3_000) * MILLIS;
          case 4 -> restarted = true;
          case 5 -> {
            // A crash that loses what was not flushed.
            restarted = true;
            applied = Math.max(1, applied - random.nextInt(20));
            told = 0;
          }
          case 6 -> {
            uuid = Samples.uuid(1_000 + random.nextInt(100_000));
            applied = Math.max(1, applied - random.nextInt(2_000));
            told = 0;
          }
          case 7 -> detachedUntil = now + random.nextInt(4_000) * MILLIS;
          case 8 -> clockSkew = (random.nextInt(240_000) - 120_000) * MILLIS;
          case 9 -> heartbeatHidden = !heartbeatHidden;
          case 10, 11, 12, 13 -> frozenUntil = now + (2_000 + random.nextInt(4_000)) * MILLIS;
          default -> {
            lagNanos = random.nextInt(10) * MILLIS;
            frozenUntil = now;
          }
        }
      }
    }

    void commit(long at, long heartbeatMicros) {
      commits++;
      visibleAt[commits] = Math.max(at, visibleAt[commits - 1]);
      executedAt[commits] = Math.max(executedAt[commits - 1], visibleAt[commits] + untilExecuted());
      heartbeatOf[commits] = heartbeatMicros;
    }

    /** Mostly at once; on a server that is short of processor time it was seen to take 76 ms. */
    long untilExecuted() {
      return random.nextInt(random.nextInt(20) == 0 ? 300 : 3) * MILLIS;
    }

    void advanceTo(long until) {
      while (now < until) {
        now = Math.min(until, now + (1 + random.nextInt(20)) * MILLIS);
        if (commits + 2 >= visibleAt.length) {
          makeRoom();
        }
        if (random.nextInt(100) < 30) {
          commit(now, 0);
        }
        if (now - lastHeartbeatAt > 250 * MILLIS) {
          lastHeartbeatAt = now;
          commit(now, primaryClock(now - random.nextInt(2) * MILLIS));
        }
        for (Replica replica : replicas) {
          replica.apply();
        }
      }
    }

    void makeRoom() {
      visibleAt = Arrays.copyOf(visibleAt, visibleAt.length * 2);
      executedAt = Arrays.copyOf(executedAt, executedAt.length * 2);
      heartbeatOf = Arrays.copyOf(heartbeatOf, heartbeatOf.length * 2);
    }

    long primaryClock(long at) {
      return Samples.clockMicros(at + primaryClockOffset);
    }

    void poll() {
      if (random.nextInt(60) == 0) {
        replicas[random.nextInt(replicas.length)].happen();
      }
      if (clockIsTurned && random.nextInt(300) == 0) {
        long turn = random.nextBoolean() ? 120_000 : 300;
        primaryClockOffset += (long) ((random.nextDouble() - 0.5) * turn * MILLIS);
      }
      if (!clockIsTurned && random.nextInt(2_000) == 0) {
        primaryGoneUntil = now + random.nextInt(5_000) * MILLIS;
      }
      // A primary that is there is asked in time, because a heartbeat speaks for one that is not.
      int index = now - primaryAskedAt > 400 * MILLIS ? 0 : random.nextInt(3);
      if (index == 0) {
        primaryAskedAt = now;
      }
      long sent = now;
      if (index == 0 ? now < primaryGoneUntil : now < replicas[index - 1].goneUntil) {
        advanceTo(now + random.nextInt(300) * MILLIS);
        model.failed(index, now, "gone");
        return;
      }
      advanceTo(now + (1 + random.nextInt(5)) * MILLIS);
      Sample sample = index == 0 ? primary(sent) : replica(replicas[index - 1], sent);
      advanceTo(now + random.nextInt(5) * MILLIS);
      model.answered(
          index,
          new Sample(
              sent,
              now,
              sample.clockMicros(),
              sample.serverUuid(),
              1,
              sample.readOnly(),
              sample.superReadOnly(),
              true,
              true,
              sample.restarted(),
              sample.owned(),
              sample.executed(),
              sample.heartbeat(),
              sample.replication()));
      if (index > 0) {
        noteMeasurement(replicas[index - 1]);
      }
      advanceTo(now + random.nextInt(40) * MILLIS);
    }

    Sample primary(long sent) {
      int executed = commits;
      while (executed > 0 && executedAt[executed] > now) {
        executed--;
      }
      return new Samples.Maker(Samples.PRIMARY, sent, upTo(executed))
          .owned(upTo(commits).subtract(upTo(executed)))
          .clockMicros(primaryClock(now))
          .writable()
          .detached()
          .heartbeat(heartbeat(executed))
          .make();
    }

    Sample replica(Replica replica, long sent) {
      // A row may be visible a moment before its GTID is in the set.
      int executed = Math.max(replica.told, Math.max(1, replica.applied - random.nextInt(2)));
      replica.told = executed;
      Samples.Maker maker =
          new Samples.Maker(replica.uuid, sent, upTo(executed))
              .clockMicros(Samples.clockMicros(now + replica.clockSkew))
              .heartbeat(
                  replica.heartbeatHidden ? Sample.Heartbeat.MISSING : heartbeat(replica.applied));
      if (replica.restarted) {
        maker.restarted();
        replica.restarted = false;
      }
      return now < replica.detachedUntil ? maker.detached().make() : maker.make();
    }

    Sample.Heartbeat heartbeat(int shown) {
      for (int i = shown; i > 0; i--) {
        if (heartbeatOf[i] != 0) {
          return Sample.Heartbeat.at(heartbeatOf[i]);
        }
      }
      return Sample.Heartbeat.MISSING;
    }

    void noteMeasurement(Replica replica) {
      ServerState state = model.state().server(replica.index);
      if (state.generation() != replica.generation) {
        replica.generation = state.generation();
        replica.measuredInGeneration = false;
      }
      replica.measuredInGeneration |= state.freshAsOfNanos() != UNKNOWN_NANOS;
    }

    void check() {
      if (model.state().primaryIndex() != 0 || model.state().cluster().epoch() != 1) {
        throw new AssertionError("the primary was given up: " + model.state());
      }
      for (Replica replica : replicas) {
        ServerState state = model.state().server(replica.index);
        long fresh = state.freshAsOfNanos();
        if (fresh == UNKNOWN_NANOS) {
          if (state.health() == Health.FRESH || state.stalenessNanos(now) != Long.MAX_VALUE) {
            throw new AssertionError("fresh without a measurement: " + state);
          }
        } else if (replica.generation == state.generation()
            && !replica.restarted
            && replica.uuid.equals(state.serverUuid())
            && replica.applied < visibleBefore(fresh)) {
          // What has changed since the last poll (a restart, another server) cannot be known yet.
          throw new AssertionError(
              "claims everything visible before "
                  + fresh
                  + ", that is "
                  + visibleBefore(fresh)
                  + " commits, and has "
                  + replica.applied
                  + ": "
                  + state);
        }
        if (state.mayServe()) {
          served++;
          if (!replica.measuredInGeneration || state.generation() != replica.generation) {
            throw new AssertionError("serves before its first measurement: " + state);
          }
        } else {
          refused++;
        }
        if (state.findings().contains(Finding.ERRANT_TRANSACTIONS)) {
          throw new AssertionError("called errant without cause: " + state);
        }
        if (replica.health == Health.FRESH && state.health() == Health.STALE) {
          ejections++;
        }
        replica.health = state.health();
      }
    }

    /** How many commits were visible before a moment; they are in order of becoming visible. */
    int visibleBefore(long moment) {
      int low = 0;
      int high = commits;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (visibleAt[middle] < moment) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return low;
    }

    GtidSet upTo(int last) {
      return new GtidSet(
          new long[] {Samples.PRIMARY.getMostSignificantBits()},
          new long[] {Samples.PRIMARY.getLeastSignificantBits()},
          new String[] {""},
          new int[] {0, 1},
          new long[] {1},
          new long[] {last});
    }
  }
}
