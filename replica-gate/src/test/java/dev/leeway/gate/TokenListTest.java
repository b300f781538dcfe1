package dev.leeway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenListTest {

  @Test
  void whatWasJoinedIsSplitAgain() {
    assertThat(TokenList.split(TokenList.join(List.of("a.b.c", "d"))))
        .containsExactly("a.b.c", "d");
    assertThat(TokenList.split(TokenList.join(List.of("a")))).containsExactly("a");
    assertThat(TokenList.join(List.of())).isEmpty();
    assertThat(TokenList.split("")).isEmpty();
    assertThat(TokenList.split(null)).isEmpty();
  }

  @Test
  void theSameTokenIsWrittenOnce() {
    assertThat(TokenList.join(List.of("a", "b", "a", ""))).isEqualTo("a~b");
  }

  @Test
  void whatDoesNotFitIsLeftOutAndWhatFollowsIsKept() {
    String large = "x".repeat(WritePosition.MAX_TOKEN_LENGTH - 1);

    assertThat(TokenList.join(List.of("first", large, "last"))).isEqualTo("first~last");
    assertThat(TokenList.split(TokenList.join(Collections.nCopies(1, "t")))).hasSize(1);
  }

  @Test
  void nobodyMakesUsLookAtMoreThanAFewTokens() {
    String nine = String.join("~", Collections.nCopies(9, "t"));
    String eight = String.join("~", Collections.nCopies(8, "t"));

    assertThat(TokenList.split(eight)).hasSize(8);
    assertThat(TokenList.split(nine)).isEmpty();
    assertThat(TokenList.split("t".repeat(WritePosition.MAX_TOKEN_LENGTH + 1))).isEmpty();
  }
}
