package dev.leeway.samples.shop;

/**
 * How a reservation went.
 *
 * @param available what the shop believed to be on the shelf
 * @param promised whether the customer was told there is enough
 * @param done whether there really was; a promise that is not kept is an apology
 */
public record Reservation(int available, boolean promised, boolean done) {}
