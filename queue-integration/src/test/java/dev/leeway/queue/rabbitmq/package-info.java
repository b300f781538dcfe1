/** RabbitMQ against the contract, on a server of the test's own. */
@org.jspecify.annotations.NullMarked
package dev.leeway.queue.rabbitmq;
