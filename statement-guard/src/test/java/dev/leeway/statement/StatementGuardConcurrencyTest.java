package dev.leeway.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StatementGuardConcurrencyTest {
  @Test
  void manyThreadsGetTheAnswersThatOneThreadGets() throws Exception {
    StatementGuard guard = StatementGuard.create();
    List<String> texts = new ArrayList<>(Corpus.allPlainReads());
    texts.addAll(Corpus.allOtherReads());
    // More texts than the table has places, so that they push each other out.
    for (int i = 0; i < 2_000; i++) {
      texts.add("SELECT " + i + (i % 2 == 0 ? " FOR UPDATE" : ""));
    }
    Map<String, StatementKind> expected = new HashMap<>();
    for (String text : texts) {
      expected.put(text, StatementGuard.create().classify(text));
    }
    ExecutorService threads = Executors.newFixedThreadPool(12);
    try {
      List<Future<Boolean>> results = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        results.add(threads.submit(reader(guard, texts, expected, i)));
      }
      for (Future<Boolean> result : results) {
        assertThat(result.get(60, TimeUnit.SECONDS)).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Callable<Boolean> reader(
      StatementGuard guard, List<String> texts, Map<String, StatementKind> expected, int seed) {
    return () -> {
      Random random = new Random(seed);
      for (int i = 0; i < 20_000; i++) {
        String text = texts.get(random.nextInt(texts.size()));
        assertThat(guard.classify(text)).as(text).isEqualTo(expected.get(text));
        AnalyzedStatement analyzed = guard.lookup(text);
        assertThat(analyzed.sql()).isEqualTo(text);
        assertThat(analyzed.kind()).as(text).isEqualTo(expected.get(text));
      }
      return true;
    };
  }
}
