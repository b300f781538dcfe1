package dev.leeway.cli;

import dev.leeway.cli.config.ConfigurationException;
import dev.leeway.cli.drill.DrillSetupException;
import dev.leeway.routing.LeewayStartException;
import dev.leeway.testkit.ClusterException;
import dev.leeway.testkit.drill.DrillRefusedException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a user is told about an exception, and the exit code it means. */
final class Failures {
  private static final int ACCESS_DENIED = 1045;

  private Failures() {}

  static int exitCode(Throwable e) {
    if (e instanceof CommandException failed) {
      return failed.exitCode();
    }
    if (e instanceof ConfigurationException || e instanceof DrillRefusedException) {
      return ExitCode.USAGE;
    }
    if (e instanceof ClusterException) {
      return ExitCode.ENVIRONMENT;
    }
    if (isAbsence(e)) {
      return ExitCode.ENVIRONMENT;
    }
    if (e instanceof LeewayStartException
        || e instanceof DrillSetupException
        || e instanceof SQLException) {
      return ExitCode.USAGE;
    }
    return ExitCode.DEFECT;
  }

  static String describe(Throwable e) {
    return switch (exitCode(e)) {
      case ExitCode.DEFECT ->
          "unexpected: %s: %s. Run again with --verbose and report it."
              .formatted(e.getClass().getSimpleName(), firstLine(e));
      default -> e instanceof SQLException ? firstLine(e) : String.valueOf(e.getMessage());
    };
  }

  /** Something is not there or does not happen, unlike a server that is there and says no. */
  private static boolean isAbsence(Throwable e) {
    for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ClusterException) {
        return true;
      }
      if (cause instanceof SQLException sql) {
        return sql.getErrorCode() != ACCESS_DENIED
            && sql.getSQLState() != null
            && sql.getSQLState().startsWith("08");
      }
    }
    return false;
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
