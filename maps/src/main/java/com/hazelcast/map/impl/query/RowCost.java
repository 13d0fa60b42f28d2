package com.hazelcast.map.impl.query;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.query.impl.QueryableEntry;
import java.time.temporal.Temporal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Estimates the Java heap that parts of results take, in bytes, rounded up. */
final class RowCost {
  /** A row: the object, its place in a list, and the frames of the answer. */
  private static final int ROW = 96;

  /** A serialized value: the object, its array's header, and padding. */
  private static final int DATA = 48;

  /** A key or a value as an object: mostly a number or a date. */
  private static final int OBJECT = 128;

  /** An element of a set. */
  private static final int ELEMENT = 64;

  private RowCost() {}

  /** Returns what a row takes, with its key and value. */
  static long of(QueryResultRow row) {
    return ROW + of(row.getKey()) + of(row.getValue());
  }

  /** Returns what an entry takes with its key and value in serialized form. */
  static long of(QueryableEntry<?, ?> entry) {
    return ROW + of(entry.getKeyData()) + of(entry.getValueData());
  }

  private static long of(@Nullable Data data) {
    return data == null ? 0 : DATA + (long) data.totalSize();
  }

  /** Returns what an object takes that an aggregation holds. */
  static long of(@Nullable Object object, SerializationService serialization) {
    return switch (object) {
      case null -> 0;
      case Data data -> of(data);
      case String text -> DATA + (long) text.length();
      case byte[] bytes -> DATA + (long) bytes.length;
      case Number _, Boolean _, Character _, UUID _, Temporal _, Enum<?> _ -> OBJECT;
      case Collection<?> all -> {
        long sum = 0;
        for (Object each : all) {
          sum += ELEMENT + of(each, serialization);
        }
        yield sum;
      }
      case Map.Entry<?, ?> entry ->
          OBJECT + of(entry.getKey(), serialization) + of(entry.getValue(), serialization);
      default -> {
        Data data = serialization.toData(object);
        yield OBJECT + of(data);
      }
    };
  }

  /** Returns what rows take: rows, or entries that become rows. */
  static long of(List<?> rows) {
    long sum = 0;
    for (Object row : rows) {
      sum += row instanceof QueryableEntry<?, ?> entry ? of(entry) : of((QueryResultRow) row);
    }
    return sum;
  }
}
