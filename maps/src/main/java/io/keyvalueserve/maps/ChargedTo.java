package io.keyvalueserve.maps;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Names the tenant for which a map's entries are counted, limited, charged and reclaimed. */
public enum ChargedTo {
  /** The tenant's that the map belongs to. */
  OWNER,
  /** The tenant's that wrote the entry last, as far as that is known. */
  WRITER;

  /** Returns the name that settings and answers use. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one that is written so. */
  public static Optional<ChargedTo> ofText(String text) {
    return Arrays.stream(values()).filter(each -> each.text().equals(text)).findFirst();
  }
}
