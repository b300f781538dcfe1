package dev.leeway.gate;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Reads the moments that pt-heartbeat writes: a local date and time as text, without a zone.
 *
 * <p>Once a year such a text means two moments, when clocks are set back; then both are told. The
 * hour that is skipped when clocks are set forward is read as if they had not been.
 */
final class PtHeartbeatTime {
  private PtHeartbeatTime() {}

  /** What the text says; missing if it is no date and time. */
  static Sample.Heartbeat parse(String text, ZoneId zone) {
    LocalDateTime local;
    try {
      local = LocalDateTime.parse(text.trim().replace(' ', 'T'));
    } catch (DateTimeException e) {
      return Sample.Heartbeat.MISSING;
    }
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    if (offsets.isEmpty()) {
      return Sample.Heartbeat.at(
          micros(local, zone.getRules().getTransition(local).getOffsetBefore()));
    }
    long first = micros(local, offsets.get(0));
    long last = micros(local, offsets.get(offsets.size() - 1));
    return new Sample.Heartbeat(
        Sample.Heartbeat.Presence.SEEN, Math.min(first, last), Math.max(first, last));
  }

  private static long micros(LocalDateTime local, ZoneOffset offset) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, local.toInstant(offset));
  }
}
