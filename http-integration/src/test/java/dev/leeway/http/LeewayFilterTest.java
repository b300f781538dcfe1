package dev.leeway.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LeewayFilterTest {

  @Test
  void aFilterWithoutALeewayIsRefused() {
    assertThatThrownBy(LeewayFilter::of)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Leeway filter - no Leeway was given (expected: at least one)");
  }
}
