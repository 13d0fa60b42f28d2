package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.expr.Arithmetic;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.expr.Values;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of one partition of a window, in their order. */
final class WindowPart {
  private final @Nullable Object[][] rows;
  private final int begin;
  private final int end;
  private final WindowFrame frame;
  private final Execution execution;
  private final Held held;
  private final int[] peerBegin;
  private final int[] peerEnd;

  WindowPart(
      @Nullable Object[][] rows,
      int begin,
      int end,
      WindowFrame frame,
      Execution execution,
      Held held) {
    this.rows = rows;
    this.begin = begin;
    this.end = end;
    this.frame = frame;
    this.execution = execution;
    this.held = held;
    this.peerBegin = new int[end - begin];
    this.peerEnd = new int[end - begin];
    findPeers();
  }

  private void findPeers() {
    int first = begin;
    while (first < end) {
      int last = first + 1;
      while (last < end && frame.order().compare(rows[first], rows[last]) == 0) {
        execution.step();
        last++;
      }
      for (int i = first; i < last; i++) {
        peerBegin[i - begin] = first;
        peerEnd[i - begin] = last;
      }
      first = last;
    }
  }

  /** Computes all calls for all rows, into the columns from a place on. */
  void fill(int place) {
    for (int c = 0; c < frame.calls().size(); c++) {
      WindowCall call = frame.calls().get(c);
      AggregateCall aggregate = call.aggregate();
      if (aggregate != null) {
        aggregate(aggregate, place + c);
      } else {
        for (int i = begin; i < end; i++) {
          execution.step();
          rows[i][place + c] = value(call, i);
        }
      }
    }
  }

  private void aggregate(AggregateCall call, int place) {
    int doneFrom = -1;
    int doneTo = -1;
    @Nullable Accumulator accumulator = null;
    for (int i = begin; i < end; i++) {
      int from = from(i);
      int to = Math.max(from, to(i));
      if (accumulator == null || from != doneFrom || to < doneTo) {
        accumulator = Accumulator.of(call, held);
        doneFrom = from;
        doneTo = from;
      }
      while (doneTo < to) {
        execution.step();
        Accumulator.accept(accumulator, call, rows[doneTo++]);
      }
      rows[i][place] = accumulator.result();
    }
  }

  /** Returns the first row of the frame of a row. */
  private int from(int row) {
    WindowFrame.Bound bound = frame.lower();
    if (bound.isUnbounded()) {
      return bound.direction() < 0 ? begin : end;
    }
    if (bound.direction() == 0) {
      return frame.countsRows() ? row : peerBegin[row - begin];
    }
    if (frame.countsRows()) {
      return Math.clamp(row + bound.direction() * rowsOf(bound, row), begin, end);
    }
    int first = begin;
    while (first < end && !isInside(bound, row, first, 1)) {
      execution.step();
      first++;
    }
    return first;
  }

  /** Returns the row behind the last one of the frame of a row. */
  private int to(int row) {
    WindowFrame.Bound bound = frame.upper();
    if (bound.isUnbounded()) {
      return bound.direction() < 0 ? begin : end;
    }
    if (bound.direction() == 0) {
      return frame.countsRows() ? row + 1 : peerEnd[row - begin];
    }
    if (frame.countsRows()) {
      return Math.clamp(row + bound.direction() * rowsOf(bound, row) + 1, begin, end);
    }
    int last = end;
    while (last > begin && !isInside(bound, row, last - 1, -1)) {
      execution.step();
      last--;
    }
    return last;
  }

  private long rowsOf(WindowFrame.Bound bound, int row) {
    Object value = offset(bound, row);
    Object count = Casts.cast(value, FieldType.BIGINT, ZoneOffset.UTC);
    if (!(count instanceof Long rowCount) || rowCount < 0) {
      throw new SqlFailure("22013", "the rows before and behind a row are 0 or more");
    }
    return Math.min(rowCount, Integer.MAX_VALUE);
  }

  private @Nullable Object offset(WindowFrame.Bound bound, int row) {
    return bound.offset() == null ? null : bound.offset().eval(rows[row], execution.env());
  }

  /** Returns whether a row is not beyond a bound that counts values. */
  private boolean isInside(WindowFrame.Bound bound, int row, int other, int side) {
    if (frame.order().keys().size() != 1) {
      throw new SqlFailure(
          SqlState.UNSUPPORTED, "RANGE with an offset needs one column in ORDER BY");
    }
    int column = frame.order().keys().getFirst().column();
    boolean isDescending = frame.order().keys().getFirst().descending();
    Object present = rows[row][column];
    Object value = rows[other][column];
    if (present == null || value == null) {
      return present == null && value == null;
    }
    Object by = offset(bound, row);
    if (by == null) {
      throw new SqlFailure("22013", "an offset of RANGE is null");
    }
    Arithmetic.Operation operation =
        (bound.direction() < 0) == isDescending
            ? Arithmetic.Operation.PLUS
            : Arithmetic.Operation.MINUS;
    Object edge = Arithmetic.compute(operation, present, by, FieldType.OBJECT);
    int order = Values.compare(value, edge) * (isDescending ? -1 : 1);
    return order * side >= 0;
  }

  private @Nullable Object value(WindowCall call, int row) {
    int place = row - begin;
    long rank = peerBegin[place] - begin + 1L;
    int size = end - begin;
    return switch (call.name()) {
      case "ROW_NUMBER" -> place + 1L;
      case "RANK" -> rank;
      case "DENSE_RANK" -> dense(row);
      case "PERCENT_RANK" -> size == 1 ? 0.0 : (rank - 1.0) / (size - 1);
      case "CUME_DIST" -> (peerEnd[place] - begin) / (double) size;
      case "NTILE" -> tile(place, size, call, row);
      case "LAG" -> neighbour(call, row, -1);
      case "LEAD" -> neighbour(call, row, 1);
      case "FIRST_VALUE" -> nth(call, row, 1, 1);
      case "LAST_VALUE" -> nth(call, row, 1, -1);
      case "NTH_VALUE" -> nth(call, row, (long) number(call, row), 1);
      default -> throw new SqlFailure(SqlState.UNSUPPORTED, call.name() + " is not supported");
    };
  }

  private long dense(int row) {
    if (row == begin) {
      denseRank = 1;
    } else if (peerBegin[row - begin] == row) {
      denseRank++;
    }
    return denseRank;
  }

  private long denseRank;

  private Object tile(int place, int size, WindowCall call, int row) {
    Object value = call.arguments().getFirst().eval(rows[row], execution.env());
    long tiles = value instanceof Number number ? number.longValue() : 0;
    if (tiles <= 0) {
      throw new SqlFailure("22014", "NTILE takes a number above 0");
    }
    long small = size / tiles;
    long large = size % tiles;
    long inLarge = large * (small + 1);
    return place < inLarge ? place / (small + 1) + 1 : large + (place - inLarge) / small + 1;
  }

  private @Nullable Object neighbour(WindowCall call, int row, int direction) {
    List<Expr> arguments = call.arguments();
    long by = 1;
    if (arguments.size() > 1) {
      Object value = arguments.get(1).eval(rows[row], execution.env());
      if (!(value instanceof Number number)) {
        return null;
      }
      by = number.longValue();
    }
    int step = by < 0 ? -direction : direction;
    long left = Math.abs(by);
    int at = row;
    if (!call.ignoresNulls()) {
      long place = row + Math.min(left, Integer.MAX_VALUE) * step;
      at = place < begin || place >= end ? -1 : (int) place;
    } else {
      while (left > 0) {
        at += step;
        if (at < begin || at >= end) {
          at = -1;
          break;
        }
        if (arguments.getFirst().eval(rows[at], execution.env()) != null) {
          left--;
        }
      }
    }
    if (at < 0) {
      return arguments.size() > 2 ? arguments.get(2).eval(rows[row], execution.env()) : null;
    }
    return arguments.getFirst().eval(rows[at], execution.env());
  }

  private Object number(WindowCall call, int row) {
    Object value = call.arguments().get(1).eval(rows[row], execution.env());
    if (!(value instanceof Number number) || number.longValue() < 1) {
      throw new SqlFailure("22016", "NTH_VALUE takes a number above 0");
    }
    return number.longValue();
  }

  private @Nullable Object nth(WindowCall call, int row, long nth, int direction) {
    int from = from(row);
    int to = to(row);
    long left = nth;
    for (int i = direction > 0 ? from : to - 1; i >= from && i < to; i += direction) {
      Object value = call.arguments().getFirst().eval(rows[i], execution.env());
      if (call.ignoresNulls() && value == null) {
        continue;
      }
      if (--left == 0) {
        return value;
      }
      if (!call.ignoresNulls() && left > to - from) {
        return null;
      }
    }
    return null;
  }
}
