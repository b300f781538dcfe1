package dev.leeway.samples.shop;

/** A line of a report. */
public record Sales(long productId, String name, long sold, long totalCents) {}
