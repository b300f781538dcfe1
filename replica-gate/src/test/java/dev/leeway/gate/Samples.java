package dev.leeway.gate;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes answered polls for tests. Everything is as on a healthy server unless told otherwise. */
final class Samples {
  static final UUID PRIMARY = uuid(1);
  static final UUID REPLICA_1 = uuid(2);
  static final UUID REPLICA_2 = uuid(3);
  static final long MILLIS = 1_000_000L;

  /** What the primary's clock showed at nanosecond zero. */
  static final long CLOCK_AT_ZERO_MICROS = 1_796_000_000_000_000L;

  private Samples() {}

  static UUID uuid(int number) {
    return new UUID(0x3e11fa47_71ca_11e1L, 0x9e33_0000_0000_0000L + number);
  }

  /** The transactions 1 to {@code last} of a server; none if zero. */
  static GtidSet upTo(UUID source, long last) {
    return last == 0 ? GtidSet.EMPTY : GtidSet.parse(source + ":1-" + last);
  }

  static GtidSet upTo(long last) {
    return upTo(PRIMARY, last);
  }

  static long clockMicros(long nanos) {
    return CLOCK_AT_ZERO_MICROS + nanos / 1_000;
  }

  static Maker primary(long sentMillis, GtidSet executed) {
    Maker maker = new Maker(PRIMARY, sentMillis * MILLIS, executed);
    maker.readOnly = false;
    maker.superReadOnly = false;
    maker.replication = Sample.Replication.DETACHED;
    return maker;
  }

  static Maker replica(UUID uuid, long sentMillis, GtidSet executed) {
    return new Maker(uuid, sentMillis * MILLIS, executed);
  }

  static Sample.Replication from(UUID source) {
    return new Sample.Replication(1, true, true, source);
  }

  /** Collects what is unusual about an answer. */
  static final class Maker {
    private UUID uuid;
    private final long sentNanos;
    private final GtidSet executed;
    private long receivedNanos;
    private long clockMicros;
    private @Nullable GtidSet owned = GtidSet.EMPTY;
    private boolean readOnly = true;
    private boolean superReadOnly = true;
    private boolean gtidsOn = true;
    private boolean commitOrderKept = true;
    private boolean restarted;
    private Sample.Heartbeat heartbeat = Sample.Heartbeat.NOT_ASKED;
    private Sample.@Nullable Replication replication = from(PRIMARY);

    Maker(UUID uuid, long sentNanos, GtidSet executed) {
      this.uuid = uuid;
      this.sentNanos = sentNanos;
      this.executed = executed;
      this.receivedNanos = sentNanos + MILLIS / 2;
      this.clockMicros = Samples.clockMicros(sentNanos);
    }

    Maker uuid(UUID value) {
      uuid = value;
      return this;
    }

    Maker receivedNanos(long value) {
      receivedNanos = value;
      return this;
    }

    Maker clockMicros(long value) {
      clockMicros = value;
      return this;
    }

    Maker owned(@Nullable GtidSet value) {
      owned = value;
      return this;
    }

    Maker readOnly() {
      readOnly = true;
      superReadOnly = true;
      return this;
    }

    Maker writable() {
      readOnly = false;
      superReadOnly = false;
      return this;
    }

    Maker notSuperReadOnly() {
      superReadOnly = false;
      return this;
    }

    Maker withoutGtids() {
      gtidsOn = false;
      return this;
    }

    Maker outOfOrder() {
      commitOrderKept = false;
      return this;
    }

    Maker restarted() {
      restarted = true;
      return this;
    }

    Maker heartbeat(Sample.Heartbeat value) {
      heartbeat = value;
      return this;
    }

    /** A heartbeat written at this moment, by the primary's clock if that runs evenly. */
    Maker heartbeatOf(long millis) {
      heartbeat = Sample.Heartbeat.at(Samples.clockMicros(millis * MILLIS));
      return this;
    }

    Maker replication(Sample.@Nullable Replication value) {
      replication = value;
      return this;
    }

    Maker detached() {
      replication = Sample.Replication.DETACHED;
      return this;
    }

    Sample make() {
      return new Sample(
          sentNanos,
          receivedNanos,
          clockMicros,
          uuid,
          uuid.getLeastSignificantBits() & 0xff,
          readOnly,
          superReadOnly,
          gtidsOn,
          commitOrderKept,
          restarted,
          owned,
          executed,
          heartbeat,
          replication);
    }
  }
}
