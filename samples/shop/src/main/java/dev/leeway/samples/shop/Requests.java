package dev.leeway.samples.shop;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What happens around every request and every job; in a web application, a filter. */
public interface Requests {
  /** Runs a request of this visitor and gives him what he needs for the next one. */
  <T> T handle(Visitor visitor, Function<Request, T> work);

  /** A request under way. */
  interface Request {
    /**
     * For a job that must see what this request has written so far; taken after the commit. Null
     * where nothing is carried.
     */
    @Nullable String token();
  }

  /** Without Leeway: nothing is carried from one request to the next. */
  static Requests plain() {
    return new Requests() {
      @Override
      public <T> T handle(Visitor visitor, Function<Request, T> work) {
        return work.apply(() -> null);
      }
    };
  }
}
