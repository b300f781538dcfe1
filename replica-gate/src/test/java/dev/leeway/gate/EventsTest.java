package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventsTest {
  private final AtomicReference<ClusterState> newest =
      new AtomicReference<>(state(1, 0, Health.UNPROVED));
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final Events events = new Events("shop", newest::get);

  @BeforeEach
  void start() {
    events.start();
  }

  @AfterEach
  void close() {
    events.stop();
  }

  @Test
  void whatChangedIsTold() throws Exception {
    events.add(new Recorder());

    publish(state(2, -1, Health.FRESH));

    assertThat(next()).isEqualTo("replica-1 UNPROVED -> FRESH");
    assertThat(next()).isEqualTo("primary 0 -> -1 in 1");
    assertThat(next()).isEqualTo("state 2");
    publish(state(3, -1, Health.FRESH));
    assertThat(next()).isEqualTo("state 3");
  }

  @Test
  void aListenerThatThrowsKeepsNobodyFromHearing() throws Exception {
    events.add(
        new ClusterListener() {
          @Override
          public void stateChanged(ClusterState state) {
            throw new IllegalStateException("thrown on purpose by a test");
          }
        });
    events.add(new Recorder());

    publish(state(2, 0, Health.UNPROVED));
    assertThat(next()).isEqualTo("state 2");
    publish(state(3, 0, Health.UNPROVED));

    assertThat(next()).isEqualTo("state 3");
  }

  @Test
  void aSlowListenerHearsOfThePresentAndNotOfEverythingInBetween() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    events.add(
        new ClusterListener() {
          @Override
          public void stateChanged(ClusterState state) {
            heard.add("state " + state.version());
            entered.countDown();
            try {
              assertThat(goOn.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        });
    publish(state(2, 0, Health.UNPROVED));
    assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
    for (int version = 3; version <= 1_000; version++) {
      publish(state(version, 0, Health.UNPROVED));
    }
    goOn.countDown();

    assertThat(next()).isEqualTo("state 2");
    assertThat(next()).isEqualTo("state 1000");
  }

  @Test
  void whoHasEndedItsRegistrationHearsNothingMore() throws Exception {
    ClusterListener.Registration registration = events.add(new Recorder());
    events.add(
        new ClusterListener() {
          @Override
          public void stateChanged(ClusterState state) {
            heard.add("other " + state.version());
          }
        });

    registration.close();
    publish(state(2, 0, Health.UNPROVED));

    assertThat(next()).isEqualTo("other 2");
  }

  private void publish(ClusterState state) {
    newest.set(state);
    events.signal();
  }

  private String next() throws InterruptedException {
    return String.valueOf(heard.poll(10, TimeUnit.SECONDS));
  }

  private static ClusterState state(long version, int primaryIndex, Health health) {
    return ClusterState.of(
        new ClusterId("shop", 1),
        List.of(
            ServerState.builder("primary", 0).build(),
            ServerState.builder("replica-1", 1).health(health).build()),
        primaryIndex,
        "",
        HeartbeatStatus.UNKNOWN,
        version);
  }

  private final class Recorder implements ClusterListener {
    @Override
    public void serverChanged(ServerState before, ServerState after) {
      heard.add(after.name() + " " + before.health() + " -> " + after.health());
    }

    @Override
    public void primaryChanged(int oldIndex, int newIndex, long epoch) {
      heard.add("primary " + oldIndex + " -> " + newIndex + " in " + epoch);
    }

    @Override
    public void stateChanged(ClusterState state) {
      heard.add("state " + state.version());
    }
  }
}
