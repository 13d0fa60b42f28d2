package io.keyvalueserve.maps.query;

import com.hazelcast.query.impl.AttributeType;
import com.hazelcast.query.impl.Comparables;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.getters.ReflectionHelper;
import io.keyvalueserve.engine.query.Condition.Comparison;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Compares values of attributes with one that was asked for, as Hazelcast's predicates do: the one
 * that was asked for is converted to the type of the attribute. Thread-safe.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // as Hazelcast's own
final class ObjectCompare {
  private final Comparable given;
  private volatile @Nullable Converted last;

  /** The value that was asked for, in the type of an attribute. */
  private record Converted(Class<?> type, Comparable value) {}

  ObjectCompare(Object given) {
    if (!(given instanceof Comparable comparable)) {
      throw notComparable(given);
    }
    this.given = comparable;
  }

  private static QueryException notComparable(Object value) {
    return new QueryException(
        QueryException.Kind.BAD_VALUE,
        "a value cannot be compared, because its class has no order: "
            + value.getClass().getSimpleName());
  }

  /**
   * Compares a value.
   *
   * @throws QueryException if it does not compare
   */
  boolean is(Object value, Comparison comparison) {
    if (!(value instanceof Comparable attribute)) {
      throw notComparable(value);
    }
    Comparable other = converted(attribute);
    Comparable plain = attribute.getClass().isEnum() ? attribute.toString() : attribute;
    try {
      if (comparison == Comparison.EQUAL) {
        return Comparables.equal(plain, other);
      }
      return is(Comparables.compare(plain, other), comparison);
    } catch (ClassCastException e) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE,
          "values of different types do not compare: "
              + plain.getClass().getSimpleName()
              + " and "
              + other.getClass().getSimpleName(),
          e);
    }
  }

  /** Returns whether an order is what a comparison asks for. */
  static boolean is(int order, Comparison comparison) {
    return switch (comparison) {
      case EQUAL -> order == 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
    };
  }

  private Comparable converted(Comparable attribute) {
    Converted known = last;
    Class<?> type = attribute.getClass();
    if (known == null || known.type() != type) {
      known = new Converted(type, convert(attribute, given));
      last = known;
    }
    return known.value();
  }

  /** Converts what was asked for to the type of an attribute. */
  static Comparable convert(Comparable attribute, Comparable given) {
    return convert(attribute.getClass(), QueryableEntry.extractAttributeType(attribute), given);
  }

  /** Does the same for attributes of a class, which is one of plain values. */
  static Comparable convert(Class<?> attribute, Comparable given) {
    return convert(attribute, ReflectionHelper.getAttributeType(attribute), given);
  }

  private static Comparable convert(
      Class<?> attribute, @Nullable AttributeType type, Comparable given) {
    if (type != AttributeType.ENUM && attribute.isAssignableFrom(given.getClass())) {
      return given;
    }
    if (type == null) {
      throw notComparable(given);
    }
    try {
      return type.getConverter().convert(given);
    } catch (RuntimeException e) { // as many kinds as there are types
      throw new QueryException(
          QueryException.Kind.BAD_VALUE,
          "a value of the condition cannot be converted to the type of the attribute: type="
              + type
              + " value="
              + given,
          e);
    }
  }

  /** Compares two values of a field's type, which is not {@link FieldType#OBJECT}. */
  static int compareTyped(Object left, Object right) {
    return left instanceof byte[] bytes
        ? Arrays.compareUnsigned(bytes, (byte[]) right)
        : left instanceof Comparable comparable
            ? comparable.compareTo(right)
            : left.toString().compareTo(right.toString());
  }
}
