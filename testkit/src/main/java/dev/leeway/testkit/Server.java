package dev.leeway.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the server that a {@link MySqlServer} parameter stands for, in tests with {@link
 * MySqlTopology}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Server {

  /** {@code primary}, {@code replica-1} and so on. */
  String value();
}
