package io.keyvalueserve.grid.restart;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What of a map outlives its members. */
public enum Durability {
  /** Nothing: for caches. */
  NONE(1),
  /** All but what was acknowledged in the last second before a crash. */
  EVERYSEC(2),
  /** All that was acknowledged. */
  ALWAYS(3);

  private final int code;

  Durability(int code) {
    this.code = code;
  }

  /** As users write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What users mean by a text, if it is one of these. */
  public static Optional<Durability> ofText(String text) {
    return Stream.of(values()).filter(each -> each.text().equals(text)).findAny();
  }

  /** As it is stored; never changes. */
  int code() {
    return code;
  }

  static Durability ofCode(int code) {
    return Stream.of(values())
        .filter(each -> each.code == code)
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException("no such durability: code=" + code));
  }
}
