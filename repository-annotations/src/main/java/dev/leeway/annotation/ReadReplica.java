package dev.leeway.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * This read may be answered by a replica.
 *
 * <p>On a type it is the default for every method of that type. Which annotation counts when
 * several could is told at {@link IntentAnnotations}. Inside a read-write transaction it changes
 * nothing: that transaction lives on the primary.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface ReadReplica {
  /**
   * The age of the data this read can bear, such as {@code "400ms"} or {@code "5s"}, in the form
   * {@link DurationText} reads. Zero or more.
   *
   * <p>Empty, the default: any age up to the configured limit at which a replica is ejected.
   */
  String maxStaleness() default "";

  /** What happens when no replica is fresh enough. */
  Fallback fallback() default Fallback.PRIMARY;

  /**
   * How long this read may wait for a replica to reach what the caller has already written or seen,
   * before the {@link #fallback} applies, in the form {@link DurationText} reads. {@code "0s"}
   * never waits.
   *
   * <p>Empty, the default: as configured for the data source.
   */
  String catchUp() default "";

  /**
   * The kind of entities this read looks at, such as {@code "order"}, if it looks at no others: it
   * is then not held up by what the caller has just written to other kinds, as far as those writes
   * name theirs.
   *
   * <p>Empty, the default: any, so that everything the caller wrote counts.
   */
  String entity() default "";
}
