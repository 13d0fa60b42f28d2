package io.keyvalueserve.maps;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Whose the entries of a map are when they are counted, limited, charged for and taken. */
public enum ChargedTo {
  /** The tenant's that the map belongs to. */
  OWNER,
  /** The tenant's that wrote the entry last, as far as that is known. */
  WRITER;

  /** As it is written in settings and answers. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one that is written so. */
  public static Optional<ChargedTo> ofText(String text) {
    return Arrays.stream(values()).filter(each -> each.text().equals(text)).findFirst();
  }
}
