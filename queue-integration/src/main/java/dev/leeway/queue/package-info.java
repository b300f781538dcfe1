/**
 * Positions across processes: a job reads what its dispatcher had written.
 *
 * <p>On the dispatcher's side, {@link dev.leeway.queue.Jobs} sends after the commit and stamps the
 * message with a {@link dev.leeway.queue.JobEnvelope}; {@link dev.leeway.queue.Outbox} writes the
 * message in the transaction itself. On the worker's side, {@link dev.leeway.queue.JobRunner}
 * decides by envelope and {@link dev.leeway.queue.Consistency} whether the job may read replicas,
 * must wait, or reads the primary.
 *
 * <p>Knows routing and gate, and no broker. Each broker is an adapter in a package below this one,
 * and its library is an optional dependency.
 */
@NullMarked
package dev.leeway.queue;

import org.jspecify.annotations.NullMarked;
