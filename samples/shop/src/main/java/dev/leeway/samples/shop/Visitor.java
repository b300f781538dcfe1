package dev.leeway.samples.shop;

import org.jspecify.annotations.Nullable;

/**
 * Somebody who sends requests, and what his client sends back with each: the token of the last
 * answer. In a web application the token lives in a cookie; for a job, in the job's data.
 */
public final class Visitor {
  private final long customer;
  private volatile @Nullable String token;

  private Visitor(long customer, @Nullable String token) {
    this.customer = customer;
    this.token = token;
  }

  /** Somebody who has sent no request yet. */
  public static Visitor of(long customer) {
    return new Visitor(customer, null);
  }

  /** Somebody who goes on where the owner of this token left off. */
  static Visitor carrying(@Nullable String token) {
    return new Visitor(0, token);
  }

  public long customer() {
    return customer;
  }

  /** Null before the first answer. */
  @Nullable String token() {
    return token;
  }

  void remember(String newToken) {
    token = newToken;
  }
}
