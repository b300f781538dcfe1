/**
 * What the proxy has done so far, in numbers.
 *
 * <p>Counting costs a hot path no allocation and no lock; reading is for people and metrics.
 */
@NullMarked
package dev.leeway.proxy.stats;

import org.jspecify.annotations.NullMarked;
