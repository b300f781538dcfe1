package dev.leeway.samples.shop;

/** What was bought. Amounts are in cents. */
public record Order(long id, long customerId, long productId, int quantity, long totalCents) {}
