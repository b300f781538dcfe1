package dev.leeway.routing.it;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.leeway.routing.Leeway;
import dev.leeway.routing.RequestScope;
import dev.leeway.testkit.TestSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A scope that nobody closed is found and named. */
class LeakedScopesIT {
  private static TestSchema schema;
  private static Leeway leeway;

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeAll
  static void start() throws Exception {
    schema = Servers.newSchema();
    leeway = Servers.builder("leaks", schema).start();
  }

  @AfterAll
  static void stop() {
    leeway.close();
    schema.close();
  }

  @BeforeEach
  void listen() {
    log.start();
    ((Logger) LoggerFactory.getLogger(Leeway.class)).addAppender(log);
  }

  @AfterEach
  void stopListening() {
    ((Logger) LoggerFactory.getLogger(Leeway.class)).detachAppender(log);
  }

  @Test
  void aScopeLeftOpenOnAPooledThreadIsFoundByTheNextOneAndDoesNotComeBack() throws Exception {
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try {
      List<RequestScope> scopes = new ArrayList<>();
      for (boolean closes : new boolean[] {false, true}) {
        scopes.add(worker.submit(() -> handle(closes)).get());
      }

      assertThat(scopes).hasSize(2).allMatch(RequestScope::isClosed);
      assertThat(worker.submit(() -> leeway.currentScope().isPresent()).get()).isFalse();
      assertThat(messages())
          .singleElement()
          .asString()
          .startsWith("leaks - a scope was left open and is closed now")
          .contains("LeakedScopesIT.handle");
    } finally {
      worker.shutdown();
    }
  }

  private static RequestScope handle(boolean closes) {
    RequestScope scope = leeway.openScope();
    if (closes) {
      scope.close();
    }
    return scope;
  }

  @Test
  void scopesInsideEachOtherAreNoLeaks() {
    try (RequestScope outer = leeway.openScope()) {
      try (RequestScope inner = leeway.openScope()) {
        assertThat(leeway.currentScope()).contains(inner);
      }
      assertThat(leeway.currentScope()).contains(outer);
      recursion(12);
      assertThat(leeway.currentScope()).contains(outer);
    }
    assertThat(leeway.currentScope()).isEmpty();
    assertThat(messages()).isEmpty();
  }

  private static void recursion(int depth) {
    try (RequestScope scope = leeway.openScope()) {
      if (depth > 0) {
        recursion(depth - 1);
      }
      assertThat(leeway.currentScope()).contains(scope);
    }
  }

  @Test
  void anInnerScopeLeftOpenIsClosedWithTheOuterOne() {
    RequestScope inner;
    try (RequestScope outer = leeway.openScope()) {
      assertThat(outer.isClosed()).isFalse();
      inner = leeway.openScope();
    }
    assertThat(inner.isClosed()).isTrue();
    assertThat(leeway.currentScope()).isEmpty();
    assertThat(messages()).singleElement().asString().contains("anInnerScopeLeftOpen");
  }

  @Test
  void aScopeClosedOnAnotherThreadIsGoneFromItsOwn() throws Exception {
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try {
      RequestScope scope = leeway.openScope();
      worker.submit(scope::close).get();

      assertThat(leeway.currentScope()).isEmpty();
      assertThat(messages()).isEmpty();
    } finally {
      worker.shutdown();
    }
  }

  @Test
  void aScopeWhoseThreadEndedIsFoundByTheGarbageCollector() throws Exception {
    Thread thread = new Thread(() -> leeway.openScope(), "forgets");
    thread.start();
    thread.join();

    Servers.await(
        "the forgotten scope is reported",
        () -> {
          System.gc();
          return !messages().isEmpty();
        });
    assertThat(messages()).singleElement().asString().contains("LeakedScopesIT");
  }

  private List<String> messages() {
    return List.copyOf(log.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
