package io.keyvalueserve.snapshots;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.UUID;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * The encrypted form of objects.
 *
 * <pre>
 *   1 | key id (16) | nonce (12) | AES-256-GCM(content) | tag (16)
 * </pre>
 *
 * The object's name is authenticated, so an object opens under its own name alone. A caller may
 * have further bytes authenticated that lie in clear text beside it.
 */
public final class Sealed {
  /** The bytes that sealing adds. */
  public static final int OVERHEAD = 1 + 16 + 12 + 16;

  private static final byte FORM = 1;
  private static final int KEY_ID_BYTES = 16;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int HEAD = 1 + KEY_ID_BYTES + NONCE_BYTES;
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final byte[] NOTHING = {};
  private static final SecureRandom RANDOM = new SecureRandom();

  private Sealed() {}

  /** Encrypts the content of an object. Two seals of the same content differ. */
  public static byte[] seal(TenantKey key, String name, byte[] content) {
    return seal(key, name, NOTHING, content);
  }

  static byte[] seal(TenantKey key, String name, byte[] beside, byte[] content) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    byte[] sealed = new byte[Math.addExact(content.length, OVERHEAD)];
    ByteBuffer _ =
        ByteBuffer.wrap(sealed)
            .put(FORM)
            .putLong(key.id().getMostSignificantBits())
            .putLong(key.id().getLeastSignificantBits())
            .put(nonce);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, name, beside);
      int _ = cipher.doFinal(content, 0, content.length, sealed, HEAD);
      return sealed;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-256-GCM", e);
    }
  }

  /**
   * Decrypts the content of an object.
   *
   * @throws SnapshotException of kind {@code OTHER_FORMAT} if the bytes are not of this form,
   *     {@code OTHER_KEY} if they were sealed with a key whose id differs, {@code DAMAGED} if they
   *     were changed, or sealed under another name
   */
  public static byte[] open(TenantKey key, String name, byte[] sealed) {
    return open(key, name, NOTHING, sealed, 0);
  }

  static byte[] open(TenantKey key, String name, byte[] beside, byte[] bytes, int from) {
    UUID sealedWith = keyId(name, bytes, from);
    if (!sealedWith.equals(key.id())) {
      throw new SnapshotException(
          SnapshotException.Kind.OTHER_KEY,
          name
              + " was sealed with the key "
              + sealedWith
              + ", not with "
              + key.id()
              + ": give the bytes of that key");
    }
    byte[] nonce = new byte[NONCE_BYTES];
    System.arraycopy(bytes, from + 1 + KEY_ID_BYTES, nonce, 0, NONCE_BYTES);
    try {
      return cipher(Cipher.DECRYPT_MODE, key, nonce, name, beside)
          .doFinal(bytes, from + HEAD, bytes.length - from - HEAD);
    } catch (AEADBadTagException e) {
      throw SnapshotException.damaged(
          name + " is damaged, or its key has other bytes: use another snapshot");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-256-GCM", e);
    }
  }

  /** Returns the id of the key that sealed an object. */
  private static UUID keyId(String name, byte[] bytes, int from) {
    if (bytes.length - from < 1) {
      throw SnapshotException.damaged(name + " is empty: use another snapshot");
    }
    if (bytes[from] != FORM) {
      throw new SnapshotException(
          SnapshotException.Kind.OTHER_FORMAT,
          name + " is not sealed in a form that this version knows: use a newer version");
    }
    if (bytes.length - from < OVERHEAD) {
      throw SnapshotException.damaged(name + " is cut off: use another snapshot");
    }
    ByteBuffer head = ByteBuffer.wrap(bytes, from + 1, KEY_ID_BYTES);
    return new UUID(head.getLong(), head.getLong());
  }

  private static Cipher cipher(int mode, TenantKey key, byte[] nonce, String name, byte[] beside)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key.sealKey(), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
    cipher.updateAAD(new byte[] {'\n'}); // which no name has
    cipher.updateAAD(beside);
    return cipher;
  }
}
