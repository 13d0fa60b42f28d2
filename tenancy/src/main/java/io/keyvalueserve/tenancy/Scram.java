package io.keyvalueserve.tenancy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The computations of SCRAM-SHA-256 (RFC 5802, RFC 7677). Thread-safe.
 *
 * <p>The salt follows from the tenant's name alone. All keys of a tenant share it, so a client need
 * not say which key it will prove. Every name has a salt, so the salt does not tell which tenants
 * exist. A salt that anybody can compute is enough because keys are 256 random bits: no table of
 * likely keys can be made in advance.
 */
public final class Scram {
  /** The iterations of the password's hash, as PostgreSQL has them. */
  public static final int ITERATIONS = 4096;

  private static final String MAC = "HmacSHA256";
  private static final int KEY_BITS = 256;
  private static final int SALT_BYTES = 16;
  private static final byte[] SALT_OF =
      "KeyValueServe SCRAM salt ".getBytes(StandardCharsets.UTF_8);
  private static final byte[] CLIENT_KEY = "Client Key".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SERVER_KEY = "Server Key".getBytes(StandardCharsets.US_ASCII);

  private Scram() {}

  /** Returns the salt of a tenant's keys: 16 bytes. There need not be such a tenant. */
  public static byte[] salt(String tenant) {
    MessageDigest digest = sha256();
    digest.update(SALT_OF);
    return Arrays.copyOf(digest.digest(tenant.getBytes(StandardCharsets.UTF_8)), SALT_BYTES);
  }

  /** Computes what is stored of a tenant's access key. Takes some milliseconds. */
  static ScramVerifier verifier(TenantName tenant, String accessKey) {
    return verifier(accessKey, salt(tenant.value()), ITERATIONS);
  }

  static ScramVerifier verifier(String password, byte[] salt, int iterations) {
    byte[] salted = salted(password, salt, iterations);
    Base64.Encoder text = Base64.getEncoder();
    return new ScramVerifier(
        text.encodeToString(sha256().digest(hmac(salted, CLIENT_KEY))),
        text.encodeToString(hmac(salted, SERVER_KEY)));
  }

  /**
   * Checks a client's proof, and returns the server's signature if it is right, else null.
   *
   * @param signed the messages that client and server have exchanged, as RFC 5802 joins them
   * @param proof as the client sent it, of any length
   */
  static byte @Nullable [] check(ScramVerifier verifier, byte[] signed, byte[] proof) {
    byte[] storedKey = Base64.getDecoder().decode(verifier.storedKey());
    byte[] signature = hmac(storedKey, signed);
    if (proof.length != signature.length) {
      return null;
    }
    byte[] clientKey = new byte[proof.length];
    for (int i = 0; i < clientKey.length; i++) {
      clientKey[i] = (byte) (proof[i] ^ signature[i]);
    }
    return MessageDigest.isEqual(sha256().digest(clientKey), storedKey)
        ? hmac(Base64.getDecoder().decode(verifier.serverKey()), signed)
        : null;
  }

  /** Computes the proof of a client that has a password: for clients and tests. */
  public static byte[] proof(String password, byte[] salt, int iterations, byte[] signed) {
    byte[] clientKey = hmac(salted(password, salt, iterations), CLIENT_KEY);
    byte[] proof = hmac(sha256().digest(clientKey), signed);
    for (int i = 0; i < proof.length; i++) {
      proof[i] ^= clientKey[i];
    }
    return proof;
  }

  private static byte[] salted(String password, byte[] salt, int iterations) {
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
          .generateSecret(new PBEKeySpec(password.toCharArray(), salt, iterations, KEY_BITS))
          .getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has PBKDF2 with SHA-256", e);
    }
  }

  private static byte[] hmac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(key, MAC));
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HMAC with SHA-256", e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
