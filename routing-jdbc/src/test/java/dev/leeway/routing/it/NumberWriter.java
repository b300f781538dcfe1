package dev.leeway.routing.it;

import dev.leeway.routing.Leeway;
import dev.leeway.routing.LeewayBuilder;
import dev.leeway.routing.PoolSettings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that writes one number after the other until its input ends, and prints what came of
 * each. A process of its own because what a JVM makes of names is settled when it starts.
 */
final class NumberWriter {
  private NumberWriter() {}

  /**
   * Writes.
   *
   * @param args the first number; then name and URL of the primary, and of each replica
   */
  public static void main(String[] args) throws Exception {
    String user = System.getenv("NUMBER_WRITER_USER");
    String password = System.getenv("NUMBER_WRITER_PASSWORD");
    LeewayBuilder builder =
        Leeway.builder("writer")
            .monitoring(Servers.monitoring().writeHeartbeat(false).build())
            .pools(
                PoolSettings.defaults()
                    .maximum(2, 4)
                    .timeouts(Duration.ofSeconds(1), Duration.ofSeconds(1)))
            .writeHold(Duration.ofSeconds(1))
            .primary(args[1], args[2], user, password);
    for (int i = 3; i < args.length; i += 2) {
      builder.replica(args[i], args[i + 1], user, password);
    }
    try (Leeway leeway = builder.start()) {
      long number = Long.parseLong(args[0]);
      while (System.in.available() == 0) {
        number++;
        try {
          Sql.write(leeway, "INSERT INTO numbers VALUES (" + number + ")");
          System.out.println("wrote " + number + " on " + primary(leeway));
        } catch (SQLException e) {
          System.out.println("failed " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
        LockSupport.parkNanos(20_000_000);
      }
    }
  }

  private static String primary(Leeway leeway) {
    return leeway.lastDecision().orElseThrow().server();
  }
}
