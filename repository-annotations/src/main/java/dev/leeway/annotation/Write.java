package dev.leeway.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * This method changes data, or reads in order to change it, so everything it does goes to the
 * primary.
 *
 * <p>On a type it is the default for every method of that type. Which annotation counts when
 * several could is told at {@link IntentAnnotations}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Write {
  /**
   * The kind of entities this method writes, such as {@code "audit"}, if it writes no others: reads
   * that name another kind are then not held up by it. Where a transaction runs several methods,
   * all of them have to name theirs.
   *
   * <p>Empty, the default: any, so that every read of the caller counts with it.
   */
  String entity() default "";
}
