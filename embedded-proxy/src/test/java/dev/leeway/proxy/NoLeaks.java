package dev.leeway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class in which a buffer was lost, as Netty's leak detector sees it at its paranoid
 * level.
 */
public final class NoLeaks implements BeforeAllCallback, AfterAllCallback {

  @Override
  public void beforeAll(ExtensionContext context) {
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
    assertThat(System.getProperty("io.netty.customResourceLeakDetector"))
        .isEqualTo(RecordingLeakDetector.class.getName());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    for (int i = 0; i < 3; i++) {
      System.gc();
      // Lost buffers are found when the next ones are made.
      ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
      for (int j = 0; j < 100; j++) {
        allocator.buffer().release();
      }
    }
    assertThat(RecordingLeakDetector.LEAKS).as("buffers that were not released").isEmpty();
  }
}
