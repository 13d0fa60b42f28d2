package io.keyvalueserve.tenancy;

import java.util.Arrays;
import java.util.Optional;

/**
 * The words for how a map's data is kept. Codes and texts are stored: they never change their
 * meaning.
 */
public enum Persistence {
  /** No word is set: durability and the use of the spill area are as set one by one. */
  DEFAULT(0, "default"),
  /** Data is in memory alone. */
  MEMORY(1, "memory"),
  /** Data is rarely used: values that are used least are on the disk. */
  RARELY_USED(2, "rarely-used"),
  /** The tenant has consented that crucial data is on the disk. */
  CONSENTED(3, "consented"),
  /** The tenant pays for data that survives each crash. */
  DURABLE(4, "durable");

  private final int code;
  private final String text;

  Persistence(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /** Returns the number of this word in what is stored: 0 to 7. */
  public int code() {
    return code;
  }

  /** Returns the word that settings, answers and rate cards use. */
  public String text() {
    return text;
  }

  /** Returns the one with a text; empty if there is none. */
  public static Optional<Persistence> ofText(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
  }

  /**
   * Returns the one with a code.
   *
   * @throws IllegalArgumentException if none has it
   */
  public static Persistence ofCode(int code) {
    return Arrays.stream(values())
        .filter(each -> each.code == code)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no persistence has the code " + code));
  }
}
