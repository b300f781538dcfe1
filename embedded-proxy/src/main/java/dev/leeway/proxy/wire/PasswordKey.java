package dev.leeway.proxy.wire;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.jspecify.annotations.Nullable;

/**
 * The RSA key by which a password travels in full where there is no TLS. Each proxy makes its own
 * when the first client asks for it; safe for any number of threads.
 */
public final class PasswordKey {
  private static final int KEY_BITS = 2048;
  private static final String CIPHER = "RSA/ECB/OAEPPadding";
  private static final OAEPParameterSpec OAEP =
      new OAEPParameterSpec("SHA-1", "MGF1", MGF1ParameterSpec.SHA1, PSource.PSpecified.DEFAULT);
  private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
  private static final String END = "-----END PUBLIC KEY-----";
  private static final int LONGEST_PEM = 16 * 1024;

  private @Nullable KeyPair keys;

  /** The key, which takes some hundred milliseconds to make, and most proxies never need. */
  private synchronized KeyPair keys() {
    KeyPair known = keys;
    if (known == null) {
      try {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(KEY_BITS);
        known = generator.generateKeyPair();
        keys = known;
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this Java cannot make an RSA key", e);
      }
    }
    return known;
  }

  /** The public half, in PEM. */
  public byte[] publicPem() {
    String base64 =
        Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(keys().getPublic().getEncoded());
    return (BEGIN + "\n" + base64 + "\n" + END + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The password that a client encrypted.
   *
   * @throws MalformedPacketException if it was not encrypted for this key and nonce
   */
  public byte[] decrypt(byte[] encrypted, byte[] nonce) {
    byte[] masked;
    try {
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(Cipher.DECRYPT_MODE, keys().getPrivate(), OAEP);
      masked = cipher.doFinal(encrypted);
    } catch (GeneralSecurityException e) {
      throw new MalformedPacketException(
          "encrypted password of "
              + encrypted.length
              + " bytes (expected: one made with this proxy's public key)");
    }
    return withoutTerminator(Passwords.maskedByNonce(masked, nonce));
  }

  /**
   * A password for a server, with the server's own key.
   *
   * @throws MalformedPacketException if the key is none
   */
  public static byte[] encrypt(byte[] publicPem, byte[] password, byte[] nonce) {
    byte[] masked = Passwords.maskedByNonce(Passwords.terminated(password), nonce);
    try {
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(Cipher.ENCRYPT_MODE, parse(publicPem), OAEP);
      return cipher.doFinal(masked);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new MalformedPacketException(
          "server's public key of " + publicPem.length + " bytes (expected: RSA in PEM)");
    }
  }

  private static PublicKey parse(byte[] pem) throws GeneralSecurityException {
    String text = new String(pem, StandardCharsets.US_ASCII);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (pem.length > LONGEST_PEM || begin < 0 || end < begin) {
      throw new IllegalArgumentException("no PEM");
    }
    byte[] encoded = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
    return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(encoded));
  }

  /**
   * A password that travelled in full, without the zero byte that closes it.
   *
   * @throws MalformedPacketException if none closes it
   */
  public static byte[] withoutTerminator(byte[] password) {
    if (password.length == 0 || password[password.length - 1] != 0) {
      throw new MalformedPacketException(
          "password without an end (expected: a zero byte after it)");
    }
    return Arrays.copyOf(password, password.length - 1);
  }
}
