package io.keyvalueserve.tenancy;

import java.nio.charset.StandardCharsets;

/**
 * The key of whoever operates the service: {@code kvsop_<secret>}. Kept as a hash, as access keys
 * are.
 */
public final class OperatorKey {
  private static final int SECRET_CHARACTERS = 43;

  private OperatorKey() {}

  /** Makes up a new key. */
  public static String mint() {
    return "kvsop_" + Secrets.random(SECRET_CHARACTERS);
  }

  /** Returns the stored form of a key: SHA-256, 64 hexadecimal digits. */
  public static String hash(String key) {
    return Secrets.hash(key.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns whether a key has this hash. Takes the same time whatever the key. */
  public static boolean matches(String key, String hash) {
    return Secrets.equal(hash(key), hash);
  }
}
