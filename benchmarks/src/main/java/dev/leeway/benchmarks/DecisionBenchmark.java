package dev.leeway.benchmarks;

import dev.leeway.gate.ClusterState;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.context.ScopeState;
import dev.leeway.routing.decide.Route;
import dev.leeway.routing.decide.Router;
import dev.leeway.routing.decide.Routes;
import dev.leeway.routing.decide.ServerLoad;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One routing decision; run with {@code -prof gc}. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecisionBenchmark {
  private final ClusterState state = Cluster.state();
  private final ReadIntent intent = ReadIntent.replica().maxStaleness(Duration.ofSeconds(5));
  private final Router router = router();
  private final ScopeState wroteNothing = new ScopeState(0, null);
  private final ScopeState wrote = scopeThatWrote();
  private final ScopeState pinned = pinnedScope();

  private static Router router() {
    ServerLoad[] loads = new ServerLoad[Cluster.SERVERS.size()];
    for (int i = 0; i < loads.length; i++) {
      loads[i] = new ServerLoad(1);
    }
    return new Router(new Routes(Cluster.SERVERS), loads, Set.of());
  }

  private static ScopeState scopeThatWrote() {
    ScopeState scope = new ScopeState(0, null);
    // Later than any replica is known to be fresh as of, so that the sets have to be compared.
    scope.wrote(Cluster.WRITTEN, System.nanoTime() + TimeUnit.HOURS.toNanos(2));
    return scope;
  }

  private ScopeState pinnedScope() {
    ScopeState scope = new ScopeState(0, null);
    scope.pin(1, state.server(1).generation(), Router.NOBODY);
    return scope;
  }

  private Route decide(ScopeState scope) {
    return router.decide(intent, true, scope, state, Router.NOBODY, System.nanoTime());
  }

  /** A scope that wrote nothing; the clock is read as in a real decision. */
  @Benchmark
  public Route withoutPosition() {
    return decide(wroteNothing);
  }

  /** A scope whose write the replicas are known to have. */
  @Benchmark
  public Route withPosition() {
    return decide(wrote);
  }

  /** A scope that stays on the replica that served it before. */
  @Benchmark
  public Route pinnedReplica() {
    return decide(pinned);
  }

  /** The clock alone, which is part of each figure above. */
  @Benchmark
  public long clock() {
    return System.nanoTime();
  }
}
