/**
 * Jobs over JMS 3 (Jakarta Messaging): a carrier that sends them, and a consumer whose sessions
 * answer a job and put it back in one transaction.
 */
@NullMarked
package dev.leeway.queue.jms;

import org.jspecify.annotations.NullMarked;
