package dev.leeway.gate;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of a signed token.
 *
 * @param verdict whether it was accepted, and if not, why
 * @param position what the token says; present exactly if the verdict is {@link Verdict#ACCEPTED}
 */
public record TokenResult(Verdict verdict, @Nullable WritePosition position) {

  /** In the order in which they are tried; everything after the signature's check is authentic. */
  public enum Verdict {
    /** It is not a token at all: another form, another version, or too long. */
    MALFORMED,
    /** It was changed, or signed by a key that is not among ours, or not any more. */
    FORGED,
    /** It is ours, but speaks of another cluster. */
    FOREIGN,
    /** It is ours, but from further ahead than clocks may differ. */
    FUTURE,
    /** It is ours, but older than tokens may become. */
    EXPIRED,
    /** It is ours, of this cluster and of an acceptable age. */
    ACCEPTED
  }

  /** Checks that there is a position exactly if it may be used. */
  public TokenResult {
    Objects.requireNonNull(verdict, "verdict");
    if ((verdict == Verdict.ACCEPTED) != (position != null)) {
      throw new IllegalArgumentException(
          "Token result - "
              + verdict
              + (position == null ? " without" : " with")
              + " a position (expected: a position exactly if ACCEPTED)");
    }
  }

  /** Whether the token was accepted. If not, what must be current is to be read on the primary. */
  public boolean isAccepted() {
    return verdict == Verdict.ACCEPTED;
  }
}
