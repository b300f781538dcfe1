/** db-scheduler against the contract, and what a queue in the same database adds. */
@org.jspecify.annotations.NullMarked
package dev.leeway.queue.dbscheduler;
