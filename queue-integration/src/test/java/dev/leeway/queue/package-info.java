/** What every broker's adapter promises, and the parts they share, on real servers. */
@org.jspecify.annotations.NullMarked
package dev.leeway.queue;
