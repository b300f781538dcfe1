package dev.leeway.annotation;

/** What a repository method says about itself. */
public enum IntentKind {
  /** {@link ReadReplica}: a replica may answer, if it is fresh enough. */
  READ_REPLICA,
  /** {@link ReadPrimary}: only the primary will do. */
  READ_PRIMARY,
  /** {@link Write}: changes data, on the primary. */
  WRITE,
  /** Nothing. Goes to the primary, for nobody has said that stale data is good enough. */
  UNDECLARED
}
