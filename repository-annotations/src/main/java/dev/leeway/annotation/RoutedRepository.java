package dev.leeway.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Every public method of this type declares an intent.
 *
 * <p>Checked at compile time: with {@code -Aleeway.strict} a public method that declares none is an
 * error. For a class that can be extended, the compiler also writes a subclass, {@code
 * <Name>_Routed}, that runs each method inside its intent. At run time this annotation is not
 * needed: {@link ReadReplica}, {@link ReadPrimary} and {@link Write} mean the same without it, and
 * a method that declares nothing reads the primary.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RoutedRepository {}
