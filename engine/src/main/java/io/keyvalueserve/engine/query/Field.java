package io.keyvalueserve.engine.query;

/**
 * A part of an entry's key or value.
 *
 * @param ofKey whether it is a part of the key, else of the value
 * @param path names of fields from the outermost in, separated by dots, as {@code owner.name}; a
 *     part of an array is {@code tags[0]} or {@code tags[any]}; empty for the whole key or value
 * @param type the type that values are converted to; {@link FieldType#OBJECT} leaves them as they
 *     are
 */
public record Field(boolean ofKey, String path, FieldType type) {
  /** Returns a part of the value, as it is stored. */
  public static Field of(String path) {
    return new Field(false, path, FieldType.OBJECT);
  }

  /** Returns a part of the key, as it is stored. */
  public static Field ofKey(String path) {
    return new Field(true, path, FieldType.OBJECT);
  }

  /** Returns whether this is the whole key or value. */
  public boolean isWhole() {
    return path.isEmpty();
  }

  @Override
  public String toString() {
    String whole = ofKey ? "__key" : "this";
    return path.isEmpty() ? whole : ofKey ? whole + "." + path : path;
  }
}
