package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.Aggregate;
import io.keyvalueserve.engine.query.Decimals;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.grid.query.Values.Tuple;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of one aggregate over the rows of a group so far. It takes values, and results of
 * other members over their rows.
 */
final class Accumulator {
  private static final int SEEN_BYTES = 64;

  private final Aggregate aggregate;
  private final boolean isReal;
  private final boolean isSmall;
  private long count;
  private double realSum;
  private long longSum;
  private @Nullable BigDecimal decimalSum;
  private @Nullable Object chosen;
  private boolean hasAny;

  /** The values that were taken, if equal ones count once; else null. */
  private final @Nullable Set<Tuple> seen;

  /**
   * @param type of the aggregate's column
   */
  Accumulator(Aggregate aggregate, FieldType type) {
    this.aggregate = aggregate;
    this.isReal = type == FieldType.REAL || type == FieldType.DOUBLE;
    this.isSmall =
        type == FieldType.TINYINT || type == FieldType.SMALLINT || type == FieldType.INTEGER;
    this.seen = isDistinct(aggregate) ? new HashSet<>() : null;
  }

  /** Returns whether it matters that equal values count once. */
  static boolean isDistinct(Aggregate aggregate) {
    return aggregate.distinct()
        && switch (aggregate.function()) {
          case COUNT, SUM -> true;
          case COUNT_ALL, MIN, MAX, ANY -> false;
        };
  }

  /**
   * Takes a row's value.
   *
   * @param value of the aggregate's column; not looked at where all rows count
   * @return about how many bytes of heap it keeps of it
   */
  long add(@Nullable Object value) {
    if (seen != null && value != null) {
      @Nullable Object[] one = {value};
      if (!seen.add(new Tuple(one))) {
        return 0;
      }
      take(value);
      return SEEN_BYTES + Values.bytes(one);
    }
    take(value);
    return 0;
  }

  private void take(@Nullable Object value) {
    switch (aggregate.function()) {
      case COUNT_ALL -> count++;
      case COUNT -> count += value == null ? 0 : 1;
      case SUM -> sum(value);
      case MIN, MAX, ANY -> choose(value);
    }
  }

  /** Takes a result of the same aggregate over other rows. */
  void merge(@Nullable Object result) {
    switch (aggregate.function()) {
      case COUNT_ALL, COUNT -> count += result instanceof Long more ? more : 0;
      case SUM -> sum(result);
      case MIN, MAX, ANY -> choose(result);
    }
  }

  private void sum(@Nullable Object value) {
    if (value == null) {
      return;
    }
    if (!(value instanceof Number number)) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE,
          "SUM takes numbers: declare the column's type in a mapping, or use CAST");
    }
    hasAny = true;
    if (isReal) {
      realSum += number.doubleValue();
    } else if (isSmall) {
      addSmall(number.longValue());
    } else {
      BigDecimal more = Values.decimal(number);
      if (!Decimals.isBounded(more)) {
        throw new QueryException(
            QueryException.Kind.BAD_VALUE, "SUM met a number that is out of the range of DECIMAL");
      }
      decimalSum = decimalSum == null ? more : decimalSum.add(more);
    }
  }

  private void addSmall(long value) {
    long sum = longSum + value;
    if (((longSum ^ sum) & (value ^ sum)) < 0) {
      throw new QueryException(
          QueryException.Kind.BAD_VALUE, "SUM is out of the range of BIGINT: use CAST to DECIMAL");
    }
    longSum = sum;
  }

  private void choose(@Nullable Object value) {
    if (value == null) {
      return;
    }
    Object before = chosen;
    if (before == null) {
      chosen = value;
      return;
    }
    boolean isBetter =
        switch (aggregate.function()) {
          case MIN -> Values.compare(value, before) < 0;
          case MAX -> Values.compare(value, before) > 0;
          default -> false;
        };
    if (isBetter) {
      chosen = value;
    }
  }

  /** Returns the result so far. */
  @Nullable Object result() {
    return switch (aggregate.function()) {
      case COUNT_ALL, COUNT -> count;
      case SUM -> !hasAny ? null : isReal ? (Object) realSum : isSmall ? longSum : decimalSum;
      case MIN, MAX, ANY -> chosen;
    };
  }
}
