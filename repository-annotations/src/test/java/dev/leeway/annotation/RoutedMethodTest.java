package dev.leeway.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutedMethodTest {
  private static final RoutedMethod LIST =
      RoutedMethod.readReplica("com.acme.Orders", "list(long)", "5s", Fallback.STALE, "50ms");
  private static final RoutedMethod FIND =
      RoutedMethod.readPrimary("com.acme.Orders", "find(long)", "the \"newest\" row");
  private static final RoutedMethod INSERT =
      RoutedMethod.write("com.acme.Orders", "insert(com.acme.Order,int[])");
  private static final RoutedMethod OTHER =
      RoutedMethod.undeclared("com.acme.Shop$Orders", "other()");

  @Test
  void aRouteIsPrintedAsOneLine() {
    assertThat(List.of(LIST, FIND, INSERT, OTHER))
        .extracting(RoutedMethod::toString)
        .containsExactly(
            "com.acme.Orders#list(long) replica maxStaleness=5s fallback=STALE catchUp=50ms",
            "com.acme.Orders#find(long) primary because=\"the \\\"newest\\\" row\"",
            "com.acme.Orders#insert(com.acme.Order,int[]) write",
            "com.acme.Shop$Orders#other() undeclared");
  }

  @Test
  void aPrintedRouteIsReadBackEqual() {
    for (RoutedMethod route :
        List.of(
            LIST,
            FIND,
            INSERT,
            OTHER,
            RoutedMethod.readReplica("Orders", "list()", "", Fallback.PRIMARY, ""))) {
      assertThat(RouteLine.parse(route.toString())).isEqualTo(route);
    }
  }

  @Test
  void anyReasonSurvivesPrintingAndReadingOnOneLine() {
    Random random = new Random(20261130);
    for (int i = 0; i < 2_000; i++) {
      StringBuilder reason = new StringBuilder("x");
      for (int length = random.nextInt(30); length > 0; length--) {
        reason.append(
            (char) (random.nextBoolean() ? random.nextInt(0x80) : random.nextInt(0x10000)));
      }
      RoutedMethod route = RoutedMethod.readPrimary("Orders", "find()", reason.toString());

      assertThat(route.toString().lines()).hasSize(1);
      assertThat(RouteLine.parse(route.toString())).isEqualTo(route);
    }
  }

  @Test
  void charactersThatHideInAReviewArePrintedAsCodes() {
    RoutedMethod route =
        RoutedMethod.readPrimary("Orders", "find()", "a\nb\u0007c\u202ed\u2028e\ud800f ünï 日本 🚚");

    assertThat(route.toString())
        .isEqualTo(
            "Orders#find() primary because=\"a\\nb\\u0007c\\u202ed\\u2028e\\ud800f ünï 日本 🚚\"");
  }

  @Test
  void aVeryLongReasonIsReadBack() {
    RoutedMethod route = RoutedMethod.readPrimary("Orders", "find()", "\"x".repeat(200_000));

    assertThat(RouteLine.parse(route.toString())).isEqualTo(route);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Orders",
        "Orders#find()",
        "Orders#find primary because=\"x\"",
        "Orders#find() maybe",
        "Orders#find() primary",
        "Orders#find() primary because=\" \"",
        "Orders#find() primary because=\"x",
        "Orders#find() primary because=\"x\\\"",
        "Orders#find() primary because=\"\\x\"",
        "Orders#find() primary because=\"\\u12\"",
        "Orders#find() primary  because=\"x\"",
        "Orders#find() primary because=\"x\" because=\"y\"",
        "Orders#find() primary because=\"x\"y",
        "Orders#find() write because=\"x\"",
        "Orders#find() replica",
        "Orders#find() replica fallback=primary",
        "Orders#find() replica fallback=FAIL maxStaleness=5",
        "Orders#find() replica fallback=FAIL maxStaleness=",
        " Orders#find() write",
        "Orders#find() write ",
        "Orders#fi nd() write"
      })
  void aLineThatNoRoutePrintsIsRefused(String line) {
    assertThatIllegalArgumentException().isThrownBy(() -> RouteLine.parse(line));
  }

  @Test
  void aRouteSaysWhatItsAnnotationSays() {
    assertThat(LIST.maxStaleness()).contains(Duration.ofSeconds(5));
    assertThat(LIST.catchUp()).contains(Duration.ofMillis(50));
    assertThat(LIST.fallback()).isEqualTo(Fallback.STALE);
    assertThat(FIND.because()).isEqualTo("the \"newest\" row");
    assertThat(FIND.maxStaleness()).isEmpty();
    assertThat(OTHER.shortName()).isEqualTo("Shop$Orders.other");
    assertThat(OTHER.kind()).isEqualTo(IntentKind.UNDECLARED);
  }

  @Test
  void routesThatSayTheSameAreEqualAndHashAlike() {
    RoutedMethod same =
        RoutedMethod.readReplica("com.acme.Orders", "list(long)", "5000ms", Fallback.STALE, "50ms");

    assertThat(same).isEqualTo(LIST).hasSameHashCodeAs(LIST);
    assertThat(LIST).isNotEqualTo(FIND).isNotEqualTo(INSERT);
  }

  @Test
  void anUnreadableDurationNamesMethodAndAttribute() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RoutedMethod.readReplica("Orders", "list()", "400", Fallback.PRIMARY, ""))
        .withMessage(
            "Orders#list() - @ReadReplica maxStaleness, duration: \"400\" (expected: a number and a"
                + " unit, such as 400ms, 5s or 2m)");
  }

  @Test
  void aBlankReasonIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RoutedMethod.readPrimary("Orders", "find()", " \t"))
        .withMessage(
            "Orders#find() - @ReadPrimary because: \"\" (expected: why a replica will not do, in a"
                + " sentence)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | find()",
        "a b | find()",
        "a#b | find()",
        "Orders | find",
        "Orders | find(",
        "Orders | fi nd()"
      })
  void aNameThatWouldBreakTheLineIsRefused(String repository, String signature) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RoutedMethod.write(repository, signature))
        .withMessageStartingWith("routed method - ");
  }
}
