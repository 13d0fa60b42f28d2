package io.keyvalueserve.sql;

import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.sql.expr.Texts;
import io.keyvalueserve.sql.expr.Values;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Evaluates conditions, as their contract says and in no other way. */
final class MemoryConditions {
  private MemoryConditions() {}

  static boolean test(Condition condition, Function<Field, @Nullable Object> entry) {
    return switch (condition) {
      case Condition.Constant constant -> constant.value();
      case Condition.And and -> and.parts().stream().allMatch(part -> test(part, entry));
      case Condition.Or or -> or.parts().stream().anyMatch(part -> test(part, entry));
      case Condition.Not not -> !test(not.part(), entry);
      case Condition.Compare compare -> compare(compare, entry.apply(compare.field()));
      case Condition.In in -> in(in, entry.apply(in.field()));
      case Condition.Like like -> {
        Object value = entry.apply(like.field());
        yield value instanceof String text
            && Texts.like(text, like.pattern(), like.escape(), like.ignoresCase());
      }
      case Condition.Regex regex -> {
        Object value = entry.apply(regex.field());
        yield value != null && value.toString().matches(regex.pattern());
      }
      case Condition.IsNull isNull -> entry.apply(isNull.field()) == null;
      case Condition.InstanceOf _ -> false;
    };
  }

  private static boolean compare(Condition.Compare compare, @Nullable Object value) {
    if (!compare.field().type().javaClass().isInstance(compare.value())) {
      throw new AssertionError(
          "a value of another class than the field's: " + compare + " " + compare.value());
    }
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

  private static boolean in(Condition.In in, @Nullable Object value) {
    return in.values().stream()
        .anyMatch(one -> Objects.equals(Values.keyOf(one), Values.keyOf(value)));
  }
}
