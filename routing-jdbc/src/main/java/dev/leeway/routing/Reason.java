package dev.leeway.routing;

import static dev.leeway.routing.Reason.Role.PRIMARY;
import static dev.leeway.routing.Reason.Role.REPLICA;

/**
 * Why a statement went where it went.
 *
 * <p>Listed in the order they are tried; the first that holds decides. A reason carries the role of
 * the server, so that "primary, because a replica had caught up" cannot be said.
 */
public enum Reason {
  /** A read-write transaction is open, and a transaction lives on one connection. */
  IN_TRANSACTION(PRIMARY, "a read-write transaction is open, and it lives on one connection"),
  /** This connection's session holds something no other session has, such as a temporary table. */
  SESSION_STATE(PRIMARY, "the session holds a lock, a variable or a temporary table of its own"),
  /** The method is declared to write. */
  WRITE_INTENT(PRIMARY, "the method is declared to write"),
  /** The method is declared to need the primary. */
  PRIMARY_REQUESTED(PRIMARY, "the method is declared to read the primary"),
  /** Nothing was declared, and what declares nothing reads the primary. */
  UNDECLARED(PRIMARY, "nothing was declared"),
  /** A replica method ran a statement that writes, locks, or was not recognised as a plain read. */
  NOT_A_PLAIN_READ(PRIMARY, "the statement was not recognised as a plain read"),
  /** Shadow mode: the decision was made and counted, and the primary read all the same. */
  SHADOW(PRIMARY, "shadow mode reads the primary whatever was decided"),
  /** The scope wrote, and its mode keeps it on the primary for now. */
  STICKY_AFTER_WRITE(PRIMARY, "the scope wrote, and its mode keeps it on the primary"),
  /** The replica that served this scope before still holds all it must hold. */
  PINNED_REPLICA(REPLICA, "the replica that served this scope before"),
  /** A replica holds everything this caller wrote and saw. */
  REPLICA_CAUGHT_UP(REPLICA, "the replica holds all that this caller wrote and saw"),
  /** The caller wrote nothing, and the replica is within the staleness the read can bear. */
  STALENESS_ACCEPTED(REPLICA, "the replica is within the staleness the read can bear"),
  /** No replica answers, or none is trusted. */
  NO_REPLICA_AVAILABLE(PRIMARY, "no replica answers and is trusted"),
  /** No replica is fresh enough for this read. */
  NO_REPLICA_FRESH(PRIMARY, "no replica is within the staleness the read can bear"),
  /** No replica holds what this caller wrote or saw, and none got there in time. */
  NO_REPLICA_REACHED_POSITION(PRIMARY, "no replica reached what this caller wrote or saw in time"),
  /** Staler than declared, because the read's fallback allows it and the primary has no room. */
  SERVED_STALE(REPLICA, "staler than declared, as the fallback allows"),
  /** The first replica's connection failed, and another replica served. */
  RETRIED_ON_REPLICA(REPLICA, "the first replica's connection failed; another replica served"),
  /** The replica's connection failed, and the primary served. */
  RETRIED_ON_PRIMARY(PRIMARY, "the replica's connection failed; the primary served");

  /** Which side of replication a server is on. */
  public enum Role {
    /** The server that takes writes. */
    PRIMARY,
    /** A server that follows the primary. */
    REPLICA
  }

  private final Role role;
  private final String sentence;
  private final boolean fallback;

  Reason(Role role, String sentence) {
    this.role = role;
    this.sentence = sentence;
    // A field, because it is asked for every read and a switch over an enum is not free.
    this.fallback =
        role == Role.PRIMARY && (name().startsWith("NO_REPLICA") || name().startsWith("RETRIED"));
  }

  /** The role of the server that a route with this reason leads to. */
  public Role role() {
    return role;
  }

  /** The reason in words, for logs and messages; lower case, without a full stop. */
  public String sentence() {
    return sentence;
  }

  /** Whether the read was meant for a replica and the primary had to serve it. */
  public boolean isFallback() {
    return fallback;
  }
}
