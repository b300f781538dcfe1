/**
 * Jobs over Kafka: a carrier that produces them, a consumer that runs them, and interceptors for
 * producers and consumers that are there already.
 */
@NullMarked
package dev.leeway.queue.kafka;

import org.jspecify.annotations.NullMarked;
