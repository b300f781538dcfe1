package dev.leeway.proxy;

import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps what Netty finds lost, for {@link NoLeaks}. Named by a system property of the tests. */
public final class RecordingLeakDetector<T> extends ResourceLeakDetector<T> {
  static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

  /** Called by Netty. */
  public RecordingLeakDetector(Class<?> resource, int samplingInterval) {
    super(resource, samplingInterval);
  }

  /** Called by Netty, by its older way. */
  @SuppressWarnings("deprecation")
  public RecordingLeakDetector(Class<?> resource, int samplingInterval, long maxActive) {
    super(resource, samplingInterval, maxActive);
  }

  @Override
  protected void reportTracedLeak(String resourceType, String records) {
    LEAKS.add(resourceType + records);
  }

  @Override
  protected void reportUntracedLeak(String resourceType) {
    LEAKS.add(resourceType);
  }
}
