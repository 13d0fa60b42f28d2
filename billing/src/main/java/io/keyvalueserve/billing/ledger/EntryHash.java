package io.keyvalueserve.billing.ledger;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The hash of a ledger entry: SHA-256.
 *
 * @param hex 64 lower-case hexadecimal digits
 */
public record EntryHash(String hex) {
  static final int BYTES = 32;

  private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{64}");

  /**
   * @throws IllegalArgumentException if the text is no such hash
   */
  public EntryHash {
    if (!DIGITS.matcher(hex).matches()) {
      throw new IllegalArgumentException(
          "a hash has 64 lower-case hexadecimal digits, and this text does not");
    }
  }

  static EntryHash of(byte[] bytes) {
    return new EntryHash(HexFormat.of().formatHex(bytes));
  }

  byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  /** The hash of the first bytes of an array. */
  static EntryHash ofContent(byte[] content, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(content, 0, length);
      return of(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return hex;
  }
}
