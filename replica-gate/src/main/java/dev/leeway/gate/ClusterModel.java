package dev.leeway.gate;

import static dev.leeway.gate.ServerState.UNKNOWN_NANOS;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Turns answers and failures of polls into states. Does no I/O and has no clock: time is handed in.
 *
 * <p>Not thread-safe; the owner guards it. Every call does work that is bounded by the number of
 * servers, and ends with a new {@link #state}.
 */
final class ClusterModel {
  /** A table that is being made, and a first row, need a moment to get everywhere. */
  private static final long HEARTBEAT_GRACE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final long SKEW_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * pt-heartbeat writes once a second unless told otherwise; less than that is no sign of death.
   */
  private static final long SHORTEST_WRITER_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String clusterName;
  private final MonitorSettings settings;
  private final Server[] servers;
  private final Timeline timeline = new Timeline();
  private final Set<UUID> superseded = new HashSet<>();

  private int incumbentIndex;
  private @Nullable UUID incumbentUuid;
  private GtidSet incumbentExecuted = GtidSet.EMPTY;

  /** What the incumbent had executed or was committing: all that a replica may have from it. */
  private GtidSet incumbentMayHave = GtidSet.EMPTY;

  private Committing committing = new Committing();
  private @Nullable Sample incumbentSample;
  private @Nullable PrimaryClock primaryClock;
  private Timeline.@Nullable Mark uncredited;
  private Sample.Heartbeat heartbeatWatched = Sample.Heartbeat.NOT_ASKED;
  private long heartbeatWatchedSinceNanos = UNKNOWN_NANOS;
  private boolean heartbeatIsAlive;
  private long epoch = 1;
  private PrimaryElection.Decision decision;
  private HeartbeatStatus heartbeat;
  private ClusterState state;

  /** What is known of one server, and what was concluded. */
  private static final class Server {
    final int index;
    final String name;
    final HealthMachine health;
    final ErrantDetection errants = new ErrantDetection();
    @Nullable Sample last;
    GtidSet executed = GtidSet.EMPTY;
    long freshAsOfNanos = UNKNOWN_NANOS;
    long generation;
    long undisturbedSinceNanos = UNKNOWN_NANOS;
    long unreachableSinceNanos = UNKNOWN_NANOS;
    long neverAnsweredSinceNanos;
    @Nullable String problem;
    boolean uuidChanged;
    long heartbeatMissingSinceNanos = UNKNOWN_NANOS;
    boolean clockSkewed;

    Server(int index, String name, MonitorSettings settings, long nowNanos) {
      this.index = index;
      this.name = name;
      this.neverAnsweredSinceNanos = nowNanos;
      this.health =
          new HealthMachine(
              settings.ejectAbove(), settings.readmitBelow(), settings.readmitAfter());
    }

    boolean isReachable() {
      return last != null && unreachableSinceNanos == UNKNOWN_NANOS;
    }

    long unreachableNanos(long nowNanos) {
      if (unreachableSinceNanos != UNKNOWN_NANOS) {
        return nowNanos - unreachableSinceNanos;
      }
      return last == null ? nowNanos - neverAnsweredSinceNanos : 0;
    }

    @Nullable UUID uuid() {
      return last == null ? null : last.serverUuid();
    }

    void disturbed(String what) {
      generation++;
      undisturbedSinceNanos = UNKNOWN_NANOS;
      freshAsOfNanos = UNKNOWN_NANOS;
      health.disturbed(what);
    }
  }

  /**
   * Of servers of which nothing is known yet.
   *
   * @param names the servers; the first is the configured primary
   */
  ClusterModel(String clusterName, MonitorSettings settings, List<String> names, long nowNanos) {
    this.clusterName = clusterName;
    this.settings = settings;
    servers = new Server[names.size()];
    for (int i = 0; i < servers.length; i++) {
      servers[i] = new Server(i, names.get(i), settings, nowNanos);
    }
    decision =
        new PrimaryElection.Decision(0, null, servers[0].name + " is configured as the primary");
    heartbeat =
        settings.heartbeatTable().kind() == HeartbeatTable.Kind.NONE
            ? HeartbeatStatus.NOT_CONFIGURED
            : HeartbeatStatus.UNKNOWN;
    state = buildState(0);
  }

  ClusterState state() {
    return state;
  }

  /** Why the server's health is what it is. */
  String healthBecause(int index) {
    return servers[index].health.because();
  }

  /** What a replica has and the primary lacks; empty unless that is proved. */
  GtidSet errant(int index) {
    return servers[index].errants.errant();
  }

  /** Whose heartbeat row counts; null while that is not known. */
  @Nullable HeartbeatSource heartbeatSource() {
    Sample sample = incumbentSample;
    return sample == null ? null : new HeartbeatSource(sample.serverUuid(), sample.serverId());
  }

  /** The server that writes the heartbeat which counts. */
  record HeartbeatSource(UUID serverUuid, long serverId) {}

  /** How old the newest heartbeat on a server is, on the primary's clock; NaN if not known. */
  double heartbeatLagSeconds(int index, long nowNanos) {
    Sample sample = servers[index].last;
    Sample reference = incumbentSample;
    if (sample == null
        || reference == null
        || !servers[index].isReachable()
        || !servers[incumbentIndex].isReachable()
        || !sample.heartbeat().isSeen()) {
      return Double.NaN;
    }
    long clockNow =
        reference.clockMicros()
            + TimeUnit.NANOSECONDS.toMicros(nowNanos - reference.receivedNanos());
    return Math.max(0, (clockNow - sample.heartbeat().earliestMicros()) / 1e6);
  }

  /** Whether the receiver (or the applier) of a replica runs: 1, 0, or NaN if that is not known. */
  double running(int index, boolean receiver) {
    Sample sample = servers[index].last;
    if (sample == null
        || index == incumbentIndex
        || !servers[index].isReachable()
        || sample.replication() == null) {
      return Double.NaN;
    }
    Sample.Replication replication = sample.replication();
    boolean runs = receiver ? replication.receiving() : replication.applying();
    return runs && !replication.isDetached() ? 1 : 0;
  }

  /** A poll was answered. */
  void answered(int index, Sample sample) {
    Server server = servers[index];
    noticeDisturbance(server, sample);
    server.last = sample;
    if (server.undisturbedSinceNanos == UNKNOWN_NANOS) {
      server.undisturbedSinceNanos = sample.receivedNanos();
    }
    server.executed = sample.executed();
    server.unreachableSinceNanos = UNKNOWN_NANOS;
    server.problem = null;
    if (sample.heartbeat().presence() != Sample.Heartbeat.Presence.MISSING) {
      server.heartbeatMissingSinceNanos = UNKNOWN_NANOS;
    } else if (server.heartbeatMissingSinceNanos == UNKNOWN_NANOS) {
      server.heartbeatMissingSinceNanos = sample.receivedNanos();
    }
    boolean isIncumbent = isIncumbent(index, sample);
    if (isIncumbent) {
      incumbentAnswered(server, sample);
    } else {
      creditReadOnlyIncumbent();
      server.errants.replicaHas(sample.executed(), sample.receivedNanos(), incumbentMayHave);
    }
    if (sample.replication() != null
        && incumbentUuid != null
        && incumbentUuid.equals(sample.replication().source())) {
      superseded.remove(sample.serverUuid());
    }
    elect(sample.receivedNanos());
    noticeSkew(server, sample);
    measureAll(sample.receivedNanos());
    if (index == incumbentIndex) {
      if (isIncumbent(index, sample)) {
        server.health.answeredAsPrimary();
      } else {
        server.health.answered(Long.MAX_VALUE);
      }
    } else {
      server.health.answered(staleness(server, sample.receivedNanos()));
    }
    if (server.health.health() == Health.FRESH) {
      server.uuidChanged = false;
    }
    publish();
  }

  /** A poll was not answered. */
  void failed(int index, long nowNanos, String problem) {
    Server server = servers[index];
    if (server.unreachableSinceNanos == UNKNOWN_NANOS) {
      server.unreachableSinceNanos =
          server.last == null ? server.neverAnsweredSinceNanos : nowNanos;
    }
    server.problem = problem;
    server.health.failed(problem);
    if (index == incumbentIndex) {
      uncredited = null;
      if (heartbeat != HeartbeatStatus.NOT_CONFIGURED) {
        heartbeat = HeartbeatStatus.UNKNOWN;
      }
    }
    elect(nowNanos);
    measureAll(nowNanos);
    publish();
  }

  /**
   * Somebody who waited on a server saw that it had executed this set.
   *
   * @param generation the server's generation when the one who waited connected to it
   * @return whether that was news
   */
  boolean learned(
      int index, long generation, UUID serverUuid, GtidSet executed, long receivedNanos) {
    Server server = servers[index];
    if (server.generation != generation
        || !server.isReachable()
        || !serverUuid.equals(server.uuid())
        || executed.equals(server.executed)
        || !executed.contains(server.executed)) {
      return false;
    }
    server.executed = executed;
    if (index != incumbentIndex) {
      server.errants.replicaHas(executed, receivedNanos, incumbentMayHave);
      measure(server, receivedNanos);
    }
    publish();
    return true;
  }

  private void noticeDisturbance(Server server, Sample sample) {
    Sample before = server.last;
    if (before == null) {
      return;
    }
    boolean isSame = before.serverUuid().equals(sample.serverUuid());
    boolean hasLost = !sample.executed().contains(before.executed());
    if (!isSame) {
      server.uuidChanged = true;
      server.errants.reset();
      server.disturbed(
          "another server (" + sample.serverUuid() + ") answers at its address than before");
    } else if (sample.restarted()) {
      server.disturbed("it was restarted");
    } else if (hasLost) {
      server.disturbed(
          "it has lost transactions: " + before.executed().subtract(sample.executed()).describe());
    } else if (isAttachedAnew(before.replication(), sample.replication())) {
      server.disturbed("it was attached to a source anew");
    }
    if (isSame && hasLost && isIncumbent(server.index, sample)) {
      forgetThePast();
    }
  }

  /**
   * The primary has forgotten transactions, so what replicas were proved to hold is not the past of
   * what it holds now.
   */
  private void forgetThePast() {
    timeline.clear();
    uncredited = null;
    for (Server other : servers) {
      if (other.index != incumbentIndex) {
        other.errants.reset();
        other.disturbed("the primary has lost transactions");
      }
    }
  }

  private static boolean isAttachedAnew(
      Sample.@Nullable Replication before, Sample.@Nullable Replication after) {
    if (before == null || after == null || after.isDetached()) {
      return false;
    }
    return before.isDetached()
        || (before.source() != null
            && after.source() != null
            && !before.source().equals(after.source()));
  }

  private boolean isIncumbent(int index, Sample sample) {
    return index == incumbentIndex
        && (incumbentUuid == null || incumbentUuid.equals(sample.serverUuid()));
  }

  private void incumbentAnswered(Server server, Sample sample) {
    incumbentUuid = sample.serverUuid();
    incumbentExecuted = sample.executed();
    GtidSet owned = sample.owned();
    incumbentMayHave = owned == null ? sample.executed() : sample.executed().union(owned);
    incumbentSample = sample;
    primaryClock =
        primaryClock == null
            ? PrimaryClock.first(
                sample.serverUuid(),
                sample.sentNanos(),
                sample.receivedNanos(),
                sample.clockMicros())
            : primaryClock.read(
                sample.serverUuid(),
                sample.sentNanos(),
                sample.receivedNanos(),
                sample.clockMicros());
    server.freshAsOfNanos = sample.sentNanos();
    if (owned == null) {
      uncredited = null;
    } else if (sample.gtidsOn()) {
      Timeline.Mark mark =
          new Timeline.Mark(
              sample.sentNanos(),
              sample.clockMicros(),
              sample.heartbeat().isSeen() ? sample.heartbeat().earliestMicros() : UNKNOWN_NANOS,
              committing.visible(sample.executed(), owned, sample.sentNanos()));
      if (!sample.readOnly()) {
        uncredited = null;
        timeline.add(mark);
      } else {
        // While the primary takes no writes, another server may already take them. Its set counts
        // only
        // once every other server was seen read-only after it was read.
        if (uncredited == null) {
          uncredited = mark;
        }
        creditReadOnlyIncumbent();
      }
    } else {
      // Without GTIDs the primary commits what no set shows; then no set proves anything.
      timeline.clear();
      uncredited = null;
    }
    for (Server other : servers) {
      if (other != server) {
        other.errants.primaryHas(incumbentMayHave, sample.sentNanos());
      }
    }
    heartbeat = heartbeatStatus(sample);
  }

  private void creditReadOnlyIncumbent() {
    Timeline.Mark mark = uncredited;
    if (mark == null) {
      return;
    }
    for (Server other : servers) {
      if (other.index == incumbentIndex) {
        continue;
      }
      Sample sample = other.last;
      if (sample == null || !other.isReachable() || sample.sentNanos() - mark.sentNanos() < 0) {
        return;
      }
      if (!sample.readOnly()) {
        uncredited = null;
        return;
      }
    }
    uncredited = null;
    timeline.add(mark);
  }

  private void elect(long nowNanos) {
    List<PrimaryElection.Candidate> candidates = new ArrayList<>(servers.length);
    for (Server server : servers) {
      candidates.add(candidate(server, nowNanos));
    }
    decision =
        PrimaryElection.decide(
            candidates,
            new PrimaryElection.Incumbent(incumbentIndex, incumbentUuid, incumbentExecuted),
            superseded,
            settings.takeOverAfter());
    PrimaryElection.Candidate successor = decision.successor();
    if (successor != null) {
      enthrone(servers[successor.index()]);
    }
  }

  private static PrimaryElection.Candidate candidate(Server server, long nowNanos) {
    Sample last = server.last;
    Sample.Replication replication = last == null ? null : last.replication();
    return new PrimaryElection.Candidate(
        server.index,
        server.name,
        server.isReachable(),
        server.unreachableNanos(nowNanos),
        server.uuid(),
        last == null || last.readOnly(),
        last != null && last.isKnownToBeDetached(),
        replication == null || !replication.receiving() ? null : replication.source(),
        server.executed,
        !server.errants.errant().isEmpty());
  }

  private void enthrone(Server successor) {
    Server former = servers[incumbentIndex];
    UUID formerUuid = incumbentUuid;
    Sample sample = Objects.requireNonNull(successor.last, "a successor has answered");
    if (formerUuid != null && !formerUuid.equals(sample.serverUuid())) {
      superseded.add(formerUuid);
    }
    superseded.remove(sample.serverUuid());
    incumbentIndex = successor.index;
    incumbentUuid = null;
    committing = new Committing();
    uncredited = null;
    heartbeatWatchedSinceNanos = UNKNOWN_NANOS;
    epoch++;
    // Ages proved so far stay proved: they end before the former primary was last seen to take
    // writes.
    timeline.clear();
    for (Server server : servers) {
      server.errants.reset();
    }
    if (former != successor) {
      former.disturbed("it is no longer the primary");
    }
    successor.generation++;
    successor.undisturbedSinceNanos = sample.receivedNanos();
    incumbentAnswered(successor, sample);
    successor.health.answeredAsPrimary();
    successor.uuidChanged = false;
  }

  private HeartbeatStatus heartbeatStatus(Sample sample) {
    if (settings.heartbeatTable().kind() == HeartbeatTable.Kind.NONE) {
      return HeartbeatStatus.NOT_CONFIGURED;
    }
    if (sample.readOnly()) {
      // Nobody can write it there, and nobody should.
      heartbeatWatchedSinceNanos = UNKNOWN_NANOS;
      return HeartbeatStatus.UNKNOWN;
    }
    long limitNanos =
        3 * Math.max(SHORTEST_WRITER_SILENCE_NANOS, settings.heartbeatInterval().toNanos());
    Sample.Heartbeat now = sample.heartbeat();
    boolean isFirst = heartbeatWatchedSinceNanos == UNKNOWN_NANOS;
    if (isFirst || !now.equals(heartbeatWatched)) {
      // That the row changes is the sign of life; what it says depends on a clock that may be set.
      boolean livesByItsClock =
          now.isSeen()
              && sample.clockMicros() - now.latestMicros()
                  <= TimeUnit.NANOSECONDS.toMicros(limitNanos);
      heartbeatIsAlive =
          now.isSeen() && ((!isFirst && heartbeatWatched.isSeen()) || livesByItsClock);
      heartbeatWatched = now;
      heartbeatWatchedSinceNanos = sample.sentNanos();
    }
    if (sample.sentNanos() - heartbeatWatchedSinceNanos > limitNanos) {
      return HeartbeatStatus.WRITER_DOWN;
    }
    // A writer that has just been started, or has just followed the primary, gets its time.
    return heartbeatIsAlive ? HeartbeatStatus.RUNNING : HeartbeatStatus.UNKNOWN;
  }

  private void noticeSkew(Server server, Sample sample) {
    Sample reference = incumbentSample;
    if (server.index == incumbentIndex || reference == null) {
      server.clockSkewed = false;
      return;
    }
    long elapsedNanos = middle(sample) - middle(reference);
    long clockNanos = TimeUnit.MICROSECONDS.toNanos(sample.clockMicros() - reference.clockMicros());
    long skew = Math.abs(clockNanos - elapsedNanos);
    long uncertainty = (roundTrip(sample) + roundTrip(reference)) / 2;
    server.clockSkewed = skew - uncertainty > (server.clockSkewed ? SKEW_NANOS / 2 : SKEW_NANOS);
  }

  private static long roundTrip(Sample sample) {
    return sample.receivedNanos() - sample.sentNanos();
  }

  private static long middle(Sample sample) {
    return sample.sentNanos() + roundTrip(sample) / 2;
  }

  private void measureAll(long nowNanos) {
    for (Server server : servers) {
      if (server.index != incumbentIndex) {
        measure(server, nowNanos);
      }
    }
  }

  /** What is proved stays proved, so the moment only ever moves forward within a generation. */
  private void measure(Server server, long nowNanos) {
    Sample sample = server.last;
    if (sample != null && sample.gtidsOn() && server.isReachable()) {
      long heartbeatMicros =
          sample.heartbeat().isSeen() && sample.commitOrderKept()
              ? sample.heartbeat().earliestMicros()
              : UNKNOWN_NANOS;
      server.freshAsOfNanos =
          Timeline.later(
              server.freshAsOfNanos,
              timeline.freshAsOf(server.executed, heartbeatMicros, sample.receivedNanos()));
    }
    server.health.aged(staleness(server, nowNanos));
  }

  private static long staleness(Server server, long nowNanos) {
    return server.freshAsOfNanos == UNKNOWN_NANOS
        ? Long.MAX_VALUE
        : Math.max(0, nowNanos - server.freshAsOfNanos);
  }

  private void publish() {
    state = buildState(state.version() + 1);
  }

  private ClusterState buildState(long version) {
    List<ServerState> states = new ArrayList<>(servers.length);
    for (Server server : servers) {
      states.add(stateOf(server));
    }
    return ClusterState.of(
            new ClusterId(clusterName, epoch),
            states,
            decision.primaryIndex(),
            decision.explanation(),
            heartbeat,
            version)
        .withPrimaryClock(primaryClock);
  }

  private ServerState stateOf(Server server) {
    Sample last = server.last;
    return ServerState.builder(server.name, server.index)
        .health(server.health.health())
        .findings(findings(server))
        .refused(settings.refuse())
        .serverUuid(server.uuid())
        .executed(server.executed)
        .mayHave(server.index == incumbentIndex ? incumbentMayHave : server.executed)
        .readOnly(last == null || last.readOnly())
        .superReadOnly(last != null && last.superReadOnly())
        .freshAsOfNanos(server.freshAsOfNanos)
        .sampledAtNanos(last == null ? UNKNOWN_NANOS : last.sentNanos())
        .generation(server.generation)
        .undisturbedSinceNanos(server.undisturbedSinceNanos)
        .problem(server.problem)
        .build();
  }

  private Set<Finding> findings(Server server) {
    Set<Finding> findings = EnumSet.noneOf(Finding.class);
    Sample last = server.last;
    if (last == null) {
      return findings;
    }
    if (server.uuidChanged) {
      findings.add(Finding.UUID_CHANGED);
    }
    if (!last.gtidsOn()) {
      findings.add(Finding.GTIDS_OFF);
    }
    if (server.heartbeatMissingSinceNanos != UNKNOWN_NANOS
        && last.receivedNanos() - server.heartbeatMissingSinceNanos >= HEARTBEAT_GRACE_NANOS) {
      findings.add(Finding.HEARTBEAT_MISSING);
    }
    for (Server other : servers) {
      if (other != server && other.isReachable() && last.serverUuid().equals(other.uuid())) {
        findings.add(Finding.SAME_SERVER_TWICE);
      }
    }
    if (last.replication() == null) {
      findings.add(Finding.REPLICATION_UNREADABLE);
    }
    if (server.index != incumbentIndex) {
      addReplicaFindings(findings, server, last);
    }
    return findings;
  }

  private static void addReplicaFindings(Set<Finding> findings, Server server, Sample last) {
    Sample.Replication replication = last.replication();
    if (replication != null && replication.isDetached()) {
      findings.add(Finding.DETACHED);
    } else if (replication != null) {
      if (!replication.receiving()) {
        findings.add(Finding.RECEIVER_STOPPED);
      }
      if (!replication.applying()) {
        findings.add(Finding.APPLIER_STOPPED);
      }
      if (!last.commitOrderKept()) {
        findings.add(Finding.COMMIT_ORDER_NOT_KEPT);
      }
    }
    if (!server.errants.errant().isEmpty()) {
      findings.add(Finding.ERRANT_TRANSACTIONS);
    }
    if (!last.superReadOnly()) {
      findings.add(Finding.WRITABLE);
    }
    if (server.clockSkewed) {
      findings.add(Finding.CLOCK_SKEWED);
    }
  }
}
