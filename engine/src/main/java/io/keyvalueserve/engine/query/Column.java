package io.keyvalueserve.engine.query;

/**
 * A column of a table.
 *
 * @param name in a statement; matched as it is written
 * @param isHidden whether {@code SELECT *} leaves it out, as the whole key or value beside its
 *     fields
 */
public record Column(String name, Field field, boolean isHidden) {
  /** Returns the type of the column's values. */
  public FieldType type() {
    return field.type();
  }
}
