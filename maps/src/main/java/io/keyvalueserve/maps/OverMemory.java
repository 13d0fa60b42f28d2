package io.keyvalueserve.maps;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Says how a map's entries give up memory when the map's tenant, or the member, is over its memory.
 */
public enum OverMemory {
  /** Values go to the member's disk and come back when they are asked for; keys stay. */
  SPILL,
  /** Entries are deleted. */
  EVICT,
  /** They stay; writes are refused. */
  REFUSE;

  /** Returns the name that settings and answers use. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one that is written so. */
  public static Optional<OverMemory> ofText(String text) {
    return Arrays.stream(values()).filter(each -> each.text().equals(text)).findFirst();
  }
}
