package dev.leeway.routing.connection;

/** A replica's connection from which rows are still read although another replica serves now. */
final class SetAside {
  final ReplicaHold hold;

  /** See {@link OpenStatements}. */
  Object statements;

  SetAside(ReplicaHold hold, Object statements) {
    this.hold = hold;
    this.statements = statements;
  }
}
