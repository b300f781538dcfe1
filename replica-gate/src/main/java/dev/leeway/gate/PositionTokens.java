package dev.leeway.gate;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Gives a {@link ConsistencyToken} to somebody who is not trusted, a browser for example, and takes
 * it back: signed with HMAC-SHA-256, of limited age and size.
 *
 * <p>Signed, not encrypted: the holder can read the cluster's name, the UUIDs of its servers, the
 * numbers of his transactions and when he read, but can change nothing. A token is not bound to its
 * holder; all that a stolen one does is to make reads as current as its owner's.
 *
 * <p>Keys rotate without a gap in three deployments: add the new key behind the present one, so
 * that every process knows it; move it to the front; remove the old one when {@link
 * Builder#timeToLive} has passed.
 *
 * <p>Immutable and safe to share between threads.
 */
public final class PositionTokens {
  /** How long a text may be so that what concerns one entity alone is told apart in it. */
  static final int NARROWED_LENGTH = 384;

  private static final String PREFIX = "lct1.";
  private static final String UNSIGNED_PREFIX = "lcu1.";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int SIGNATURE_LENGTH = 43;

  /** The year 5138; what is later would overflow in microseconds. */
  private static final long LATEST_MILLIS = 100_000_000_000_000L;

  private final Map<String, SecretKeySpec> keys;
  private final String signingKey;
  private final long timeToLiveMillis;
  private final long allowedSkewMillis;
  private final InstantSource clock;

  private PositionTokens(Builder builder, String signingKey) {
    this.keys = new LinkedHashMap<>(builder.keys);
    this.signingKey = signingKey;
    this.timeToLiveMillis = builder.timeToLive.toMillis();
    this.allowedSkewMillis = builder.allowedSkew.toMillis();
    this.clock = builder.clock;
  }

  /** Starts without keys; {@link Builder#key} is to be called at least once. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Tokens that are not signed: only for places that nobody but trusted code can write. Anybody who
   * can write there can claim any position. They live for 30 days.
   */
  public static PositionTokens unsigned() {
    // Longer than any replica may be stale; nobody has to choose it.
    return new PositionTokens(new Builder().timeToLive(Duration.ofDays(30)), "");
  }

  /** Whether tokens are signed, and so may leave the circle of trusted code. */
  public boolean isSigned() {
    return !signingKey.isEmpty();
  }

  /** How old a token may become. */
  public Duration timeToLive() {
    return Duration.ofMillis(timeToLiveMillis);
  }

  /** A token for somebody who wrote this and has seen nothing else; see the other one. */
  public String sign(WritePosition position) {
    return sign(ConsistencyToken.of(position));
  }

  /**
   * A text for this token, issued now.
   *
   * @return printable ASCII without blanks, fit for a cookie's value and for a header; at most
   *     {@value WritePosition#MAX_TOKEN_LENGTH} characters, and fewer than 256 for a single write.
   *     A position that does not fit is signed as an incomplete one without GTIDs: it is never cut
   *     short
   */
  public String sign(ConsistencyToken token) {
    // A clock before 1970 is as wrong as it can be; such a token is born expired.
    long issuedAtMillis = Math.max(0, clock.millis());
    ConsistencyToken tellable = token.tellableAt(issuedAtMillis);
    String text = text(tellable, issuedAtMillis);
    if (text.length() > NARROWED_LENGTH && !tellable.narrowed().isEmpty()) {
      text = text(tellable.widened(), issuedAtMillis);
    }
    return text.length() <= WritePosition.MAX_TOKEN_LENGTH
        ? text
        : text(tellable.withoutGtids(), issuedAtMillis);
  }

  private String text(ConsistencyToken token, long issuedAtMillis) {
    ByteWriter payload = new ByteWriter(128 + token.cluster().name().length());
    payload.writeVarint(issuedAtMillis);
    token.writeTo(payload, issuedAtMillis);
    String encoded = TokenText.encode(payload.toByteArray());
    if (!isSigned()) {
      return UNSIGNED_PREFIX + encoded;
    }
    String signed = PREFIX + signingKey + "." + encoded;
    return signed + "." + signature(signed, signingKey);
  }

  /**
   * The cluster that a token speaks of, by its own word: nothing is verified.
   *
   * @return empty if it is no token
   */
  public static Optional<String> clusterOf(String token) {
    int from = UNSIGNED_PREFIX.length();
    int to = token.length();
    if (token.startsWith(PREFIX)) {
      from = token.indexOf('.', PREFIX.length()) + 1;
      to = token.lastIndexOf('.');
    } else if (!token.startsWith(UNSIGNED_PREFIX)) {
      return Optional.empty();
    }
    if (to < from || to > WritePosition.MAX_TOKEN_LENGTH) {
      return Optional.empty();
    }
    try {
      ByteReader in = new ByteReader("Position token", TokenText.decode(token.substring(from, to)));
      long issuedAtMillis = in.readVarint();
      return Optional.of(ConsistencyToken.readFrom(in, issuedAtMillis).cluster().name());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Judges a token that came from outside. Never throws because of the token; work is bounded by
   * its length, which is checked first, and nothing of its content is looked at before its
   * signature.
   *
   * @param token what was received; null is malformed
   * @param clusterName the cluster that is going to be read
   */
  public TokenResult verify(@Nullable String token, String clusterName) {
    Objects.requireNonNull(clusterName, "clusterName");
    if (token == null || token.length() > WritePosition.MAX_TOKEN_LENGTH) {
      return refused(TokenResult.Verdict.MALFORMED);
    }
    if (!isSigned()) {
      return token.startsWith(UNSIGNED_PREFIX)
          ? read(token.substring(UNSIGNED_PREFIX.length()), clusterName)
          : refused(TokenResult.Verdict.MALFORMED);
    }
    if (!token.startsWith(PREFIX)) {
      return refused(TokenResult.Verdict.MALFORMED);
    }
    int endOfKey = token.indexOf('.', PREFIX.length());
    int endOfPayload = endOfKey < 0 ? -1 : token.indexOf('.', endOfKey + 1);
    if (endOfPayload < 0
        || token.length() - endOfPayload - 1 != SIGNATURE_LENGTH
        || !isUrlSafe(token, PREFIX.length(), endOfKey)
        || !isUrlSafe(token, endOfKey + 1, endOfPayload)
        || !isUrlSafe(token, endOfPayload + 1, token.length())) {
      return refused(TokenResult.Verdict.MALFORMED);
    }
    String key = token.substring(PREFIX.length(), endOfKey);
    if (!keys.containsKey(key)
        || !sameInConstantTime(
            signature(token.substring(0, endOfPayload), key), token.substring(endOfPayload + 1))) {
      return refused(TokenResult.Verdict.FORGED);
    }
    return read(token.substring(endOfKey + 1, endOfPayload), clusterName);
  }

  private TokenResult read(String payload, String clusterName) {
    try {
      return judge(TokenText.decode(payload), clusterName);
    } catch (IllegalArgumentException e) {
      // Signed by us and yet unreadable: a later release has changed the form and not the prefix.
      return refused(TokenResult.Verdict.MALFORMED);
    }
  }

  private TokenResult judge(byte[] payload, String clusterName) {
    ByteReader in = new ByteReader("Position token", payload);
    long issuedAtMillis = in.readVarint();
    if (issuedAtMillis > LATEST_MILLIS) {
      throw in.malformed("a token made in " + issuedAtMillis + " ms", "a moment of this era");
    }
    ConsistencyToken token = ConsistencyToken.readFrom(in, issuedAtMillis);
    in.expectEnd();
    long ageMillis = Math.max(0, clock.millis()) - issuedAtMillis;
    if (ageMillis < -allowedSkewMillis) {
      return refused(TokenResult.Verdict.FUTURE);
    }
    if (ageMillis > timeToLiveMillis) {
      return refused(TokenResult.Verdict.EXPIRED);
    }
    if (!token.cluster().name().equals(clusterName)) {
      return refused(TokenResult.Verdict.FOREIGN);
    }
    return new TokenResult(
        TokenResult.Verdict.ACCEPTED,
        token,
        TimeUnit.MILLISECONDS.toNanos(Math.max(0, ageMillis - allowedSkewMillis)));
  }

  private static TokenResult refused(TokenResult.Verdict verdict) {
    return TokenResult.refused(verdict);
  }

  private String signature(String signed, String key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(keys.get(key));
      return TokenText.encode(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "Position tokens - this Java runtime has no " + ALGORITHM + ", which every one must", e);
    }
  }

  /** Compares the texts, so that a signature has one spelling. */
  private static boolean sameInConstantTime(String expected, String presented) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.US_ASCII),
        presented.getBytes(StandardCharsets.US_ASCII));
  }

  private static boolean isUrlSafe(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (!GtidTag.isPart(c) && c != '-') {
        return false;
      }
    }
    return to > from;
  }

  /** Names the keys, never their secrets. */
  @Override
  public String toString() {
    if (!isSigned()) {
      return "PositionTokens[unsigned]";
    }
    Set<String> others = new TreeSet<>(keys.keySet());
    others.remove(signingKey);
    return "PositionTokens[signs with " + signingKey + ", also accepts " + others + "]";
  }

  /** Collects keys and limits. For one thread. */
  public static final class Builder {
    /** The most keys: more than this is a rotation that forgot to remove. */
    public static final int MAX_KEYS = 16;

    /** The shortest secret, in bytes: the length of the signature. */
    public static final int MIN_SECRET_BYTES = 32;

    /** The longest name of a key, in characters. */
    public static final int MAX_KEY_NAME_LENGTH = 16;

    private static final Duration LONGEST_TIME_TO_LIVE = Duration.ofDays(365);
    private static final Duration LARGEST_SKEW = Duration.ofHours(1);

    private final Map<String, SecretKeySpec> keys = new LinkedHashMap<>();
    private Duration timeToLive = Duration.ofDays(1);
    private Duration allowedSkew = Duration.ofSeconds(30);
    private InstantSource clock = InstantSource.system();

    private Builder() {}

    /**
     * Adds a key. The first one signs; all verify.
     *
     * @param name goes into every token it signs, so that the key is found again: 1 to {@value
     *     #MAX_KEY_NAME_LENGTH} letters, digits, dashes or underscores
     * @param secret at least {@value #MIN_SECRET_BYTES} bytes from a random generator; copied
     * @throws IllegalArgumentException if the name or the secret is unfit, or the name is taken
     */
    public Builder key(String name, byte[] secret) {
      if (name.length() > MAX_KEY_NAME_LENGTH || !isUrlSafe(name, 0, name.length())) {
        throw new IllegalArgumentException(
            "Position tokens - key name '"
                + Excerpt.of(name)
                + "' (expected: 1 to "
                + MAX_KEY_NAME_LENGTH
                + " letters, digits, dashes or underscores)");
      }
      if (secret.length < MIN_SECRET_BYTES) {
        throw new IllegalArgumentException(
            "Position tokens - secret of key '"
                + name
                + "' has "
                + secret.length
                + " bytes (expected: at least "
                + MIN_SECRET_BYTES
                + ", from a random generator)");
      }
      if (keys.containsKey(name)) {
        throw new IllegalArgumentException(
            "Position tokens - key '" + name + "' was already added. Give every key its own name.");
      }
      if (keys.size() == MAX_KEYS) {
        throw new IllegalArgumentException(
            "Position tokens - key '"
                + name
                + "' is one too many (expected: at most "
                + MAX_KEYS
                + "). Remove keys that no living token was signed with.");
      }
      keys.put(name, new SecretKeySpec(secret, ALGORITHM));
      return this;
    }

    /**
     * How old a token may become: 1 ms to 365 days. Default: 1 day. It need only outlast the time
     * that replicas take to catch up; after that a token says what every replica has reached
     * anyway.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder timeToLive(Duration duration) {
      timeToLive = inRange("timeToLive", duration, Duration.ofMillis(1), LONGEST_TIME_TO_LIVE);
      return this;
    }

    /**
     * By how much the clock of the process that signed may be ahead of ours: zero to 1 hour.
     * Default: 30 seconds.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder allowedSkew(Duration duration) {
      allowedSkew = inRange("allowedSkew", duration, Duration.ZERO, LARGEST_SKEW);
      return this;
    }

    /** Where the time comes from. Default: the system's clock. */
    public Builder clock(InstantSource source) {
      clock = Objects.requireNonNull(source, "source");
      return this;
    }

    /**
     * Makes the tokens' maker.
     *
     * @throws IllegalStateException if no key was added
     */
    public PositionTokens build() {
      if (keys.isEmpty()) {
        throw new IllegalStateException(
            "Position tokens - no key (expected: at least one). Add one with key(name, secret).");
      }
      return new PositionTokens(this, keys.keySet().iterator().next());
    }

    private static Duration inRange(String name, Duration value, Duration least, Duration most) {
      if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
        throw new IllegalArgumentException(
            "Position tokens - "
                + name
                + " "
                + value
                + " (expected: "
                + least
                + " to "
                + most
                + ")");
      }
      return value;
    }
  }
}
