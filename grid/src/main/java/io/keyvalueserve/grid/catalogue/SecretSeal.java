package io.keyvalueserve.grid.catalogue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * Encrypts secrets that lie in the catalogue, in members' logs and in their backups.
 *
 * <pre>
 *   key     HKDF-SHA256(cluster secret, purpose), 32 bytes
 *   sealed  base64(1 | nonce (12) | AES-256-GCM(secret) | tag (16))
 * </pre>
 *
 * The name of a secret is authenticated with it, so a secret opens under its own name alone. Who
 * has the cluster secret can open all. Thread-safe.
 */
public final class SecretSeal {
  private static final byte FORM = 1;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int KEY_BYTES = 32;
  private static final String CIPHER = "AES/GCM/NoPadding";

  /** The kinds of secrets. What is sealed as one kind does not open as another. */
  public enum Purpose {
    /** The passwords of external stores, by the stores' names. */
    STORE_PASSWORD(
        "kvs.store-password.v1",
        "the password of store %s",
        "give it again with kvs store create %s --replace"),
    /** The keys of tenants' snapshots, by the tenants' names. */
    TENANT_KEY(
        "kvs.tenant-key.v1",
        "the key of the snapshots of tenant %s",
        "start the members with the cluster secret that it was sealed with");

    private final byte[] label;
    private final String noun;
    private final String remedy;

    Purpose(String label, String noun, String remedy) {
      this.label = label.getBytes(StandardCharsets.US_ASCII);
      this.noun = noun;
      this.remedy = remedy;
    }

    private SealException damage(String name, String why) {
      return new SealException(noun.formatted(name) + " " + why + ": " + remedy.formatted(name));
    }
  }

  private final SecretKey key;
  private final Purpose purpose;
  private final SecureRandom random = new SecureRandom();

  private SecretSeal(SecretKey key, Purpose purpose) {
    this.key = key;
    this.purpose = purpose;
  }

  /**
   * Derives the key of a cluster for one kind of secrets.
   *
   * @param clusterSecret the same on all members; of a member without one, a random one of its own
   */
  public static SecretSeal of(byte[] clusterSecret, Purpose purpose) {
    try {
      return new SecretSeal(
          KDF.getInstance("HKDF-SHA256")
              .deriveKey(
                  "AES",
                  HKDFParameterSpec.ofExtract()
                      .addIKM(clusterSecret)
                      .thenExpand(purpose.label, KEY_BYTES)),
          purpose);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK 25 has HKDF-SHA256", e);
    }
  }

  /** Encrypts a secret. Two seals of one secret differ. */
  public String seal(String name, String secret) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] sealed =
          cipher(Cipher.ENCRYPT_MODE, name, nonce).doFinal(secret.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder()
          .encodeToString(
              ByteBuffer.allocate(1 + NONCE_BYTES + sealed.length)
                  .put(FORM)
                  .put(nonce)
                  .put(sealed)
                  .array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-256-GCM", e);
    }
  }

  /**
   * Decrypts a secret.
   *
   * @throws SealException if it was sealed with another cluster secret or under another name, or is
   *     damaged
   */
  public String open(String name, String sealed) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(sealed);
    } catch (IllegalArgumentException e) {
      throw purpose.damage(name, "is damaged");
    }
    if (bytes.length < 1 + NONCE_BYTES + TAG_BITS / Byte.SIZE || bytes[0] != FORM) {
      throw purpose.damage(name, "is damaged, or of a later version");
    }
    byte[] nonce = new byte[NONCE_BYTES];
    ByteBuffer _ = ByteBuffer.wrap(bytes).get(1, nonce);
    try {
      int begin = 1 + NONCE_BYTES;
      byte[] opened =
          cipher(Cipher.DECRYPT_MODE, name, nonce).doFinal(bytes, begin, bytes.length - begin);
      return new String(opened, StandardCharsets.UTF_8);
    } catch (AEADBadTagException e) {
      throw purpose.damage(name, "was sealed with another cluster secret");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-256-GCM", e);
    }
  }

  private Cipher cipher(int mode, String name, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  /** A secret that cannot be read. The message says the remedy. */
  public static final class SealException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private SealException(String message) {
      super(message, null, false, false);
    }
  }
}
