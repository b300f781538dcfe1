package dev.leeway.gate;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of a token that came from outside.
 *
 * @param verdict whether it was accepted, and if not, why
 * @param token what it says; present exactly if the verdict is {@link Verdict#ACCEPTED}
 * @param minimumAgeNanos how long ago it was made at least, with the skew that clocks are allowed:
 *     everything it stands for had happened by then; zero if it was not accepted
 */
public record TokenResult(Verdict verdict, @Nullable ConsistencyToken token, long minimumAgeNanos) {

  /** In the order in which they are tried; everything after the signature's check is authentic. */
  public enum Verdict {
    /** It is not a token at all: another form, another version, or too long. */
    MALFORMED,
    /** It was changed, or signed by a key that is not among ours, or not any more. */
    FORGED,
    /** It is ours, but from further ahead than clocks may differ. */
    FUTURE,
    /** It is ours, but older than tokens may become. */
    EXPIRED,
    /** It is ours and of an acceptable age, but speaks of another cluster. */
    FOREIGN,
    /** It is ours, of this cluster and of an acceptable age. */
    ACCEPTED
  }

  /** Checks that there is a token exactly if it may be used. */
  public TokenResult {
    Objects.requireNonNull(verdict, "verdict");
    if ((verdict == Verdict.ACCEPTED) != (token != null)) {
      throw new IllegalArgumentException(
          "Token result - "
              + verdict
              + (token == null ? " without" : " with")
              + " a token (expected: a token exactly if ACCEPTED)");
    }
  }

  static TokenResult refused(Verdict verdict) {
    return new TokenResult(verdict, null, 0);
  }

  /** What was written by whoever holds the token; null if it was not accepted. */
  public @Nullable WritePosition position() {
    return token == null ? null : token.position();
  }

  /** Whether the token was accepted. If not, nothing is known of its holder. */
  public boolean isAccepted() {
    return verdict == Verdict.ACCEPTED;
  }
}
