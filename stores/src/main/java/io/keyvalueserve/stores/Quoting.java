package io.keyvalueserve.stores;

import org.jspecify.annotations.Nullable;

/**
 * Quotes names for statements, whatever is in them.
 *
 * @param quote what the database puts around names; blank if it cannot quote
 */
record Quoting(String quote) {
  String quoted(@Nullable String schema, String table) {
    return schema == null ? quoted(table) : quoted(schema) + "." + quoted(table);
  }

  String quoted(String name) {
    if (quote.isBlank()) {
      return plain(name);
    }
    return quote + name.replace(quote, quote + quote) + quote;
  }

  private static String plain(String name) {
    if (!name.matches("[A-Za-z][A-Za-z0-9_]*")) {
      throw StoreException.misconfigured(
          "the database cannot quote names: use names of letters, digits and _");
    }
    return name;
  }
}
