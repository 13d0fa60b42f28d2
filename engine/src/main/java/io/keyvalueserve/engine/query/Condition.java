package io.keyvalueserve.engine.query;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A test of an entry that is true or false, never unknown.
 *
 * <p>A comparison with a field that is null or absent is false. {@link Not} is the plain opposite:
 * {@code Not(Compare(f, EQUAL, 1))} is true if the field is null. A translator from SQL, where a
 * test may be unknown, adds {@code Not(IsNull(f))} where that matters.
 *
 * <p>Numbers of all types compare by value. A path with {@code [any]} names several values: a test
 * is true if it is true for one of them. Immutable.
 */
public sealed interface Condition {
  /** Is true for each entry, or for none. */
  record Constant(boolean value) implements Condition {}

  /** Is true if all parts are; true if there are none. */
  record And(List<Condition> parts) implements Condition {
    public And {
      parts = List.copyOf(parts);
    }
  }

  /** Is true if one part is; false if there are none. */
  record Or(List<Condition> parts) implements Condition {
    public Or {
      parts = List.copyOf(parts);
    }
  }

  /** Is the opposite of its part. */
  record Not(Condition part) implements Condition {}

  /** The comparison of a field with a value. */
  enum Comparison {
    EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL
  }

  /**
   * Compares a field with a value.
   *
   * @param value not null; of the class of the field's type, unless that is {@link
   *     FieldType#OBJECT}
   */
  record Compare(Field field, Comparison comparison, Object value) implements Condition {}

  /**
   * Is true if the field has one of some values.
   *
   * @param values null among them is equal to a field that is null
   */
  record In(Field field, Set<@Nullable Object> values) implements Condition {}

  /**
   * Is true if the field is text that matches a pattern of SQL: {@code %} for any characters,
   * {@code _} for one, and a character that escapes these.
   *
   * @param escape the escape character; -1 if none
   * @param ignoresCase whether upper and lower case are the same
   */
  record Like(Field field, String pattern, int escape, boolean ignoresCase) implements Condition {}

  /**
   * Is true if the field, as text, matches a regular expression of {@link java.util.regex.Pattern}
   * as a whole. The engine bounds the steps of a match.
   */
  record Regex(Field field, String pattern) implements Condition {}

  /** Is true if the field is null or absent. */
  record IsNull(Field field) implements Condition {}

  /** Is true if the value is an object of a class, or of a class derived from it. */
  record InstanceOf(String className) implements Condition {}
}
