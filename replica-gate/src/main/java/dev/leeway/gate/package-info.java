/**
 * Where each server of a replication topology stands, and whether it has reached what somebody
 * wrote.
 *
 * <p>Two rooms in one. <b>Positions</b> are values: {@link dev.leeway.gate.GtidSet} says which
 * transactions, {@link dev.leeway.gate.WritePosition} adds of which cluster and whether that is
 * all, and {@link dev.leeway.gate.PositionTokens} carries a position through hands that are not
 * trusted. The <b>gate</b> watches the servers, keeps for each an immutable state with the age of
 * its newest data, and answers whether a position has been reached, or waits for it within a bound.
 *
 * <p>Holds for every class here: what is unknown is never taken for zero or for reached; a position
 * is never shortened, because a smaller set lets a stale read through; values are immutable and
 * shared freely.
 *
 * <p>May know JDBC, the metrics facade and the logging facade. Knows nothing of annotations, of
 * connection pools or of how a read is routed.
 */
@NullMarked
package dev.leeway.gate;

import org.jspecify.annotations.NullMarked;
