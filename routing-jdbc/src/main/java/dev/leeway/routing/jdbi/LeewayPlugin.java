package dev.leeway.routing.jdbi;

import dev.leeway.annotation.IntentBoundary;
import dev.leeway.routing.Leeway;
import java.util.Objects;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.extension.Extensions;
import org.jdbi.v3.core.spi.JdbiPlugin;

/**
 * Runs the methods of SqlObject interfaces inside the intents they declare: queries and updates as
 * well as default methods, for objects made by {@code onDemand} as well as by {@code attach}.
 *
 * <p>A type of which neither a method nor the type itself declares an intent is left alone and runs
 * inside whatever intent the calling code has entered. In a type that declares any, a method that
 * declares none reads the primary.
 *
 * <p>Attaching a type fails if a method that declares an intent returns a {@code ResultIterable}:
 * its query would run after the method has returned. Install once per {@code Jdbi}, of version 3.50
 * or later.
 */
public final class LeewayPlugin implements JdbiPlugin {
  private static final String SINCE_3_50 = "org.jdbi.v3.core.extension.AttachedExtensionHandler";

  private final IntentBoundary boundary;

  /** A plugin for a {@code Jdbi} that works on the data source of {@code leeway}. */
  public LeewayPlugin(Leeway leeway) {
    this(leeway.intentBoundary());
  }

  LeewayPlugin(IntentBoundary boundary) {
    this.boundary = Objects.requireNonNull(boundary, "boundary");
  }

  /**
   * Called by {@code Jdbi}.
   *
   * @throws IllegalStateException if this Jdbi is older than 3.50
   */
  @Override
  public void customizeJdbi(Jdbi jdbi) {
    try {
      Class.forName(SINCE_3_50, false, Jdbi.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "LeewayPlugin - this Jdbi lacks "
              + SINCE_3_50
              + " (expected: jdbi3-core 3.50.0 or later). Raise its version.",
          e);
    }
    jdbi.getConfig(Extensions.class).registerHandlerCustomizer(new IntentCustomizer(boundary));
  }
}
