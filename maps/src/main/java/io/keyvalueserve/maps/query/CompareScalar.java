package io.keyvalueserve.maps.query;

import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Condition.Comparison;
import io.keyvalueserve.engine.query.FieldType;
import org.jspecify.annotations.Nullable;

/** Compares attributes with one value. Thread-safe. */
final class CompareScalar extends Scalar {
  private final Comparison comparison;
  private final @Nullable NumberBound[] numbers;
  private final byte @Nullable [] text;
  private final @Nullable Boolean flag;

  CompareScalar(Condition.Compare compare) {
    FieldType type = compare.field().type();
    this.comparison = compare.comparison();
    this.numbers = NumberBound.of(type, compare.value());
    this.text = text(type, compare.value());
    this.flag = flag(type, compare.value());
  }

  /** Returns what text is compared with; null if it takes objects. */
  static byte @Nullable [] text(FieldType type, Object value) {
    if (type == FieldType.VARCHAR || (type == FieldType.OBJECT && value instanceof String)) {
      return Utf8.of((String) value);
    }
    return null;
  }

  private static @Nullable Boolean flag(FieldType type, Object value) {
    boolean mayBe = type == FieldType.OBJECT || type == FieldType.BOOLEAN;
    if (mayBe && value instanceof Boolean flag) {
      return flag;
    }
    return null;
  }

  private int answer(int order) {
    return of(ObjectCompare.is(order, comparison));
  }

  @Override
  int ofNull() {
    return NO;
  }

  @Override
  int ofWhole(long value, int type) {
    NumberBound bound = numbers[type];
    return bound == null ? UNSURE : answer(bound.compare(value));
  }

  @Override
  int ofFraction(double value, int type) {
    NumberBound bound = numbers[type];
    return bound == null ? UNSURE : answer(bound.compare(value));
  }

  @Override
  int ofBoolean(boolean value) {
    return flag == null ? UNSURE : answer(Boolean.compare(value, flag));
  }

  @Override
  int ofText(long address, int length) {
    if (text == null) {
      return UNSURE;
    }
    if (comparison == Comparison.EQUAL) {
      return of(length == text.length && Utf8.has(address, length, 0, text));
    }
    return answer(Utf8.compare(address, length, text));
  }

  @Override
  int ofText(byte[] bytes, int from, int to) {
    return text == null ? UNSURE : answer(Utf8.compare(bytes, from, to, text));
  }

  @Override
  int ofOther() {
    return UNSURE;
  }
}
