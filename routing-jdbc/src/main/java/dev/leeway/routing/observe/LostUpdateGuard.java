package dev.leeway.routing.observe;

import dev.leeway.routing.LostUpdate;
import dev.leeway.routing.ReadIntent;
import dev.leeway.routing.context.ScopeState;
import dev.leeway.routing.decide.Route;
import dev.leeway.statement.AnalyzedStatement;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns when a scope writes a table that it has last read from a replica.
 *
 * <p>The first time for each pair of methods it logs; every time it counts. A read of the table on
 * the primary in between takes the warning back: from then on the scope has seen what it changes.
 * Statements outside any scope are not compared, for nothing says that they belong together.
 *
 * <p>Safe for any number of threads. Keeps at most {@link #MAX_KNOWN} different findings, and for
 * each scope the last {@link ScopeReads#CAPACITY} statements.
 */
public final class LostUpdateGuard {
  static final int MAX_KNOWN = 256;

  private static final Logger log = LoggerFactory.getLogger(LostUpdateGuard.class);

  private final String cluster;
  private final Consumer<LostUpdate> counter;

  private final Set<LostUpdate> known = ConcurrentHashMap.newKeySet();
  private final Queue<LostUpdate> inOrder = new ConcurrentLinkedQueue<>();

  /**
   * A guard without findings.
   *
   * @param counter told of every finding, also of repeated ones
   */
  public LostUpdateGuard(String cluster, Consumer<LostUpdate> counter) {
    this.cluster = cluster;
    this.counter = counter;
  }

  /** A statement is about to run. */
  void onStatement(
      @Nullable ScopeState scope, ReadIntent intent, Route route, AnalyzedStatement statement) {
    if (scope == null) {
      return;
    }
    ScopeReads reads = (ScopeReads) scope.recorderSlot;
    if (route.toReplica()) {
      if (reads == null) {
        reads = firstReads(scope);
      }
      reads.saw(statement, intent, true);
    } else if (reads != null) {
      Set<String> written = statement.tablesWritten();
      if (!written.isEmpty()) {
        for (String table : written) {
          check(reads, table, intent);
        }
      }
      // From here on the scope has seen, or made, what the primary holds.
      reads.saw(statement, intent, false);
    }
  }

  private static ScopeReads firstReads(ScopeState scope) {
    synchronized (scope) {
      ScopeReads reads = (ScopeReads) scope.recorderSlot;
      if (reads == null) {
        reads = new ScopeReads();
        scope.recorderSlot = reads;
      }
      return reads;
    }
  }

  private void check(ScopeReads reads, String table, ReadIntent writer) {
    ReadIntent reader = reads.lastReadOnReplica(table);
    if (reader == null) {
      return;
    }
    LostUpdate found = new LostUpdate(table, reader.label(), writer.label());
    counter.accept(found);
    if (known.size() < MAX_KNOWN && known.add(found)) {
      inOrder.add(found);
      log.warn(
          "{} - lost update possible: {} read table {} from a replica and {} writes it in the same"
              + " scope (expected: what will be written is read from the primary). Read it with"
              + " @ReadPrimary, or let the write name the version it expects. Said once for these two"
              + " methods and this table.",
          cluster,
          found.readBy(),
          found.table(),
          found.writtenBy());
    }
  }

  /**
   * Every different finding since the start, oldest first, no more than the first {@link
   * #MAX_KNOWN}.
   */
  public List<LostUpdate> found() {
    return List.copyOf(inOrder);
  }
}
