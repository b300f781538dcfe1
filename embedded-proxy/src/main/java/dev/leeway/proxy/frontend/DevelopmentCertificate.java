package dev.leeway.proxy.frontend;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import javax.net.ssl.SSLException;

/**
 * A certificate that the proxy makes for itself, so that clients which insist on TLS can connect
 * while one develops. It proves nothing about who answers: a client that verifies refuses it.
 */
public final class DevelopmentCertificate {
  private static final Duration VALIDITY = Duration.ofDays(30);
  private static final DateTimeFormatter GENERALIZED_TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int UTF8_STRING = 0x0C;
  private static final int GENERALIZED = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int VERSION_FIELD = 0xA0;

  /** ecdsa-with-SHA256, 1.2.840.10045.4.3.2. */
  private static final byte[] SIGNATURE_ALGORITHM =
      der(SEQUENCE, bytes(0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02));

  /** commonName, 2.5.4.3. */
  private static final byte[] COMMON_NAME = bytes(0x06, 3, 0x55, 0x04, 0x03);

  private DevelopmentCertificate() {}

  /** TLS with a fresh key and certificate, valid for 30 days. */
  public static SslContext context() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      KeyPair keys = generator.generateKeyPair();
      return SslContextBuilder.forServer(keys.getPrivate(), certificate(keys)).build();
    } catch (GeneralSecurityException | SSLException e) {
      throw new IllegalStateException("this Java cannot make a certificate", e);
    }
  }

  static X509Certificate certificate(KeyPair keys) throws GeneralSecurityException {
    Instant now = Instant.now();
    byte[] name =
        der(
            SEQUENCE,
            der(
                SET,
                der(
                    SEQUENCE,
                    COMMON_NAME,
                    der(
                        UTF8_STRING,
                        "Leeway proxy, development".getBytes(StandardCharsets.UTF_8)))));
    byte[] toBeSigned =
        der(
            SEQUENCE,
            der(VERSION_FIELD, bytes(INTEGER, 1, 2)),
            der(INTEGER, new BigInteger(64, new SecureRandom()).add(BigInteger.ONE).toByteArray()),
            SIGNATURE_ALGORITHM,
            name,
            der(SEQUENCE, time(now.minus(Duration.ofHours(1))), time(now.plus(VALIDITY))),
            name,
            keys.getPublic().getEncoded());
    Signature signer = Signature.getInstance("SHA256withECDSA");
    signer.initSign(keys.getPrivate());
    signer.update(toBeSigned);
    byte[] signature = signer.sign();
    byte[] bits = new byte[signature.length + 1];
    System.arraycopy(signature, 0, bits, 1, signature.length);
    byte[] whole = der(SEQUENCE, toBeSigned, SIGNATURE_ALGORITHM, der(BIT_STRING, bits));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(whole));
  }

  private static byte[] time(Instant moment) {
    return der(GENERALIZED, GENERALIZED_TIME.format(moment).getBytes(StandardCharsets.US_ASCII));
  }

  /** One value in DER: its tag, its length, and its parts one after the other. */
  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    int length = content.size();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (length >= 0x100) {
      out.write(0x82);
      out.write(length >>> 8);
    } else if (length >= 0x80) {
      out.write(0x81);
    }
    out.write(length);
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
