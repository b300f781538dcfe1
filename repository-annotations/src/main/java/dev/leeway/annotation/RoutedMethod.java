package dev.leeway.annotation;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A repository method and what it declares.
 *
 * <p>Two are equal if they describe the same method and say the same. The hash is computed once, so
 * a map with these as keys is quick. Immutable and safe to share.
 */
public final class RoutedMethod {
  private static final Pattern REPOSITORY = Pattern.compile("[^\\s\\p{Cntrl}#(),]+");
  private static final Pattern SIGNATURE =
      Pattern.compile("[^\\s\\p{Cntrl}#(),]+\\([^\\s\\p{Cntrl}#()]*\\)");

  private final String repository;
  private final String signature;
  private final IntentKind kind;
  private final Optional<Duration> maxStaleness;
  private final Fallback fallback;
  private final Optional<Duration> catchUp;
  private final String because;
  private final String entity;
  private final int hash;

  private RoutedMethod(
      String repository,
      String signature,
      IntentKind kind,
      Optional<Duration> maxStaleness,
      Fallback fallback,
      Optional<Duration> catchUp,
      String because,
      String entity) {
    this.repository =
        matching(REPOSITORY, repository, "repository", "a class name, such as com.acme.Orders");
    this.signature =
        matching(SIGNATURE, signature, "signature", "erased, such as find(long,java.lang.String)");
    this.kind = kind;
    this.maxStaleness = maxStaleness;
    this.fallback = fallback;
    this.catchUp = catchUp;
    this.because = because;
    this.entity = entity;
    this.hash =
        Objects.hash(repository, signature, kind, maxStaleness, fallback, catchUp, because, entity);
  }

  /**
   * A method that says {@link ReadReplica}.
   *
   * @param repository the binary name of the type the method is called on, as {@link
   *     Class#getName()} gives it
   * @param signature name and erased parameter types, as {@link #signature()} tells
   * @param maxStaleness as {@link ReadReplica#maxStaleness()}; empty for no bound of its own
   * @param catchUp as {@link ReadReplica#catchUp()}; empty for the configured wait
   * @throws IllegalArgumentException if a duration cannot be read; the message names the method
   */
  public static RoutedMethod readReplica(
      String repository, String signature, String maxStaleness, Fallback fallback, String catchUp) {
    String method = repository + '#' + signature;
    return new RoutedMethod(
        repository,
        signature,
        IntentKind.READ_REPLICA,
        duration(method, "maxStaleness", maxStaleness),
        Objects.requireNonNull(fallback, "fallback"),
        duration(method, "catchUp", catchUp),
        "",
        "");
  }

  /**
   * A method that says {@link ReadPrimary}; names as in {@link #readReplica}.
   *
   * @throws IllegalArgumentException if the reason is blank; the message names the method
   */
  public static RoutedMethod readPrimary(String repository, String signature, String because) {
    if (because.isBlank()) {
      throw new IllegalArgumentException(
          repository
              + '#'
              + signature
              + " - @ReadPrimary because: \"\" (expected: why a replica will not do, in a sentence)");
    }
    return of(repository, signature, IntentKind.READ_PRIMARY, because);
  }

  /** A method that says {@link Write}; names as in {@link #readReplica}. */
  public static RoutedMethod write(String repository, String signature) {
    return of(repository, signature, IntentKind.WRITE, "");
  }

  /** A method that says nothing; names as in {@link #readReplica}. */
  public static RoutedMethod undeclared(String repository, String signature) {
    return of(repository, signature, IntentKind.UNDECLARED, "");
  }

  private static RoutedMethod of(
      String repository, String signature, IntentKind kind, String because) {
    return new RoutedMethod(
        repository,
        signature,
        kind,
        Optional.empty(),
        Fallback.PRIMARY,
        Optional.empty(),
        because,
        "");
  }

  /**
   * The same method, which concerns entities of one kind.
   *
   * @param newEntity as {@link ReadReplica#entity()} and {@link Write#entity()}; empty for any
   */
  public RoutedMethod about(String newEntity) {
    return new RoutedMethod(
        repository, signature, kind, maxStaleness, fallback, catchUp, because, newEntity.strip());
  }

  /** The binary name of the type the method is called on, such as {@code com.acme.Orders}. */
  public String repository() {
    return repository;
  }

  /**
   * Name and erased parameter types, such as {@code find(long,java.lang.String[])}: unique within
   * the repository, whatever its overloads.
   */
  public String signature() {
    return signature;
  }

  /** Repository without its package, and method name: {@code Orders.find}. Short, not unique. */
  public String shortName() {
    return repository.substring(repository.lastIndexOf('.') + 1)
        + '.'
        + signature.substring(0, signature.indexOf('('));
  }

  public IntentKind kind() {
    return kind;
  }

  /** The staleness this read can bear. Empty: no bound of its own, or not a replica read. */
  public Optional<Duration> maxStaleness() {
    return maxStaleness;
  }

  /**
   * What happens when no replica is fresh enough. {@link Fallback#PRIMARY} if not a replica read.
   */
  public Fallback fallback() {
    return fallback;
  }

  /** How long to wait for a replica. Empty: as configured, or not a replica read. */
  public Optional<Duration> catchUp() {
    return catchUp;
  }

  /** The reason of a {@link ReadPrimary}; empty text for everything else. */
  public String because() {
    return because;
  }

  /**
   * The kind of entities that it reads or writes; empty if it may be any. Not in the inventory,
   * which lists where reads go.
   */
  public String entity() {
    return entity;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (this == other) {
      return true;
    }
    return other instanceof RoutedMethod that
        && hash == that.hash
        && kind == that.kind
        && fallback == that.fallback
        && repository.equals(that.repository)
        && signature.equals(that.signature)
        && maxStaleness.equals(that.maxStaleness)
        && catchUp.equals(that.catchUp)
        && because.equals(that.because)
        && entity.equals(that.entity);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** One line, as in the inventory. */
  @Override
  public String toString() {
    return RouteLine.print(this);
  }

  private static Optional<Duration> duration(String method, String attribute, String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(DurationText.parse(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          method + " - @ReadReplica " + attribute + ", " + e.getMessage(), e);
    }
  }

  private static String matching(Pattern form, String text, String what, String expected) {
    if (!form.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "routed method - " + what + ": \"" + text + "\" (expected: " + expected + ")");
    }
    return text;
  }
}
