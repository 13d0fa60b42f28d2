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
 * Encrypts the passwords of external stores, which lie in the catalogue, in members' logs and in
 * their backups.
 *
 * <pre>
 *   key     HKDF-SHA256(cluster secret, "kvs.store-password.v1"), 32 bytes
 *   sealed  base64(1 | nonce (12) | AES-256-GCM(password) | tag (16))
 * </pre>
 *
 * The name of the store is authenticated with it, so a password opens for its own store alone. Who
 * has the cluster secret can open all. Thread-safe.
 */
public final class SecretSeal {
  private static final byte FORM = 1;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int KEY_BYTES = 32;
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final byte[] PURPOSE = "kvs.store-password.v1".getBytes(StandardCharsets.US_ASCII);

  private final SecretKey key;
  private final SecureRandom random = new SecureRandom();

  private SecretSeal(SecretKey key) {
    this.key = key;
  }

  /**
   * Derives the key of a cluster.
   *
   * @param clusterSecret the same on all members; of a member without one, a random one of its own
   */
  public static SecretSeal of(byte[] clusterSecret) {
    try {
      return new SecretSeal(
          KDF.getInstance("HKDF-SHA256")
              .deriveKey(
                  "AES",
                  HKDFParameterSpec.ofExtract()
                      .addIKM(clusterSecret)
                      .thenExpand(PURPOSE, KEY_BYTES)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK 25 has HKDF-SHA256", e);
    }
  }

  /** Encrypts the password of a store. Two seals of one password differ. */
  public String seal(String store, String password) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] sealed =
          cipher(Cipher.ENCRYPT_MODE, store, nonce)
              .doFinal(password.getBytes(StandardCharsets.UTF_8));
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
   * Decrypts the password of a store.
   *
   * @throws SealException if it was sealed with another secret or for another store, or is damaged
   */
  public String open(String store, String sealed) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(sealed);
    } catch (IllegalArgumentException e) {
      throw new SealException(store, "is damaged");
    }
    if (bytes.length < 1 + NONCE_BYTES + TAG_BITS / Byte.SIZE || bytes[0] != FORM) {
      throw new SealException(store, "is damaged, or of a later version");
    }
    byte[] nonce = new byte[NONCE_BYTES];
    ByteBuffer _ = ByteBuffer.wrap(bytes).get(1, nonce);
    try {
      int begin = 1 + NONCE_BYTES;
      byte[] opened =
          cipher(Cipher.DECRYPT_MODE, store, nonce).doFinal(bytes, begin, bytes.length - begin);
      return new String(opened, StandardCharsets.UTF_8);
    } catch (AEADBadTagException e) {
      throw new SealException(store, "was sealed with another cluster secret");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-256-GCM", e);
    }
  }

  private Cipher cipher(int mode, String store, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(store.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  /** A password that cannot be read. The message says the remedy. */
  public static final class SealException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private SealException(String store, String why) {
      super(
          "the password of store "
              + store
              + " "
              + why
              + ": give it again with kvs store create "
              + store
              + " --replace",
          null,
          false,
          false);
    }
  }
}
