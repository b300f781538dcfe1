package dev.leeway.benchmarks;

import dev.leeway.statement.AnalyzedStatement;
import dev.leeway.statement.StatementGuard;
import dev.leeway.statement.StatementKind;
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

/** What the statement guard costs per statement; run with {@code -prof gc}. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class StatementGuardBenchmark {
  private final StatementGuard guard = StatementGuard.create();

  /** A text that was seen before, as almost all are. */
  @Benchmark
  public AnalyzedStatement knownText() {
    return guard.lookup(PointRead.SQL);
  }

  /** A text that is read anew. */
  @Benchmark
  public StatementKind newText() {
    return guard.classify(PointRead.SQL);
  }
}
