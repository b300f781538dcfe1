package dev.leeway.samples.shop;

/** A discount code. Nobody can use it before it is approved. */
public record Discount(long id, String code, int percent, boolean approved) {}
