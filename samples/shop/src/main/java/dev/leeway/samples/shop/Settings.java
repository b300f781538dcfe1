package dev.leeway.samples.shop;

/** What a customer has chosen. */
public record Settings(long customerId, String language, boolean newsletter) {}
