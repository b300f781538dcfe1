/**
 * Jobs in one process: an executor service whose tasks start after the commit and read what their
 * dispatcher had written. Works over any executor, one thread per task or virtual threads included.
 */
@NullMarked
package dev.leeway.queue.executor;

import org.jspecify.annotations.NullMarked;
