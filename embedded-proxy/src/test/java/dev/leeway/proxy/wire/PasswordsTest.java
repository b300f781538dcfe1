package dev.leeway.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PasswordsTest {
  private static final byte[] NONCE = "abcdefghijklmnopqrst".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SECRET = "secret".getBytes(StandardCharsets.US_ASCII);

  @Test
  void theProofsAreThoseOfTheManual() {
    assertThat(HexFormat.of().formatHex(Passwords.prove(Passwords.CACHING_SHA2, SECRET, NONCE)))
        .isEqualTo("c76e2898612a4cf042c77fa8c4702c4c64c0c2c557c53c4d75595aaa6abae809");
    assertThat(HexFormat.of().formatHex(Passwords.prove(Passwords.NATIVE, SECRET, NONCE)))
        .isEqualTo("8817c50fa779daef010ee7577825b0847df9842e");
  }

  @Test
  void onlyTheRightPasswordIsProved() {
    for (String plugin : new String[] {Passwords.CACHING_SHA2, Passwords.NATIVE}) {
      byte[] proof = Passwords.prove(plugin, SECRET, NONCE);
      assertThat(Passwords.isProof(plugin, SECRET, NONCE, proof)).isTrue();
      proof[3] ^= 1;
      assertThat(Passwords.isProof(plugin, SECRET, NONCE, proof)).isFalse();
      assertThat(Passwords.isProof(plugin, SECRET, NONCE, new byte[0])).isFalse();
      assertThat(Passwords.isProof(plugin, new byte[0], NONCE, new byte[0])).isTrue();
    }
  }

  @Test
  void aPasswordTravelsByThePublicKeyAndCannotBeReplayedWithAnotherNonce() {
    PasswordKey key = new PasswordKey();
    byte[] encrypted = PasswordKey.encrypt(key.publicPem(), SECRET, NONCE);

    assertThat(key.decrypt(encrypted, NONCE)).isEqualTo(SECRET);
    byte[] other = "ABCDEFGHIJKLMNOPQRST".getBytes(StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> key.decrypt(encrypted, other))
        .isInstanceOf(MalformedPacketException.class)
        .hasMessage("password without an end (expected: a zero byte after it)");
  }

  @Test
  void whatIsNotEncryptedForThisKeyIsRefused() {
    assertThatThrownBy(() -> new PasswordKey().decrypt(new byte[256], NONCE))
        .isInstanceOf(MalformedPacketException.class)
        .hasMessage(
            "encrypted password of 256 bytes (expected: one made with this proxy's public key)");
    assertThatThrownBy(
            () -> PasswordKey.encrypt("no key".getBytes(StandardCharsets.US_ASCII), SECRET, NONCE))
        .isInstanceOf(MalformedPacketException.class)
        .hasMessage("server's public key of 6 bytes (expected: RSA in PEM)");
  }
}
