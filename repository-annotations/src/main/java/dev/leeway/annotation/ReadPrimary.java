package dev.leeway.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * This read must see the newest committed data, so the primary answers it.
 *
 * <p>On a type it is the default for every method of that type. Which annotation counts when
 * several could is told at {@link IntentAnnotations}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface ReadPrimary {
  /**
   * Why a replica will not do, in a sentence for the person who reviews it. Not blank. It is
   * printed in the inventory and in the file that acknowledges primary reads.
   */
  String because();
}
