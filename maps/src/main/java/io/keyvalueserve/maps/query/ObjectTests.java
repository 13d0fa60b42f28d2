package io.keyvalueserve.maps.query;

import com.hazelcast.internal.json.NonTerminalJsonValue;
import com.hazelcast.query.impl.Comparables;
import com.hazelcast.query.impl.getters.MultiResult;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.maps.predicate.CountedText;
import io.keyvalueserve.maps.predicate.LikeExpression;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Makes tests of single attributes that make objects of these. */
@SuppressWarnings({"rawtypes", "ReferenceEquality"}) // as Hazelcast's own
final class ObjectTests {
  private ObjectTests() {}

  /**
   * Compiles a condition that is about one field or class.
   *
   * @throws QueryException if it makes no sense
   */
  static RowTest of(Condition condition) {
    return switch (condition) {
      case Condition.Compare compare -> compare(compare);
      case Condition.In in -> in(in);
      case Condition.Like like -> like(like);
      case Condition.Regex regex -> regex(regex);
      case Condition.IsNull isNull -> isNull(isNull.field());
      case Condition.InstanceOf instanceOf -> instanceOf(instanceOf.className());
      default -> throw new IllegalArgumentException("not about one field: " + condition);
    };
  }

  private static RowTest compare(Condition.Compare compare) {
    Field field = compare.field();
    Object value = compare.value();
    if (field.type() == FieldType.OBJECT) {
      ObjectCompare with = new ObjectCompare(value);
      return any(field, found -> found != null && with.is(found, compare.comparison()));
    }
    if (!field.type().javaClass().isInstance(value)) {
      throw new IllegalArgumentException("a value of another type than its field: " + field);
    }
    return any(
        field,
        found ->
            found != null
                && ObjectCompare.is(
                    ObjectCompare.compareTyped(found, value), compare.comparison()));
  }

  private static RowTest in(Condition.In in) {
    boolean hasNull = in.values().stream().anyMatch(value -> value == null);
    if (in.field().type() != FieldType.OBJECT) {
      return any(
          in.field(),
          found ->
              found == null
                  ? hasNull
                  : in.values().stream()
                      .anyMatch(
                          value -> value != null && ObjectCompare.compareTyped(found, value) == 0));
    }
    OneOf values = new OneOf(in.values());
    return any(in.field(), found -> found == null ? hasNull : values.has(found));
  }

  /** Values in the type of an attribute, which is that of the last one that was looked at. */
  private static final class OneOf {
    private final Set<@Nullable Object> given;
    private volatile @Nullable Converted last;

    private record Converted(Class<?> type, Set<Comparable> values) {}

    OneOf(Set<@Nullable Object> given) {
      this.given = given;
    }

    boolean has(Object found) {
      if (!(found instanceof Comparable attribute)) {
        return false;
      }
      Converted known = last;
      if (known == null || known.type() != attribute.getClass()) {
        known = new Converted(attribute.getClass(), converted(attribute));
        last = known;
      }
      Comparable plain = attribute.getClass().isEnum() ? attribute.toString() : attribute;
      return known.values().contains(Comparables.canonicalizeForHashLookup(plain));
    }

    private Set<Comparable> converted(Comparable attribute) {
      Set<Comparable> values = new HashSet<>();
      for (Object value : given) {
        if (value instanceof Comparable comparable) {
          values.add(
              Comparables.canonicalizeForHashLookup(ObjectCompare.convert(attribute, comparable)));
        }
      }
      return values;
    }
  }

  private static RowTest like(Condition.Like like) {
    LikeExpression expression =
        new LikeExpression(like.pattern(), like.escape(), like.ignoresCase());
    return any(like.field(), found -> found instanceof String text && matches(expression, text));
  }

  private static boolean matches(LikeExpression expression, String text) {
    try {
      return expression.matches(text);
    } catch (com.hazelcast.query.QueryException e) {
      throw tooManySteps(e);
    }
  }

  private static RowTest regex(Condition.Regex regex) {
    Pattern pattern;
    try {
      pattern = Pattern.compile(regex.pattern());
    } catch (PatternSyntaxException e) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE,
          "a regular expression is malformed: " + e.getDescription() + " at " + e.getIndex(),
          e);
    }
    return any(regex.field(), found -> found instanceof String text && matches(pattern, text));
  }

  private static boolean matches(Pattern pattern, String text) {
    try {
      return pattern.matcher(new CountedText(text)).matches();
    } catch (com.hazelcast.query.QueryException e) {
      throw tooManySteps(e);
    }
  }

  private static QueryException tooManySteps(com.hazelcast.query.QueryException e) {
    return new QueryException(QueryException.Kind.BAD_VALUE, String.valueOf(e.getMessage()), e);
  }

  private static RowTest isNull(Field field) {
    FieldReader reader = new FieldReader(field);
    return row -> {
      Object found = reader.raw(row);
      if (found instanceof MultiResult<?> several) {
        return several.getResults().stream().anyMatch(each -> each == null);
      }
      return found == null;
    };
  }

  private static RowTest instanceOf(String className) {
    return row -> {
      Object value = row.entry().getValue();
      return value != null && isOf(value.getClass(), className);
    };
  }

  private static boolean isOf(@Nullable Class<?> type, String className) {
    if (type == null) {
      return false;
    }
    if (type.getName().equals(className) || isOf(type.getSuperclass(), className)) {
      return true;
    }
    for (Class<?> each : type.getInterfaces()) {
      if (isOf(each, className)) {
        return true;
      }
    }
    return false;
  }

  /** A test that is true if it is for one of the values of a field. */
  private static RowTest any(Field field, Predicate<@Nullable Object> test) {
    FieldReader reader = new FieldReader(field);
    return row -> {
      Object found = reader.raw(row);
      if (found instanceof MultiResult<?> several) {
        for (Object each : several.getResults()) {
          if (one(field, each, test)) {
            return true;
          }
        }
        return false;
      }
      if (field.type() == FieldType.OBJECT
          && (found instanceof Collection || found instanceof Object[])) {
        throw new QueryException(
            QueryException.Kind.BAD_VALUE,
            "an array or a collection does not compare; ask for [any] of its elements: field="
                + field);
      }
      return one(field, found, test);
    };
  }

  private static boolean one(
      Field field, @Nullable Object found, Predicate<@Nullable Object> test) {
    return found != NonTerminalJsonValue.INSTANCE && test.test(Conversions.to(field, found));
  }
}
