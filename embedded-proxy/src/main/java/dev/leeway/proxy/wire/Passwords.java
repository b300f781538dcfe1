package dev.leeway.proxy.wire;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * How passwords are proved: the arithmetic of caching_sha2_password and mysql_native_password.
 *
 * <p>Both prove the knowledge of a hash against a nonce. An empty password is proved by an empty
 * answer.
 */
public final class Passwords {
  public static final String CACHING_SHA2 = "caching_sha2_password";
  public static final String NATIVE = "mysql_native_password";

  private Passwords() {}

  /** Whether the proxy knows the method. */
  public static boolean isKnown(String plugin) {
    return plugin.equals(CACHING_SHA2) || plugin.equals(NATIVE);
  }

  /**
   * The proof of a password by a method.
   *
   * @param plugin one that {@link #isKnown}
   */
  public static byte[] prove(String plugin, byte[] password, byte[] nonce) {
    if (password.length == 0) {
      return new byte[0];
    }
    return switch (plugin) {
      case CACHING_SHA2 -> cachingSha2(password, nonce);
      case NATIVE -> nativePassword(password, nonce);
      default -> throw new IllegalArgumentException("unknown authentication method " + plugin);
    };
  }

  /** Whether a client's answer proves the password; takes the same time for every wrong answer. */
  public static boolean isProof(String plugin, byte[] password, byte[] nonce, byte[] answer) {
    return MessageDigest.isEqual(prove(plugin, password, nonce), answer);
  }

  /** {@code SHA256(password) XOR SHA256(SHA256(SHA256(password)), nonce)}. */
  private static byte[] cachingSha2(byte[] password, byte[] nonce) {
    MessageDigest sha = digest("SHA-256");
    byte[] once = sha.digest(password);
    byte[] twice = sha.digest(once);
    sha.update(twice);
    sha.update(nonce);
    return xor(once, sha.digest());
  }

  /** {@code SHA1(password) XOR SHA1(nonce, SHA1(SHA1(password)))}. */
  private static byte[] nativePassword(byte[] password, byte[] nonce) {
    MessageDigest sha = digest("SHA-1");
    byte[] once = sha.digest(password);
    byte[] twice = sha.digest(once);
    sha.update(nonce);
    sha.update(twice);
    return xor(once, sha.digest());
  }

  /** The password with the zero byte that closes it when it travels in full. */
  public static byte[] terminated(byte[] password) {
    return Arrays.copyOf(password, password.length + 1);
  }

  /** Each byte with the nonce's, which is repeated; done before RSA and undone after it. */
  public static byte[] maskedByNonce(byte[] bytes, byte[] nonce) {
    byte[] masked = bytes.clone();
    for (int i = 0; i < masked.length; i++) {
      masked[i] ^= nonce[i % nonce.length];
    }
    return masked;
  }

  private static byte[] xor(byte[] left, byte[] right) {
    for (int i = 0; i < left.length; i++) {
      left[i] ^= right[i];
    }
    return left;
  }

  private static MessageDigest digest(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no " + name, e);
    }
  }
}
