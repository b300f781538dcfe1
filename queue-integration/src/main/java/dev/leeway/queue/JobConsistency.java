package dev.leeway.queue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says at a job's handler what {@link Consistency} says in code.
 *
 * <p>What is given in code where the handler is registered counts before the annotation.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface JobConsistency {
  /** What is done about replicas that lack the dispatcher's writes. */
  Consistency.Kind value();

  /** How long a job waits at most, such as {@code 400ms}; without meaning for the primary. */
  String maxWait() default "1s";

  /** How often a job is put back at most; of meaning for {@link Consistency.Kind#DELAYED} alone. */
  int attempts() default 3;
}
