package dev.leeway.samples.shop;

/** An invoice that somebody asked for. */
public record Invoice(long id, long orderId, String address) {}
