package dev.leeway.statement;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Tells from a SQL text alone whether a replica may be given it.
 *
 * <p>Only what is positively recognised as a plain read may use a replica: every verb, function and
 * word that is not known makes the text something else. The rules are those of MySQL 8.0 to 9.7.
 *
 * <p>What a text cannot show is not seen: a view that calls a writing function, a stored function
 * that has a built-in one's name, and a session whose {@code sql_mode} differs from what the guard
 * was told. A replica that is {@code super_read_only} refuses the writes among these. Nor is it
 * seen that a name without a schema means a temporary table or, in a session that uses such a
 * schema, a table of {@code performance_schema}.
 *
 * <p>Immutable as far as a caller can tell, and safe for any number of threads.
 */
public final class StatementGuard {
  /** Longer texts are read anew each time, so that the cache holds at most 16 MiB of them. */
  static final int LONGEST_CACHED = 8192;

  private static final int CACHE_SLOTS = 1024;
  private static final int READERS = 8;

  private final boolean ansiQuotes;
  private final boolean backslashEscapes;
  private final ReadOnlyFunctions readOnlyFunctions;

  /**
   * Entries are immutable and each is read whole, so that a race between two threads costs at most
   * one more analysis.
   */
  private final @Nullable AnalyzedStatement[] cache = new @Nullable AnalyzedStatement[CACHE_SLOTS];

  /**
   * Readers at rest; a thread takes one out while it reads, and makes a new one if none is there.
   */
  private final AtomicReferenceArray<@Nullable StatementReader> readers =
      new AtomicReferenceArray<>(READERS);

  private StatementGuard(Builder builder) {
    ansiQuotes = builder.ansiQuotes;
    backslashEscapes = !builder.noBackslashEscapes;
    readOnlyFunctions = builder.readOnlyFunctions;
  }

  /** A guard for MySQL's default {@code sql_mode} that trusts built-in functions only. */
  public static StatementGuard create() {
    return builder().build();
  }

  /** Begins a guard with other rules than the default ones. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * What the text does. Reads it once, in time proportional to its length, and allocates nothing
   * once as many readers exist as threads use the guard at a time.
   */
  public StatementKind classify(String sql) {
    Objects.requireNonNull(sql, "sql");
    int slot = slotOfThread();
    StatementReader reader = take(slot);
    StatementKind kind = reader.read(sql, null).kind;
    readers.lazySet(slot, reader);
    return kind;
  }

  /** What the text does, and which tables it names; always read anew. */
  public AnalyzedStatement analyze(String sql) {
    Objects.requireNonNull(sql, "sql");
    int slot = slotOfThread();
    StatementReader reader = take(slot);
    TableNames tables = new TableNames();
    Finding finding = reader.read(sql, tables);
    AnalyzedStatement analyzed = new AnalyzedStatement(sql, finding, reader.statements(), tables);
    readers.lazySet(slot, reader);
    return analyzed;
  }

  /**
   * Like {@link #analyze}, from a table of the last texts seen if it is there, which costs a few
   * nanoseconds and no allocation.
   *
   * <p>The table has 1024 places, each for the last of the texts that share it, and keeps no text
   * longer than 8192 characters.
   */
  public AnalyzedStatement lookup(String sql) {
    if (sql.length() > LONGEST_CACHED) {
      return analyze(sql);
    }
    int hash = sql.hashCode();
    int slot = (hash ^ (hash >>> 16)) & (CACHE_SLOTS - 1);
    AnalyzedStatement cached = cache[slot];
    if (cached != null && cached.sql().equals(sql)) {
      return cached;
    }
    AnalyzedStatement analyzed = analyze(sql);
    cache[slot] = analyzed;
    return analyzed;
  }

  private static int slotOfThread() {
    return System.identityHashCode(Thread.currentThread()) & (READERS - 1);
  }

  private StatementReader take(int slot) {
    StatementReader reader = readers.getAndSet(slot, null);
    return reader != null
        ? reader
        : new StatementReader(ansiQuotes, backslashEscapes, readOnlyFunctions);
  }

  /** Collects the rules of a {@link StatementGuard}. Not safe for several threads. */
  public static final class Builder {
    private boolean ansiQuotes;
    private boolean noBackslashEscapes;
    private ReadOnlyFunctions readOnlyFunctions = ReadOnlyFunctions.NONE;

    private Builder() {}

    /**
     * Stored or loadable functions that only read, which a plain read may therefore call. Default:
     * none.
     *
     * <p>{@code ro_total} is trusted in whatever schema, called with or without one; {@code
     * lw.ro_total} only where the call names the schema {@code lw}. Case does not matter.
     *
     * @throws IllegalArgumentException if a name is not of one of these two forms
     */
    public Builder declaredReadOnlyFunctions(Set<String> names) {
      readOnlyFunctions = ReadOnlyFunctions.of(names);
      return this;
    }

    /**
     * Whether the sessions run with {@code ANSI_QUOTES}, where double quotes enclose names.
     * Default: false.
     */
    public Builder ansiQuotes(boolean ansiQuotes) {
      this.ansiQuotes = ansiQuotes;
      return this;
    }

    /**
     * Whether the sessions run with {@code NO_BACKSLASH_ESCAPES}, where a backslash in a string is
     * a character like any other. Default: false.
     */
    public Builder noBackslashEscapes(boolean noBackslashEscapes) {
      this.noBackslashEscapes = noBackslashEscapes;
      return this;
    }

    /** Makes the guard. */
    public StatementGuard build() {
      return new StatementGuard(this);
    }
  }
}
