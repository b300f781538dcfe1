/**
 * Makes decisions visible: counters and histograms, one log line per decision, and a warning where
 * a stale read was followed by a write.
 *
 * <p>{@link dev.leeway.routing.observe.Observer} is what the core tells of every decision; it
 * passes on to {@link dev.leeway.routing.observe.LeewayMetrics}, {@link
 * dev.leeway.routing.observe.LostUpdateGuard} and the log. Counting is done on the thread that runs
 * the statement, so nothing here blocks, and after a method was seen once nothing allocates. What
 * the meters are called and mean is written in docs/observability.md, which a test compares with
 * what a registry really exposes.
 *
 * <p>Not here: the gauges of each server's health, which replica-gate registers.
 */
@NullMarked
package dev.leeway.routing.observe;

import org.jspecify.annotations.NullMarked;
