/** The executor service against the contract and by itself. */
@org.jspecify.annotations.NullMarked
package dev.leeway.queue.executor;
