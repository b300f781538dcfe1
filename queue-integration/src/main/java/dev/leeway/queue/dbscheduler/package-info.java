/**
 * Jobs in db-scheduler, whose queue is a table of the same cluster: a job that is scheduled in a
 * transaction is committed with it, and its row on a replica proves that the replica has the rest.
 */
@NullMarked
package dev.leeway.queue.dbscheduler;

import org.jspecify.annotations.NullMarked;
