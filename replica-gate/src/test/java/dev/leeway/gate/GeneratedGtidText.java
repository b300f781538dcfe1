package dev.leeway.gate;

import java.util.Locale;
import java.util.Random;

/**
 * Texts of GTID sets as a server, a person or an accident may write them. The same seed gives the
 * same texts.
 */
final class GeneratedGtidText {
  private static final String[] SOURCES = {
    "00000000-0000-0000-0000-000000000000",
    "0a11fa47-71ca-11e1-9e33-c80aa9429562",
    "3e11fa47-71ca-11e1-1e33-c80aa9429562",
    "3e11fa47-71ca-11e1-9e33-c80aa9429562",
    "3e11fa47-71ca-11e1-9e33-c80aa9429563",
    "b011fa47-71ca-11e1-9e33-c80aa9429562",
    "ffffffff-ffff-ffff-ffff-ffffffffffff"
  };

  private static final String[] TAGS = {
    "_", "a", "A", "a1", "a_", "aa", "b", "Billing_1", "abcdefghijklmnopqrstuvwxyz_01234"
  };

  private static final String[] BLANKS = {" ", "  ", "\n", "\r\n", "\t", " \u000b\f "};
  private static final String MOSTLY_HARMLESS = " \t\n01239aA:,";
  private static final String ANYTHING = " \t\n\r\0:,-{};+_.'\\019aAfFgGzZ\u00e9\u00a0\u0661\u2028";

  private final Random random;

  GeneratedGtidText(long seed) {
    random = new Random(seed);
  }

  /** One that the server accepts. */
  String valid() {
    // Each text has its own share of disorder, so that tidy ones are among them.
    int disorder = random.nextInt(4) * 12;
    int numbers = random.nextBoolean() ? 25 : 2_000;
    StringBuilder text = new StringBuilder();
    for (int member = random.nextInt(6); member >= 0; member--) {
      blank(text, disorder);
      if (random.nextInt(100) >= disorder / 4) {
        member(text, disorder, numbers);
      }
      blank(text, disorder);
      if (member > 0 || random.nextInt(100) < disorder / 4) {
        text.append(',');
      }
    }
    return text.toString();
  }

  private void member(StringBuilder text, int disorder, int numbers) {
    source(text, disorder);
    for (int item = random.nextInt(8); item > 0; item--) {
      blank(text, disorder);
      text.append(':');
      blank(text, disorder);
      if (random.nextInt(3) == 0) {
        text.append(TAGS[random.nextInt(TAGS.length)]);
      } else {
        interval(text, disorder, numbers);
      }
    }
  }

  private void source(StringBuilder text, int disorder) {
    String source = SOURCES[random.nextInt(SOURCES.length)];
    if (random.nextInt(100) < disorder) {
      switch (random.nextInt(3)) {
        case 0 -> source = source.toUpperCase(Locale.ROOT);
        case 1 -> source = source.replace("-", "");
        default -> source = "{" + source + "}";
      }
    }
    text.append(source);
  }

  private void interval(StringBuilder text, int disorder, int numbers) {
    long first = random.nextInt(numbers) + 1L;
    if (random.nextInt(20) == 0) {
      first += Gtid.MAX_NUMBER - numbers;
    }
    text.append(random.nextInt(100) < disorder / 4 ? "00" : "").append(first);
    if (random.nextBoolean()) {
      blank(text, disorder);
      text.append('-');
      blank(text, disorder);
      boolean backwards = random.nextInt(100) < disorder / 4;
      int length = backwards ? -1 - random.nextInt(5) : random.nextInt(Math.max(2, numbers / 10));
      text.append(Math.min(Gtid.MAX_NUMBER, Math.max(0, first + length)));
    }
  }

  private void blank(StringBuilder text, int disorder) {
    if (random.nextInt(100) < disorder) {
      text.append(BLANKS[random.nextInt(BLANKS.length)]);
    }
  }

  /** One with a few characters changed; the server may or may not accept it. */
  String doubtful() {
    StringBuilder text = new StringBuilder(valid());
    for (int change = random.nextInt(8) / 6; change >= 0; change--) {
      String alphabet = random.nextInt(3) == 0 ? ANYTHING : MOSTLY_HARMLESS;
      char other = alphabet.charAt(random.nextInt(alphabet.length()));
      int at = random.nextInt(text.length() + 1);
      int kind = at == text.length() ? 0 : random.nextInt(4);
      switch (kind) {
        case 0 -> text.insert(at, other);
        case 1 -> text.setCharAt(at, other);
        case 2 -> text.deleteCharAt(at);
        default -> text.insert(at, text.charAt(random.nextInt(text.length())));
      }
    }
    return text.toString();
  }
}
