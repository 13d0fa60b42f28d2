package io.keyvalueserve.maps;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What becomes of a map's entries when its tenant, or the member, is over its memory. */
public enum OverMemory {
  /** Values go to the member's disk and come back when they are asked for; keys stay. */
  SPILL,
  /** Entries are deleted. */
  EVICT,
  /** They stay; writes are refused. */
  REFUSE;

  /** As it is written in settings and answers. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one that is written so. */
  public static Optional<OverMemory> ofText(String text) {
    return Arrays.stream(values()).filter(each -> each.text().equals(text)).findFirst();
  }
}
