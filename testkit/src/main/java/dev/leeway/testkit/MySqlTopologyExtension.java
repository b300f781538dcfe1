package dev.leeway.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** What {@link MySqlTopology} does. Uses only what JUnit 5 and JUnit 6 have in common. */
final class MySqlTopologyExtension
    implements ParameterResolver, BeforeTestExecutionCallback, AfterEachCallback, AfterAllCallback {

  private static final Namespace NAMESPACE = Namespace.create(MySqlTopologyExtension.class);
  private static final Pattern DELAY = Pattern.compile("(\\d{1,6})\\s*(s|m|h)");
  private static final Duration CAUGHT_UP_BOUND = Duration.ofSeconds(30);

  /** The schemas handed out in one test, or in one class outside of its tests. */
  private static final class Schemas {
    private final List<TestSchema> schemas = new ArrayList<>();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == MySqlCluster.class || type == MySqlServer.class || type == TestSchema.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    MySqlCluster cluster = cluster(topology(context));
    if (type == MySqlCluster.class) {
      return cluster;
    }
    if (type == TestSchema.class) {
      TestSchema schema = cluster.newSchema();
      schemas(context).schemas.add(schema);
      return schema;
    }
    Server server =
        parameter
            .findAnnotation(Server.class)
            .orElseThrow(
                () ->
                    new ParameterResolutionException(
                        "testkit - parameter "
                            + parameter.getParameter().getName()
                            + " does not say which server it is (expected: @Server(\"primary\") or"
                            + " another name)"));
    return cluster.server(server.value());
  }

  @Override
  public void beforeTestExecution(ExtensionContext context) {
    MySqlTopology topology = topology(context);
    Duration delay = delay(topology.delay());
    if (!delay.isZero()) {
      MySqlCluster cluster = cluster(topology);
      cluster.awaitCaughtUp(CAUGHT_UP_BOUND);
      cluster.delay(delay);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    MySqlCluster cluster = cluster(topology(context));
    try {
      cluster.undoFaults();
      dropSchemas(context);
    } catch (ClusterException e) {
      // The next test must not pay for this one.
      cluster.close();
      throw e;
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    dropSchemas(context);
  }

  private static MySqlCluster cluster(MySqlTopology topology) {
    return MySqlCluster.shared(
        topology.replicas(), List.of(topology.options()), topology.settableClocks());
  }

  /** The nearest annotation: the method's, the class's, or that of a class around it. */
  private static MySqlTopology topology(ExtensionContext context) {
    Optional<MySqlTopology> found =
        AnnotationSupport.findAnnotation(context.getTestMethod(), MySqlTopology.class);
    Optional<Class<?>> type = context.getTestClass();
    while (found.isEmpty() && type.isPresent()) {
      found = AnnotationSupport.findAnnotation(type, MySqlTopology.class);
      type = type.map(Class::getEnclosingClass);
    }
    return found.orElseThrow(
        () ->
            new ParameterResolutionException(
                "testkit - "
                    + context.getDisplayName()
                    + " has no @MySqlTopology (expected: on the method or its class)"));
  }

  static Duration delay(String text) {
    if (text.isEmpty()) {
      return Duration.ZERO;
    }
    Matcher matcher = DELAY.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "testkit - @MySqlTopology delay: '"
              + text
              + "' (expected: a whole number of s, m or h, such as 10s)");
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      default -> Duration.ofHours(count);
    };
  }

  private static Schemas schemas(ExtensionContext context) {
    ExtensionContext.Store store = context.getStore(NAMESPACE);
    Object key = context.getUniqueId();
    Schemas schemas = store.get(key, Schemas.class);
    if (schemas == null) {
      schemas = new Schemas();
      store.put(key, schemas);
    }
    return schemas;
  }

  private static void dropSchemas(ExtensionContext context) {
    List<TestSchema> schemas = schemas(context).schemas;
    schemas.forEach(TestSchema::close);
    schemas.clear();
  }
}
