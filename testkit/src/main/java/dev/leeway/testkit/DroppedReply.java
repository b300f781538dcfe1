package dev.leeway.testkit;

/** A reply that is going to be lost, once. */
public interface DroppedReply extends Fault {

  /** Whether the statement came, was executed, and its reply was lost. */
  boolean hasHappened();
}
