package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.TableIndex;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.query.MapScan;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Scans that this member has compiled lately. The pages of a scan have one, which remembers what it
 * has found in indexes, and the same question need not be compiled again and again. Thread-safe.
 */
final class CompiledScans {
  private static final int MOST = 256;

  /** Larger conditions are compiled each time: what is kept is counted for no tenant. */
  private static final int MOST_WEIGHT = 4_000;

  private static final int LEAST_WEIGHT = 20;

  /** A compiled scan is used for so long: then a map of the name may be another one. */
  private static final long GOOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final NativeMaps maps;
  private final Function<String, List<TableIndex>> indexes;
  private final ConcurrentHashMap<Question, Compiled> compiled = new ConcurrentHashMap<>();

  private record Question(
      String map, Condition condition, List<Field> fields, List<TableIndex> indexes) {}

  private record Compiled(MapScan scan, long sinceNanos) {}

  /**
   * @param indexes of a map
   */
  CompiledScans(NativeMaps maps, Function<String, List<TableIndex>> indexes) {
    this.maps = maps;
    this.indexes = indexes;
  }

  /**
   * Returns a scan.
   *
   * @throws io.keyvalueserve.engine.query.QueryException if the condition makes no sense
   */
  MapScan of(String map, Condition condition, List<Field> fields) {
    Question question = new Question(map, condition, fields, indexes.apply(map));
    Compiled known = compiled.get(question);
    long now = System.nanoTime();
    if (known != null && now - known.sinceNanos() < GOOD_NANOS) {
      return known.scan();
    }
    MapScan scan = MapScan.of(maps, map, condition, fields);
    if (weight(condition) + weight(fields) > MOST_WEIGHT) {
      return scan;
    }
    if (compiled.size() >= MOST) {
      compiled.clear();
    }
    compiled.put(question, new Compiled(scan, now));
    return scan;
  }

  /** Returns about how many characters a condition has. */
  private static int weight(Condition condition) {
    return switch (condition) {
      case Condition.And it -> it.parts().stream().mapToInt(CompiledScans::weight).sum();
      case Condition.Or it -> it.parts().stream().mapToInt(CompiledScans::weight).sum();
      case Condition.Not it -> weight(it.part());
      case Condition.Compare it -> weight(it.value());
      case Condition.In it -> it.values().stream().mapToInt(CompiledScans::weight).sum();
      case Condition.Like it -> it.pattern().length();
      case Condition.Regex it -> it.pattern().length();
      case Condition.InstanceOf it -> it.className().length();
      case Condition.Constant _, Condition.IsNull _ -> LEAST_WEIGHT;
    };
  }

  private static int weight(List<Field> fields) {
    return fields.stream().mapToInt(field -> field.path().length() + LEAST_WEIGHT).sum();
  }

  private static int weight(@Nullable Object value) {
    return switch (value) {
      case String text -> text.length() + LEAST_WEIGHT;
      case byte[] bytes -> bytes.length + LEAST_WEIGHT;
      case null, default -> LEAST_WEIGHT;
    };
  }
}
