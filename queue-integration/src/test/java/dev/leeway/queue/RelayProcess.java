package dev.leeway.queue;

import dev.leeway.gate.MonitorSettings;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.LeewayBuilder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * A relay in a process of its own, to be killed. Writes the headers and the payload of each job it
 * sends as a line of a file.
 *
 * <p>Arguments: the file, user, password, schema's URLs of primary and replicas.
 */
public final class RelayProcess {
  private RelayProcess() {}

  /** Runs until it is killed. */
  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0]);
    LeewayBuilder builder =
        Leeway.builder("histories")
            .monitoring(MonitorSettings.builder().createHeartbeatTable(true).build())
            .primary("primary", arguments[3], arguments[1], arguments[2]);
    for (int i = 4; i < arguments.length; i++) {
      builder.replica("replica-" + (i - 3), arguments[i], arguments[1], arguments[2]);
    }
    try (Leeway leeway = builder.start()) {
      JobCarrier carrier =
          job -> {
            try {
              Files.writeString(
                  file,
                  line(job),
                  StandardCharsets.UTF_8,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.APPEND);
              return CompletableFuture.completedFuture(null);
            } catch (java.io.IOException e) {
              return CompletableFuture.failedFuture(e);
            }
          };
      try (OutboxRelay relay =
          OutboxRelay.builder(Outbox.in(leeway, "leeway_outbox"), carrier)
              .interval(Duration.ofMillis(10))
              .start()) {
        System.out.println("relay " + relay.isElected());
        new CountDownLatch(1).await();
      }
    }
  }

  private static String line(SentJob job) {
    var headers = job.headers();
    return job.job().text()
        + "\t"
        + headers.get(SentJob.ID)
        + "\t"
        + headers.get(JobEnvelope.POSITION)
        + "\t"
        + headers.get(JobEnvelope.CONSISTENCY)
        + "\t"
        + headers.get(JobEnvelope.DISPATCHED_AT)
        + "\t"
        + headers.get(JobEnvelope.CLUSTER)
        + "\n";
  }
}
