package dev.leeway.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Runs a JUnit test, or every test of a class, against a real primary with replicas.
 *
 * <p>The cluster is shared by all tests of this JVM that ask for the same one; it is started by the
 * first and ended with the JVM. Parameters of these types are injected, into test methods, their
 * callbacks, and constructors:
 *
 * <ul>
 *   <li>{@link MySqlCluster}: the cluster
 *   <li>{@link MySqlServer} with {@link Server}: the server of that name
 *   <li>{@link TestSchema}: an empty schema, dropped after the test, or after the class when it was
 *       injected into a constructor or a callback that runs once
 * </ul>
 *
 * <p>After each test all faults are undone, and the test fails if the cluster is not healthy again
 * within 30 seconds; the next test then gets another cluster.
 *
 * <p>On a method it replaces what the class says. Tests with this annotation never run at the same
 * time as each other, even where JUnit runs tests in parallel, because a fault concerns the whole
 * cluster.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(MySqlTopologyExtension.class)
@ResourceLock("dev.leeway.testkit.MySqlTopology")
public @interface MySqlTopology {

  /** How many replicas follow the primary, 0 to 8. */
  int replicas() default 2;

  /**
   * How far the replicas stay behind while the test itself runs: a whole number of {@code s},
   * {@code m} or {@code h}, such as {@code 10s}; empty for not at all.
   *
   * <p>What {@code @BeforeEach} methods have written is on all replicas before the delay begins.
   */
  String delay() default "";

  /** Options of mysqld for every server, such as {@code --max-connections=800}. */
  String[] options() default {};

  /** Whether {@link MySqlServer#skewClock} shall need no restart. */
  boolean settableClocks() default false;
}
