package io.keyvalueserve.cli;

/**
 * A value of a row.
 *
 * @param kind how it is written in JSON
 * @param text the text; of a JSON document its JSON
 */
record SqlCell(Kind kind, String text) {
  static final SqlCell NULL = new SqlCell(Kind.NULL, "");

  /** The kind of a value. */
  enum Kind {
    NULL,
    /** Text, which JSON has in quotes. */
    TEXT,
    /** A number, a truth value or a document, which is JSON as it is. */
    RAW
  }

  boolean isNull() {
    return kind == Kind.NULL;
  }
}
