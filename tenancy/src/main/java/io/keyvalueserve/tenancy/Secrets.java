package io.keyvalueserve.tenancy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Random text, its hash, and the comparison of hashes. Thread-safe. */
final class Secrets {
  private static final String ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private static final SecureRandom RANDOM = new SecureRandom();

  private Secrets() {}

  /** Letters and digits, each of them chosen evenly: 5.95 bits a character. */
  static String random(int characters) {
    StringBuilder text = new StringBuilder(characters);
    for (int i = 0; i < characters; i++) {
      text.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }

  /** SHA-256 as 64 hexadecimal digits. */
  static String hash(byte[] secret) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(secret));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Compares in a time that depends on the lengths only. */
  static boolean equal(String hash, String other) {
    return MessageDigest.isEqual(
        hash.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }
}
