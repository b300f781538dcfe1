/**
 * Jobs over RabbitMQ: a carrier that publishes them with confirms, and a consumer that runs them
 * and puts them back through queues that hold a message for a while.
 */
@NullMarked
package dev.leeway.queue.rabbitmq;

import org.jspecify.annotations.NullMarked;
