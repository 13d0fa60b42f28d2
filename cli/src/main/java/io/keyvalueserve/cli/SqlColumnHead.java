package io.keyvalueserve.cli;

import java.util.Set;

/**
 * A column of a result.
 *
 * @param type as the server names it, in upper case
 */
record SqlColumnHead(String name, String type) {
  private static final Set<String> NUMBERS =
      Set.of("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "DECIMAL", "REAL", "DOUBLE");

  boolean isNumber() {
    return NUMBERS.contains(type);
  }
}
