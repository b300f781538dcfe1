package dev.leeway.statement;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes new texts from those of the corpus: pieces put in, taken out, exchanged. */
final class TextMutations {
  private static final String[] PIECES = {
    "FOR",
    "UPDATE",
    "SHARE",
    "FOR UPDATE",
    "FOR SHARE",
    "LOCK IN SHARE MODE",
    "NOWAIT",
    "OF",
    "/*!",
    "/*!50000 ",
    "/*!99999 ",
    "/*",
    "*/",
    "'",
    "\"",
    "`",
    "--",
    "-- ",
    "#",
    "\n",
    " ",
    "(",
    ")",
    ",",
    ".",
    "()",
    "next_no",
    "next_no()",
    "`next_no`",
    "AS",
    "AS x (",
    "WITH",
    "c (a) AS (",
    "INTO",
    "INTO @x",
    "@x",
    ":=",
    "@x:=1",
    "1.",
    ".5",
    "1e5",
    "\\",
    "{fn ",
    "}",
    "FROM",
    "FROM orders",
    "SELECT",
    "(SELECT 1)",
    "TABLE orders",
    "VALUES ROW(1)",
    "UNION",
    "USE INDEX",
    "PARTITION",
    "JOIN",
    "ORDER BY",
    "WHERE",
    "CAST(",
    "CONVERT(",
    "RETURNING",
    "JSON_TABLE(",
    "COLUMNS(",
    "DATETIME(",
    "SUBSTRING(",
    "MATCH",
    "AGAINST(",
    "ANY(",
    "LATERAL",
    "OVER",
    "GET_LOCK('a', 0)",
    "LAST_INSERT_ID(5)",
    "N'",
    "x'",
    "_utf8mb4'",
    "@@",
    "@@global.",
    "$$",
    "?",
    "EXPLAIN",
    "LIMIT 1",
    "DISTINCT",
    "ROLLUP",
    "-",
    "*",
    "/",
    "=",
    "1",
    "t.",
    "o"
  };

  private final Random random;
  private final List<String> texts = new ArrayList<>();

  TextMutations(Random random) {
    this.random = random;
    for (String text : Corpus.allPlainReads()) {
      addUnlessSlow(text);
    }
    for (String text : Corpus.allOtherReads()) {
      addUnlessSlow(text);
    }
  }

  private void addUnlessSlow(String text) {
    if (!text.contains("SLEEP") && !text.contains("RECURSIVE") && !text.contains("WAIT")) {
      texts.add(text);
    }
  }

  String next() {
    String text = any();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      text = changed(text);
    }
    return text;
  }

  private String any() {
    return texts.get(random.nextInt(texts.size()));
  }

  private String changed(String text) {
    int at = random.nextInt(text.length() + 1);
    int blank = text.indexOf(' ', at) < 0 ? text.length() : text.indexOf(' ', at);
    return switch (random.nextInt(5)) {
      case 0 -> text.substring(0, at) + piece() + text.substring(at);
      case 1 -> text.substring(0, blank) + " " + piece() + " " + text.substring(blank);
      case 2 ->
          text.substring(0, at) + text.substring(Math.min(text.length(), at + random.nextInt(8)));
      case 3 -> text.substring(0, blank) + part(any()) + text.substring(blank);
      default -> {
        int next = text.indexOf(' ', Math.min(text.length(), blank + 1));
        yield text.substring(0, blank) + " " + piece() + (next < 0 ? "" : text.substring(next));
      }
    };
  }

  private String piece() {
    return PIECES[random.nextInt(PIECES.length)];
  }

  private String part(String text) {
    int from = random.nextInt(text.length() + 1);
    return text.substring(from, from + random.nextInt(text.length() + 1 - from));
  }
}
