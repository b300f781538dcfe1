package dev.leeway.samples.shop;

/** What the catalogue shows. */
public record Product(long id, String name, long priceCents) {}
