package io.keyvalueserve.maps.predicate;

import com.hazelcast.query.QueryException;
import java.util.ArrayList;
import java.util.List;

/**
 * An expression of LIKE: {@code %} stands for any characters, {@code _} for one, a backslash before
 * one of them for itself. It means what Hazelcast's means, which is made a regular expression of
 * and goes back to each {@code %}: a power of the value's length, by how many there are. This one
 * goes back to the last only, as whatever matches after an earlier one does after the last.
 *
 * <p>Immutable.
 */
public final class LikeExpression {
  private static final int ANY = -1;
  private static final int ANY_MANY = -2;
  private static final long LEAST_STEPS = 1_000_000;
  private static final int STEPS_PER_CHARACTER = 8;

  private final int[] parts;
  private final boolean ignoresCase;

  LikeExpression(String expression, boolean ignoresCase) {
    this(expression, '\\', ignoresCase, false);
  }

  /**
   * Compiles an expression of SQL.
   *
   * @param escape the character that stands for the next one, if that is a wildcard or itself; -1
   *     for none
   */
  public LikeExpression(String expression, int escape, boolean ignoresCase) {
    this(expression, escape, ignoresCase, true);
  }

  private LikeExpression(
      String expression, int escape, boolean ignoresCase, boolean escapesItself) {
    this.ignoresCase = ignoresCase;
    List<Integer> found = new ArrayList<>();
    int at = 0;
    while (at < expression.length()) {
      int c = expression.codePointAt(at);
      int behind = at + Character.charCount(c);
      int next = behind < expression.length() ? expression.codePointAt(behind) : -1;
      if (c == escape && (isWildcard(next) || (escapesItself && next == escape && next >= 0))) {
        found.add(folded(next));
        at = behind + Character.charCount(next);
      } else {
        found.add(part(c));
        at += Character.charCount(c);
      }
    }
    parts = found.stream().mapToInt(Integer::intValue).toArray();
  }

  private static boolean isWildcard(int c) {
    return c == '%' || c == '_';
  }

  private int part(int c) {
    return switch (c) {
      case '%' -> ANY_MANY;
      case '_' -> ANY;
      default -> folded(c);
    };
  }

  private int folded(int c) {
    return ignoresCase ? Character.toLowerCase(Character.toUpperCase(c)) : c;
  }

  /**
   * Returns whether a value matches the expression.
   *
   * @throws QueryException if that takes too many steps
   */
  public boolean matches(String value) {
    long left = Math.max(LEAST_STEPS, (long) STEPS_PER_CHARACTER * value.length());
    int at = 0;
    int part = 0;
    int anyPart = -1; // behind the last that stands for any characters
    int anyAt = 0; // what it stands for ends here
    while (at < value.length()) {
      if (--left < 0) {
        throw new QueryException(
            "to compare a value of "
                + value.length()
                + " characters with this LIKE takes too many steps: use fewer or longer texts"
                + " between its % signs");
      }
      int c = value.codePointAt(at);
      if (part < parts.length && parts[part] == ANY_MANY) {
        anyPart = ++part;
        anyAt = at;
      } else if (part < parts.length && (parts[part] == ANY || parts[part] == folded(c))) {
        part++;
        at += Character.charCount(c);
      } else if (anyPart >= 0) {
        part = anyPart;
        anyAt += Character.charCount(value.codePointAt(anyAt));
        at = anyAt;
      } else {
        return false;
      }
    }
    while (part < parts.length && parts[part] == ANY_MANY) {
      part++;
    }
    return part == parts.length;
  }
}
