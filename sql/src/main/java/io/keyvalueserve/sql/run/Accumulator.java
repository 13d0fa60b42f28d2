package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.expr.Arithmetic;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.expr.Values;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Computes one function over the rows of one group. Used by one thread. */
abstract class Accumulator {
  /** Bytes of heap that one takes. */
  static final int BYTES = 64;

  private static final int ENTRY_BYTES = 48;

  /** Adds a value, which is not null; for some functions, a row. */
  abstract void add(@Nullable Object value, @Nullable Object[] row);

  abstract @Nullable Object result();

  /** Creates the accumulator of a call. */
  static Accumulator of(AggregateCall call, Held held) {
    Accumulator plain = plain(call, held);
    return call.isDistinct() ? new Distinct(plain, call, held) : plain;
  }

  private static Accumulator plain(AggregateCall call, Held held) {
    return switch (call.function()) {
      case COUNT -> new Count();
      case SUM -> new Sum(call.type(), false);
      case SUM_OR_ZERO -> new Sum(call.type(), true);
      case AVG -> new Average(call.type());
      case MIN, EVERY -> new Extreme(-1, held);
      case MAX, SOME -> new Extreme(1, held);
      case ANY -> new Extreme(0, held);
      case STDDEV_POP, STDDEV_SAMP, VAR_POP, VAR_SAMP -> new Variance(call.function(), call.type());
      case LIST_TEXT, ARRAY -> new Listed(call, held);
      case SINGLE -> new Single();
      case GROUPING -> throw new IllegalArgumentException("GROUPING is no function of rows");
    };
  }

  /** Adds what a row has for a call. */
  static void accept(Accumulator accumulator, AggregateCall call, @Nullable Object[] row) {
    if (call.filter() >= 0 && !Boolean.TRUE.equals(row[call.filter()])) {
      return;
    }
    if (call.columns().isEmpty()) {
      accumulator.add(null, row);
      return;
    }
    boolean takesNulls =
        call.function() == AggregateCall.Function.SINGLE
            || call.function() == AggregateCall.Function.ARRAY;
    if (!takesNulls) {
      for (int column : call.columns()) {
        if (row[column] == null) {
          return;
        }
      }
    }
    accumulator.add(row[call.columns().getFirst()], row);
  }

  /** Counts. */
  private static final class Count extends Accumulator {
    private long count;

    @Override
    void add(@Nullable Object value, @Nullable Object[] row) {
      count++;
    }

    @Override
    Object result() {
      return count;
    }
  }

  /** Adds up. */
  private static final class Sum extends Accumulator {
    private final FieldType type;
    private @Nullable Object sum;
    private BigDecimal large = BigDecimal.ZERO;
    private long small;

    Sum(FieldType type, boolean orZero) {
      this.type = type;
      this.sum = orZero ? Casts.cast(0, type, ZoneOffset.UTC) : null;
    }

    @Override
    void add(@Nullable Object value, @Nullable Object[] row) {
      Object one = Objects.requireNonNull(value);
      if (type == FieldType.DECIMAL && one instanceof Long number) {
        addLong(number);
        return;
      }
      sum =
          sum == null ? first(one) : Arithmetic.compute(Arithmetic.Operation.PLUS, sum, one, type);
    }

    /** Adds in 64 bits as long as that suffices. */
    private void addLong(long number) {
      long added = small + number;
      if (((small ^ added) & (number ^ added)) < 0) {
        large = large.add(BigDecimal.valueOf(small));
        added = number;
      }
      small = added;
      sum = this;
    }

    private @Nullable Object first(Object one) {
      return type == FieldType.OBJECT ? one : Casts.cast(one, type, ZoneOffset.UTC);
    }

    @Override
    @Nullable Object result() {
      return sum == this ? large.add(BigDecimal.valueOf(small)) : sum;
    }
  }

  /** Averages. */
  private static final class Average extends Accumulator {
    private final FieldType type;
    private final Sum sum;
    private long count;

    Average(FieldType type) {
      this.type = type;
      this.sum = new Sum(type == FieldType.DOUBLE ? type : FieldType.DECIMAL, false);
    }

    @Override
    void add(@Nullable Object value, @Nullable Object[] row) {
      sum.add(value, row);
      count++;
    }

    @Override
    @Nullable Object result() {
      Object total = sum.result();
      if (total == null) {
        return null;
      }
      FieldType divided = type == FieldType.DOUBLE ? type : FieldType.DECIMAL;
      Object mean =
          Arithmetic.compute(
              Arithmetic.Operation.DIVIDE, total, BigDecimal.valueOf(count), divided);
      return Casts.cast(mean, type, ZoneOffset.UTC);
    }
  }

  /** Keeps the least, the greatest or any value. */
  private static final class Extreme extends Accumulator {
    private final int sign;
    private final Held held;
    private @Nullable Object best;

    Extreme(int sign, Held held) {
      this.sign = sign;
      this.held = held;
    }

    @Override
    void add(@Nullable Object value, @Nullable Object[] row) {
      Object one = Objects.requireNonNull(value);
      if (best == null || (sign != 0 && Values.compare(one, best) * sign > 0)) {
        held.add(Values.sizeOf(one));
        held.remove(Values.sizeOf(best));
        best = one;
      }
    }

    @Override
    @Nullable Object result() {
      return best;
    }
  }

  /** Computes variances as it goes, by the method of Welford. */
  private static final class Variance extends Accumulator {
    private final AggregateCall.Function function;
    private final FieldType type;
    private long count;
    private double mean;
    private double squares;

    Variance(AggregateCall.Function function, FieldType type) {
      this.function = function;
      this.type = type;
    }

    @Override
    void add(@Nullable Object value, @Nullable Object[] row) {
      Object real = Objects.requireNonNull(Casts.cast(value, FieldType.DOUBLE, ZoneOffset.UTC));
      double one = (double) real;
      count++;
      double delta = one - mean;
      mean += delta / count;
      squares += delta * (one - mean);
    }

    @Override
    @Nullable Object result() {
      boolean isSample =
          function == AggregateCall.Function.STDDEV_SAMP
              || function == AggregateCall.Function.VAR_SAMP;
      long divisor = isSample ? count - 1 : count;
      if (divisor <= 0) {
        return null;
      }
      double variance = squares / divisor;
      boolean isRoot =
          function == AggregateCall.Function.STDDEV_POP
              || function == AggregateCall.Function.STDDEV_SAMP;
      return Casts.cast(isRoot ? Math.sqrt(variance) : variance, type, ZoneOffset.UTC);
    }
  }

  /** Keeps all values, as text or as an array. */
  private static final class Listed extends Accumulator {
    private final AggregateCall call;
    private final Held held;
    private final List<@Nullable Object[]> rows = new ArrayList<>();

    Listed(AggregateCall call, Held held) {
      this.call = call;
      this.held = held;
    }

    @Override
    void add(@Nullable Object value, @Nullable Object[] row) {
      held.add(row);
      rows.add(row);
    }

    @Override
    @Nullable Object result() {
      RowOrder order = call.order();
      if (order != null) {
        rows.sort(order);
      }
      int column = call.columns().getFirst();
      if (call.function() == AggregateCall.Function.ARRAY) {
        List<@Nullable Object> items = new ArrayList<>(rows.size());
        rows.forEach(row -> items.add(row[column]));
        return items;
      }
      if (rows.isEmpty()) {
        return null;
      }
      StringBuilder text = new StringBuilder();
      for (@Nullable Object[] row : rows) {
        if (!text.isEmpty() && call.columns().size() > 1) {
          text.append(Casts.toText(Objects.requireNonNull(row[call.columns().get(1)])));
        } else if (!text.isEmpty()) {
          text.append(',');
        }
        String one = Casts.toText(Objects.requireNonNull(row[column]));
        held.add(2L * one.length());
        text.append(one);
      }
      return text.toString();
    }
  }

  /** Keeps the only value. */
  private static final class Single extends Accumulator {
    private boolean isThere;
    private @Nullable Object value;

    @Override
    void add(@Nullable Object one, @Nullable Object[] row) {
      if (isThere) {
        throw new SqlFailure(
            SqlState.TOO_MANY_ROWS,
            "a query in brackets returns more than one row where one value is needed",
            0,
            "narrow it with WHERE, or use IN");
      }
      isThere = true;
      value = one;
    }

    @Override
    @Nullable Object result() {
      return value;
    }
  }

  /** Leaves out what was there before. */
  private static final class Distinct extends Accumulator {
    private final Accumulator inner;
    private final AggregateCall call;
    private final Held held;
    private final Set<Object> seen = new HashSet<>();

    Distinct(Accumulator inner, AggregateCall call, Held held) {
      this.inner = inner;
      this.call = call;
      this.held = held;
    }

    @Override
    void add(@Nullable Object value, @Nullable Object[] row) {
      Object key = RowKey.of(row, call.columns());
      if (seen.add(key)) {
        held.add(ENTRY_BYTES + Values.sizeOf(value));
        inner.add(value, row);
      }
    }

    @Override
    @Nullable Object result() {
      return inner.result();
    }
  }
}
