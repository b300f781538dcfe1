/**
 * Compares two pieces of code by CPU time and allocated bytes, each in JVMs of its own that take
 * turns.
 *
 * <p>On a machine whose speed drifts, the ratio of neighbouring runs says more than any absolute
 * time.
 */
@NullMarked
package dev.leeway.benchmarks.fork;

import org.jspecify.annotations.NullMarked;
