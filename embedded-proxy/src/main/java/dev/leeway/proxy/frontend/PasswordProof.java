package dev.leeway.proxy.frontend;

import dev.leeway.proxy.backend.Account;
import dev.leeway.proxy.wire.AuthPackets;
import dev.leeway.proxy.wire.Greeting;
import dev.leeway.proxy.wire.MalformedPacketException;
import dev.leeway.proxy.wire.PasswordKey;
import dev.leeway.proxy.wire.Passwords;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.security.SecureRandom;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a client knows its password, by one of the two methods.
 *
 * <pre>
 *   other method --- switch, proof ---+
 *   proof right ---------------------- fast success, known
 *   proof wrong or password unknown -- full: over TLS as it is, else by the public key
 * </pre>
 *
 * <p>Makes no I/O: is given what the client sent, and writes what to answer. Of a user that does
 * not exist nothing else is seen than of a wrong password. Mutable, for one thread.
 */
final class PasswordProof {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int LONGEST_PASSWORD = 1024;

  private enum Step {
    CHECK,
    SWITCH,
    AWAIT_PROOF,
    ASK_IN_FULL,
    AWAIT_PASSWORD,
    SEND_KEY,
    AWAIT_ENCRYPTED,
    ACCEPT_FAST,
    ACCEPTED,
    REFUSED
  }

  private final Users users;
  private final PasswordKey key;

  private byte[] nonce = newNonce();
  private Step step = Step.CHECK;
  private String user = "";
  private boolean usedPassword;
  private @Nullable Account account;

  PasswordProof(Users users, PasswordKey key) {
    this.users = users;
    this.key = key;
  }

  /** What the client proves its password against. */
  byte[] nonce() {
    return nonce.clone();
  }

  /** The method that is offered first. */
  String plugin() {
    return Passwords.CACHING_SHA2;
  }

  /** The client has named itself. */
  void begin(String userName, String clientPlugin, byte[] answer) {
    user = userName;
    if (clientPlugin.equals(Passwords.CACHING_SHA2)) {
      check(Passwords.CACHING_SHA2, answer);
    } else if ((clientPlugin.isEmpty() || clientPlugin.equals(Passwords.NATIVE))
        && answer.length > 0
        && !users.mayAskInFull(user)) {
      // A client that names no method knows the old one only.
      check(Passwords.NATIVE, answer);
    } else {
      step = Step.SWITCH;
    }
  }

  /** Begins with another method than the client's, whatever that was. */
  void beginWithSwitch(String userName) {
    user = userName;
    step = Step.SWITCH;
  }

  /** The client has answered. */
  void answer(ByteBuf payload, boolean isPrivate) {
    byte[] bytes = ByteBufUtil.getBytes(payload);
    switch (step) {
      case AWAIT_PROOF -> check(Passwords.CACHING_SHA2, bytes);
      case AWAIT_PASSWORD -> {
        if (isPrivate) {
          inFull(bytes);
        } else if (bytes.length == 1 && bytes[0] == AuthPackets.REQUEST_PUBLIC_KEY) {
          step = Step.SEND_KEY;
        } else {
          throw new MalformedPacketException(
              "password of " + bytes.length + " bytes without TLS (expected: a request for a key)");
        }
      }
      case AWAIT_ENCRYPTED -> inFull(Passwords.terminated(key.decrypt(bytes, nonce)));
      default -> throw new MalformedPacketException("answer that nobody asked for");
    }
  }

  private void check(String plugin, byte[] answer) {
    // Some clients close an empty proof with a zero byte.
    byte[] proof = answer.length == 1 && answer[0] == 0 ? new byte[0] : answer;
    usedPassword = proof.length > 0;
    Account known = users.find(user);
    if (known != null && Passwords.isProof(plugin, known.password(), nonce, proof)) {
      account = known;
      step =
          usedPassword && plugin.equals(Passwords.CACHING_SHA2) ? Step.ACCEPT_FAST : Step.ACCEPTED;
    } else if (usedPassword && plugin.equals(Passwords.CACHING_SHA2) && users.mayAskInFull(user)) {
      step = Step.ASK_IN_FULL;
    } else {
      step = Step.REFUSED;
    }
  }

  /** The password itself has come; whether it is right, the server decides. */
  private void inFull(byte[] terminated) {
    byte[] password = PasswordKey.withoutTerminator(terminated);
    if (password.length > LONGEST_PASSWORD) {
      throw new MalformedPacketException(
          "password of " + password.length + " bytes (expected: at most " + LONGEST_PASSWORD + ")");
    }
    account = new Account(user, password);
    step = Step.ACCEPTED;
  }

  /**
   * Writes what the client is to be told next, if anything.
   *
   * @return whether the client has to answer; otherwise {@link #account} tells how it ended
   */
  boolean writeNext(ByteBuf out, IntSupplier sequence) {
    switch (step) {
      case SWITCH -> {
        nonce = newNonce();
        new AuthPackets.Switch(Passwords.CACHING_SHA2, nonce).write(out, sequence.getAsInt());
        step = Step.AWAIT_PROOF;
        return true;
      }
      case ASK_IN_FULL -> {
        AuthPackets.writeMoreData(
            out, sequence.getAsInt(), new byte[] {AuthPackets.FULL_AUTHENTICATION});
        step = Step.AWAIT_PASSWORD;
        return true;
      }
      case SEND_KEY -> {
        AuthPackets.writeMoreData(out, sequence.getAsInt(), key.publicPem());
        step = Step.AWAIT_ENCRYPTED;
        return true;
      }
      case ACCEPT_FAST -> {
        AuthPackets.writeMoreData(out, sequence.getAsInt(), new byte[] {AuthPackets.FAST_SUCCESS});
        step = Step.ACCEPTED;
        return false;
      }
      default -> {
        return false;
      }
    }
  }

  /** The account whose password was proved, or null if it was not. */
  @Nullable Account account() {
    return step == Step.ACCEPTED ? account : null;
  }

  /** Whether the client came with a password at all. */
  boolean usedPassword() {
    return usedPassword;
  }

  /** Without zero bytes, at which some clients stop reading. */
  private static byte[] newNonce() {
    byte[] nonce = new byte[Greeting.NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    for (int i = 0; i < nonce.length; i++) {
      nonce[i] = (byte) (1 + (nonce[i] & 0x7F) % 126);
    }
    return nonce;
  }
}
