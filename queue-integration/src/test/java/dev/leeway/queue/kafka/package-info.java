/** Kafka against the contract, on a broker in this JVM, and its interceptors. */
@org.jspecify.annotations.NullMarked
package dev.leeway.queue.kafka;
