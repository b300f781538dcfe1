/**
 * What Leeway costs: JMH benchmarks of the hot paths and whole-system comparisons.
 *
 * <p>May know every other room; no other room may know this one. Nothing here is published.
 */
@NullMarked
package dev.leeway.benchmarks;

import org.jspecify.annotations.NullMarked;
