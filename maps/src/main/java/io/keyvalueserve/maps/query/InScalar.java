package io.keyvalueserve.maps.query;

import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Condition.Comparison;
import java.util.ArrayList;
import java.util.List;

/** Looks attributes up among some values. Thread-safe. */
final class InScalar extends Scalar {
  private static final int MOST_VALUES = 32;

  private final CompareScalar[] values;
  private final boolean hasNull;

  private InScalar(List<CompareScalar> values, boolean hasNull) {
    this.values = values.toArray(CompareScalar[]::new);
    this.hasNull = hasNull;
  }

  /** Returns whether values are few enough to be compared one after the other. */
  static boolean takes(Condition.In in) {
    return in.values().size() <= MOST_VALUES;
  }

  static InScalar of(Condition.In in) {
    List<CompareScalar> values = new ArrayList<>();
    boolean hasNull = false;
    for (Object value : in.values()) {
      if (value == null) {
        hasNull = true;
      } else {
        values.add(new CompareScalar(new Condition.Compare(in.field(), Comparison.EQUAL, value)));
      }
    }
    return new InScalar(values, hasNull);
  }

  @Override
  int ofNull() {
    return of(hasNull);
  }

  @Override
  int ofWhole(long value, int type) {
    int sum = NO;
    for (int i = 0; i < values.length && sum != YES; i++) {
      sum = either(sum, values[i].ofWhole(value, type));
    }
    return sum;
  }

  @Override
  int ofFraction(double value, int type) {
    int sum = NO;
    for (int i = 0; i < values.length && sum != YES; i++) {
      sum = either(sum, values[i].ofFraction(value, type));
    }
    return sum;
  }

  @Override
  int ofBoolean(boolean value) {
    int sum = NO;
    for (int i = 0; i < values.length && sum != YES; i++) {
      sum = either(sum, values[i].ofBoolean(value));
    }
    return sum;
  }

  @Override
  int ofText(long address, int length) {
    int sum = NO;
    for (int i = 0; i < values.length && sum != YES; i++) {
      sum = either(sum, values[i].ofText(address, length));
    }
    return sum;
  }

  @Override
  int ofText(byte[] bytes, int from, int to) {
    int sum = NO;
    for (int i = 0; i < values.length && sum != YES; i++) {
      sum = either(sum, values[i].ofText(bytes, from, to));
    }
    return sum;
  }

  @Override
  int ofOther() {
    return UNSURE;
  }

  /** Returns whether one of two is true. */
  static int either(int left, int right) {
    return left == YES || right == YES ? YES : left | right;
  }

  /** Returns whether both are true. */
  static int both(int left, int right) {
    return left == NO || right == NO ? NO : left == UNSURE || right == UNSURE ? UNSURE : YES;
  }
}
