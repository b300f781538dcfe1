package dev.leeway.queue;

import java.time.Duration;
import java.util.Objects;

/**
 * Where a job may read, and why.
 *
 * @param reason tells the place as well
 * @param waited how long that took to find out
 * @param delay for how long to put the job back; zero unless it is to be put back
 */
public record Admission(Reason reason, Duration waited, Duration delay) {
  /** What is to be done with a job. */
  public enum Place {
    /** It is run, and may read replicas. */
    REPLICA,
    /** It is run, and reads the primary. */
    PRIMARY,
    /** It is not run yet. */
    LATER
  }

  /** Why. */
  public enum Reason {
    /** The dispatcher had written nothing. */
    NOTHING_WRITTEN(Place.REPLICA),
    /** A replica has everything the dispatcher had written. */
    CAUGHT_UP(Place.REPLICA),
    /** The replica shows something that was written together with what the job is about. */
    EVIDENCE_SEEN(Place.REPLICA),
    /** The job or its dispatcher asks for the primary. */
    PRIMARY_REQUESTED(Place.PRIMARY),
    /** Neither the job nor its dispatcher says anything. */
    UNDECLARED(Place.PRIMARY),
    /** The message has no headers of Leeway. */
    NO_HEADERS(Place.PRIMARY),
    /** The headers make no sense. */
    MALFORMED_HEADERS(Place.PRIMARY),
    /** A newer Leeway wrote the headers. */
    UNKNOWN_VERSION(Place.PRIMARY),
    /** The position is of another cluster. */
    FOREIGN_CLUSTER(Place.PRIMARY),
    /** The dispatcher wrote something whose GTID it does not know. */
    POSITION_INCOMPLETE(Place.PRIMARY),
    /** No replica got there in the time allowed. */
    TIMED_OUT(Place.PRIMARY),
    /** No replica may serve. */
    NO_REPLICA(Place.PRIMARY),
    /** The primary itself lacks the position: it was lost in a failover. */
    LOST(Place.PRIMARY),
    /** As many jobs wait as may. */
    TOO_MANY_WAIT(Place.PRIMARY),
    /** The job did not find its row on a replica. */
    NOT_FOUND_ON_REPLICA(Place.PRIMARY),
    /** The replicas lag, and the job is put back for as long as they do. */
    LAG(Place.LATER);

    private final Place place;

    Reason(Place place) {
      this.place = place;
    }

    /** What is to be done. */
    public Place place() {
      return place;
    }
  }

  /** Checks that nothing is missing. */
  public Admission {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(waited, "waited");
    Objects.requireNonNull(delay, "delay");
  }

  static Admission at(Reason reason) {
    return new Admission(reason, Duration.ZERO, Duration.ZERO);
  }

  /** What is to be done. */
  public Place place() {
    return reason.place();
  }
}
