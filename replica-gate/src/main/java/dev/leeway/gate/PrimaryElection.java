package dev.leeway.gate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who is the primary, from what is seen of the servers alone. A pure function.
 *
 * <p>Leeway promotes nobody; it notices what somebody else has done. In doubt there is no primary:
 * a write that fails can be repeated, one that went to the wrong server is lost.
 */
final class PrimaryElection {
  private PrimaryElection() {}

  /**
   * What counts about one server.
   *
   * @param index its place
   * @param name for explanations
   * @param reachable whether its last poll was answered
   * @param unreachableNanos for how long it has not answered; zero if reachable
   * @param uuid its {@code server_uuid} when it last answered; null if never
   * @param readOnly whether it was read-only then
   * @param detached whether it is known to replicate from nobody
   * @param receivesFrom the server it is connected to as a replica, or null
   * @param executed what it had executed
   * @param hasOwnTransactions whether it is proved to have transactions that the incumbent lacks
   */
  record Candidate(
      int index,
      String name,
      boolean reachable,
      long unreachableNanos,
      @Nullable UUID uuid,
      boolean readOnly,
      boolean detached,
      @Nullable UUID receivesFrom,
      GtidSet executed,
      boolean hasOwnTransactions) {

    /** It acts as a primary does. */
    boolean claims() {
      return reachable && uuid != null && !readOnly && detached;
    }
  }

  /**
   * The server whose data everything is measured by: the primary, or the last one while there is
   * none.
   *
   * @param index its place
   * @param uuid its {@code server_uuid} since it is the incumbent; null until it has answered
   * @param executed what it is known to have executed
   */
  record Incumbent(int index, @Nullable UUID uuid, GtidSet executed) {}

  /**
   * What follows.
   *
   * @param primaryIndex the server that takes writes, or −1
   * @param successor the new incumbent; null if it stays the same
   * @param explanation one clause for messages
   */
  record Decision(int primaryIndex, @Nullable Candidate successor, String explanation) {
    static Decision keep(Candidate incumbent, String explanation) {
      return new Decision(incumbent.index(), null, explanation);
    }

    static Decision none(String explanation) {
      return new Decision(-1, null, explanation);
    }

    static Decision follow(Candidate successor, String explanation) {
      return new Decision(successor.index(), successor, explanation);
    }
  }

  /**
   * Decides.
   *
   * @param candidates every server, each at its index
   * @param superseded former incumbents: that one of them takes writes again makes it no rival,
   *     since its successor was seen to follow it
   * @param takeOverAfter how long the incumbent must have been unreachable to be followed by
   *     another
   */
  static Decision decide(
      List<Candidate> candidates,
      Incumbent incumbent,
      Set<UUID> superseded,
      Duration takeOverAfter) {
    Candidate seat = candidates.get(incumbent.index());
    if (!seat.reachable()) {
      return whenUnreachable(candidates, seat, incumbent, superseded, takeOverAfter);
    }
    if (incumbent.uuid() != null && !incumbent.uuid().equals(seat.uuid())) {
      return whenReplaced(candidates, seat, incumbent);
    }
    return seat.readOnly()
        ? whenReadOnly(candidates, seat)
        : whenWritable(candidates, seat, superseded);
  }

  private static Decision whenWritable(
      List<Candidate> candidates, Candidate seat, Set<UUID> superseded) {
    List<Candidate> rivals = new ArrayList<>();
    for (Candidate other : claimersBeside(candidates, seat)) {
      // Writable and detached alone may be a replica that somebody took out; own transactions show
      // that somebody writes there.
      if (other.hasOwnTransactions() && !superseded.contains(other.uuid())) {
        rivals.add(other);
      }
    }
    if (rivals.isEmpty()) {
      return Decision.keep(seat, seat.name() + " takes writes");
    }
    if (followers(candidates, seat) > 0
        && rivals.stream().allMatch(rival -> followers(candidates, rival) == 0)) {
      return Decision.keep(
          seat, seat.name() + " takes writes and is followed, unlike " + names(rivals));
    }
    rivals.add(0, seat);
    return Decision.none("more than one server takes writes: " + names(rivals));
  }

  private static Decision whenReadOnly(List<Candidate> candidates, Candidate seat) {
    List<Candidate> successors = new ArrayList<>();
    for (Candidate other : claimersBeside(candidates, seat)) {
      if (other.executed().contains(seat.executed())) {
        successors.add(other);
      }
    }
    return successors.size() == 1
        ? Decision.follow(
            successors.get(0),
            successors.get(0).name() + " took over from " + seat.name() + ", which is read-only")
        : Decision.none(
            seat.name()
                + " is read-only and "
                + (successors.isEmpty()
                    ? "no other server has taken over"
                    : "several servers could have taken over: " + names(successors)));
  }

  private static Decision whenReplaced(
      List<Candidate> candidates, Candidate seat, Incumbent incumbent) {
    List<Candidate> successors = new ArrayList<>();
    for (Candidate other : claimersBeside(candidates, seat)) {
      if (other.executed().contains(incumbent.executed())) {
        successors.add(other);
      }
    }
    // The same server under its own address is the better choice: the other address may move again.
    boolean listed = successors.stream().anyMatch(s -> Objects.equals(s.uuid(), seat.uuid()));
    if (seat.claims() && !listed && seat.executed().contains(incumbent.executed())) {
      successors.add(seat);
    }
    String what =
        "another server ("
            + seat.uuid()
            + ") answers at the address of "
            + seat.name()
            + " ("
            + incumbent.uuid()
            + ")";
    return successors.size() == 1
        ? Decision.follow(successors.get(0), what + "; " + successors.get(0).name() + " took over")
        : Decision.none(
            what
                + " and "
                + (successors.isEmpty()
                    ? "none has taken over"
                    : "several servers could have taken over: " + names(successors)));
  }

  private static Decision whenUnreachable(
      List<Candidate> candidates,
      Candidate seat,
      Incumbent incumbent,
      Set<UUID> superseded,
      Duration takeOverAfter) {
    List<Candidate> claimers = claimersBeside(candidates, seat);
    claimers.removeIf(
        other -> superseded.contains(other.uuid()) && followers(candidates, other) == 0);
    if (claimers.size() != 1 || seat.unreachableNanos() < takeOverAfter.toNanos()) {
      return Decision.keep(seat, seat.name() + " does not answer and nobody has taken over");
    }
    Candidate successor = claimers.get(0);
    boolean holdsAll = successor.executed().contains(incumbent.executed());
    boolean holdsWhatOthersHold = true;
    boolean isFollowedByAll = followers(candidates, successor) > 0;
    for (Candidate other : candidates) {
      if (other.reachable()
          && other.index() != successor.index()
          && other.index() != seat.index()) {
        holdsWhatOthersHold &= successor.executed().contains(other.executed());
        isFollowedByAll &=
            Objects.equals(other.receivesFrom(), successor.uuid())
                || Objects.equals(other.uuid(), successor.uuid());
      }
    }
    // A dead primary takes with it what it had not sent. A successor that lacks some of it is only
    // believed if the replicas were pointed to it: then somebody decided so.
    if ((holdsAll && holdsWhatOthersHold) || isFollowedByAll) {
      return Decision.follow(
          successor,
          successor.name()
              + " took over from "
              + seat.name()
              + ", which does not answer"
              + (holdsAll ? "" : ", and lacks transactions that it had"));
    }
    return Decision.keep(
        seat,
        seat.name() + " does not answer and " + successor.name() + " lacks transactions it had");
  }

  /** Those at other addresses that act as a primary; a server with two addresses counts once. */
  private static List<Candidate> claimersBeside(List<Candidate> candidates, Candidate seat) {
    List<Candidate> claimers = new ArrayList<>();
    Set<UUID> seen = new HashSet<>();
    for (Candidate other : candidates) {
      UUID uuid = other.uuid();
      if (other.index() != seat.index() && other.claims() && uuid != null && seen.add(uuid)) {
        claimers.add(other);
      }
    }
    return claimers;
  }

  private static int followers(List<Candidate> candidates, Candidate leader) {
    int count = 0;
    for (Candidate other : candidates) {
      if (other.reachable()
          && leader.uuid() != null
          && leader.uuid().equals(other.receivesFrom())) {
        count++;
      }
    }
    return count;
  }

  private static String names(List<Candidate> candidates) {
    return String.join(", ", candidates.stream().map(Candidate::name).toList());
  }
}
