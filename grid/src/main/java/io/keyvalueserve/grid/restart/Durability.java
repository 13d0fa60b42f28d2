package io.keyvalueserve.grid.restart;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Says how much of a map outlives its members. */
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

  /** Returns the name that users write. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the durability with a name that users write; empty if there is none. */
  public static Optional<Durability> ofText(String text) {
    return Stream.of(values()).filter(each -> each.text().equals(text)).findAny();
  }

  /** Returns the code that is stored; it never changes. */
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
