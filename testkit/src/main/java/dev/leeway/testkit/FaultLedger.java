package dev.leeway.testkit;

import java.util.ArrayList;
import java.util.List;

/** The open faults of a cluster, so that none is forgotten. */
final class FaultLedger {
  private final List<OpenFault> open = new ArrayList<>();

  /** What kind of thing is wrong; some kinds have a second way to be undone. */
  enum Kind {
    REPLICATION,
    FROZEN,
    KILLED,
    NETWORK,
    CLOCK,
    LOCK,
    ROLE
  }

  /** How a fault is undone; runs at most once. */
  @FunctionalInterface
  interface Undo {
    void run() throws Exception;
  }

  private final class OpenFault implements Fault {
    private final MySqlServer server;
    private final Kind kind;
    private final String description;
    private final Undo undo;

    OpenFault(MySqlServer server, Kind kind, String description, Undo undo) {
      this.server = server;
      this.kind = kind;
      this.description = description;
      this.undo = undo;
    }

    @Override
    public String description() {
      return server.name() + ": " + description;
    }

    @Override
    public void close() {
      synchronized (open) {
        if (!open.remove(this)) {
          return;
        }
      }
      try {
        undo.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClusterException("testkit - interrupted while undoing " + description(), e);
      } catch (Exception e) {
        throw new ClusterException(
            "testkit - could not undo '" + description() + "': " + e.getMessage(), e);
      }
    }

    @Override
    public String toString() {
      return description();
    }
  }

  Fault add(MySqlServer server, Kind kind, String description, Undo undo) {
    OpenFault fault = new OpenFault(server, kind, description, undo);
    synchronized (open) {
      open.add(fault);
    }
    return fault;
  }

  /** Undoes the faults of one kind on one server; says whether there were any. */
  boolean undo(MySqlServer server, Kind kind) {
    List<OpenFault> found;
    synchronized (open) {
      found = open.stream().filter(fault -> fault.server == server && fault.kind == kind).toList();
    }
    found.forEach(OpenFault::close);
    return !found.isEmpty();
  }

  /** Undoes all, the latest first; goes on after a failure and returns what failed. */
  List<ClusterException> undoAll() {
    List<ClusterException> failures = new ArrayList<>();
    while (true) {
      OpenFault latest;
      synchronized (open) {
        if (open.isEmpty()) {
          return failures;
        }
        latest = open.get(open.size() - 1);
      }
      try {
        latest.close();
      } catch (ClusterException e) {
        failures.add(e);
      }
    }
  }

  /** The servers are gone, and the faults with them. */
  void forget() {
    synchronized (open) {
      open.clear();
    }
  }

  List<Fault> all() {
    synchronized (open) {
      return List.copyOf(open);
    }
  }
}
