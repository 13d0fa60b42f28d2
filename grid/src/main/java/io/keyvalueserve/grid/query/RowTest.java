package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.maps.predicate.CountedText;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Tests conditions on rows that are here already, where no member can test them on entries. */
final class RowTest {
  private RowTest() {}

  /**
   * Returns whether a row meets a condition.
   *
   * @param values of fields, of the fields' types
   */
  static boolean isMet(Condition condition, Function<Field, @Nullable Object> values) {
    return switch (condition) {
      case Condition.Constant it -> it.value();
      case Condition.And it -> it.parts().stream().allMatch(part -> isMet(part, values));
      case Condition.Or it -> it.parts().stream().anyMatch(part -> isMet(part, values));
      case Condition.Not it -> !isMet(it.part(), values);
      case Condition.Compare it -> isMet(it, values.apply(it.field()));
      case Condition.In it -> isIn(it, values.apply(it.field()));
      case Condition.Like it ->
          values.apply(it.field()) instanceof String text
              && pattern(it).matcher(new CountedText(text)).matches();
      case Condition.Regex it ->
          values.apply(it.field()) instanceof String text
              && pattern(it.pattern()).matcher(new CountedText(text)).matches();
      case Condition.IsNull it -> values.apply(it.field()) == null;
      case Condition.InstanceOf _ -> false;
    };
  }

  private static boolean isMet(Condition.Compare compare, @Nullable Object value) {
    if (value == null) {
      return false;
    }
    int order = Values.compare(value, compare.value());
    return switch (compare.comparison()) {
      case EQUAL -> order == 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
    };
  }

  private static boolean isIn(Condition.In in, @Nullable Object value) {
    for (Object each : in.values()) {
      boolean isSame =
          (value == null || each == null)
              ? Objects.equals(value, each)
              : Values.compare(value, each) == 0;
      if (isSame) {
        return true;
      }
    }
    return false;
  }

  private static Pattern pattern(Condition.Like like) {
    StringBuilder regex = new StringBuilder();
    String text = like.pattern();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == like.escape() && i + 1 < text.length()) {
        i++;
        regex.append(Pattern.quote(text.substring(i, i + 1)));
      } else if (c == '%') {
        regex.append(".*");
      } else if (c == '_') {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(text.substring(i, i + 1)));
      }
    }
    int flags = Pattern.DOTALL;
    if (like.ignoresCase()) {
      flags |= Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
    }
    return Pattern.compile(regex.toString(), flags);
  }

  private static Pattern pattern(String regex) {
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE, "a regular expression is malformed: " + e.getMessage(), e);
    }
  }
}
