/** JMS 3 against the contract, on an Artemis broker in this JVM. */
@org.jspecify.annotations.NullMarked
package dev.leeway.queue.jms;
