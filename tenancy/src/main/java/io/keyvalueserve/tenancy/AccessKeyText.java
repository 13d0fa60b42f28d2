package io.keyvalueserve.tenancy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * An access key as its owner holds it: {@code kvs_<id>_<secret>}. It exists when it is made and
 * when a client shows it, and is kept nowhere.
 *
 * @param id 10 letters and digits
 * @param secretHash SHA-256 of the secret's bytes, 64 hexadecimal digits
 */
record AccessKeyText(String id, String secretHash) {
  private static final byte[] PREFIX = "kvs_".getBytes(StandardCharsets.US_ASCII);
  private static final int ID_CHARACTERS = 10;

  /** 43 characters of 5.95 bits: 256 bits. */
  private static final int SECRET_CHARACTERS = 43;

  private static final int LENGTH = PREFIX.length + ID_CHARACTERS + 1 + SECRET_CHARACTERS;

  /** Makes up a new key. */
  static String mint() {
    return "kvs_" + Secrets.random(ID_CHARACTERS) + "_" + Secrets.random(SECRET_CHARACTERS);
  }

  /** Reads what a client shows; empty if it has not the form of a key. */
  static Optional<AccessKeyText> parse(byte[] shown) {
    int secretAt = PREFIX.length + ID_CHARACTERS + 1;
    if (shown.length != LENGTH
        || !Arrays.equals(shown, 0, PREFIX.length, PREFIX, 0, PREFIX.length)
        || shown[secretAt - 1] != '_') {
      return Optional.empty();
    }
    String id = new String(shown, PREFIX.length, ID_CHARACTERS, StandardCharsets.ISO_8859_1);
    return Optional.of(
        new AccessKeyText(id, Secrets.hash(Arrays.copyOfRange(shown, secretAt, LENGTH))));
  }
}
