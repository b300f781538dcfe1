package shop;

public record Order(long id, String state) {}
