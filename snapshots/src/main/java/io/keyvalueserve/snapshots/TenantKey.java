package io.keyvalueserve.snapshots;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.UUID;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of one tenant's snapshots.
 *
 * <pre>
 *   seal key  HKDF-SHA256(bytes, "kvs.snapshot.seal.v1")  encrypts every object
 *   name key  HKDF-SHA256(bytes, "kvs.snapshot.name.v1")  names chunks by their content
 * </pre>
 *
 * The id is no secret; it stands in the names and in the headers of objects. When every copy of the
 * bytes is destroyed, no object of the tenant can be read again. Thread-safe.
 */
public final class TenantKey {
  /** The length of a key. */
  public static final int BYTES = 32;

  private static final byte[] SEAL = "kvs.snapshot.seal.v1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NAME = "kvs.snapshot.name.v1".getBytes(StandardCharsets.US_ASCII);
  private static final String MAC = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final UUID id;
  private final byte[] bytes;
  private final byte[] sealKey;
  private final byte[] nameKey;
  private volatile boolean destroyed;

  private TenantKey(UUID id, byte[] bytes) {
    this.id = requireNonNull(id, "id");
    this.bytes = bytes;
    this.sealKey = derived(bytes, SEAL);
    this.nameKey = derived(bytes, NAME);
  }

  /** Creates a random key with a random id. */
  public static TenantKey create() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return new TenantKey(UUID.randomUUID(), bytes);
  }

  /**
   * Makes a key of its id and its bytes, which are copied.
   *
   * @throws SnapshotException if there are not 32 bytes
   */
  public static TenantKey ofBytes(UUID id, byte[] bytes) {
    if (bytes.length != BYTES) {
      throw SnapshotException.invalid(
          "key", "has " + bytes.length + " bytes: give the 32 bytes of the tenant's key");
    }
    return new TenantKey(id, bytes.clone());
  }

  /** Returns the id. */
  public UUID id() {
    return id;
  }

  /** Returns a copy of the bytes. */
  public synchronized byte[] bytes() {
    checkAlive();
    return bytes.clone();
  }

  /** Overwrites the bytes in this object with zeros. Each later use throws. */
  public synchronized void destroy() {
    destroyed = true;
    Arrays.fill(bytes, (byte) 0);
    Arrays.fill(sealKey, (byte) 0);
    Arrays.fill(nameKey, (byte) 0);
  }

  /** Returns whether {@link #destroy} was called. */
  public boolean isDestroyed() {
    return destroyed;
  }

  synchronized SecretKeySpec sealKey() {
    checkAlive();
    return new SecretKeySpec(sealKey, "AES");
  }

  /** Returns the keyed hash of a content. */
  byte[] nameOf(byte[] content) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(macKey());
      return mac.doFinal(content);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HMAC-SHA256", e);
    }
  }

  private synchronized SecretKeySpec macKey() {
    checkAlive();
    return new SecretKeySpec(nameKey, MAC);
  }

  private void checkAlive() {
    if (destroyed) {
      throw new IllegalStateException("the key " + id + " is destroyed");
    }
  }

  private static byte[] derived(byte[] bytes, byte[] purpose) {
    try {
      return KDF.getInstance("HKDF-SHA256")
          .deriveData(HKDFParameterSpec.ofExtract().addIKM(bytes).thenExpand(purpose, BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK 25 has HKDF-SHA256", e);
    }
  }

  /** Returns the id alone. */
  @Override
  public String toString() {
    return "TenantKey[" + id + "]";
  }
}
