package dev.leeway.cli.drill;

import dev.leeway.cli.demo.Witness;

/** Remembers who answered this thread's last query. */
final class LastServer implements Witness.Listener {
  private final ThreadLocal<String> last = ThreadLocal.withInitial(() -> "");

  @Override
  public void served(String serverUuid, long nanos) {
    last.set(serverUuid);
  }

  /** Empty before the first query. */
  String uuid() {
    return last.get();
  }
}
