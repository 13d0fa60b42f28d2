package io.keyvalueserve.engine;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The tag of a value: the first 128 bits of its SHA-256 (FIPS 180-4; cut as FIPS 180-4 section 7
 * allows). It depends on the value's bytes alone, so that every member and every door gives the
 * same; and nobody can make up two values of one tag with less than some 2^64 tries, so that a
 * tenant cannot be led to overwrite what it has not seen.
 */
public final class ValueTag {
  /** The length of a tag, in bytes. */
  public static final int BYTES = 16;

  private ValueTag() {}

  /** The tag of a value of any length. */
  public static byte[] of(byte[] value) {
    try {
      return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(value), BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
