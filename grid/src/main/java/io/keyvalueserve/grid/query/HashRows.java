package io.keyvalueserve.grid.query;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Decimals;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.QueryException.Kind;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.grid.query.GridHashTable.HashAccess;
import io.keyvalueserve.grid.space.KeyBytes;
import io.keyvalueserve.maps.CollectionData;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of a map as rows. Keys are read some at a time, and then the fields of their hashes.
 */
final class HashRows implements RowSource {
  private static final int PORTION = 256;

  private final RowSource keys;
  private final HashAccess access;
  private final Scan scan;
  private final long limit;
  private final QueryControl control;
  private final List<Field> needed;
  private final Deque<@Nullable Object[]> rows = new ArrayDeque<>();
  private @Nullable Object @Nullable [] row;
  private long returned;
  private long held;

  /**
   * @param keys rows with a key and a value, serialized
   * @param limit the most rows
   */
  HashRows(RowSource keys, HashAccess access, Scan scan, long limit, QueryControl control) {
    this.keys = keys;
    this.access = access;
    this.scan = scan;
    this.limit = limit;
    this.control = control;
    Set<Field> fields = new LinkedHashSet<>(scan.fields());
    collect(scan.condition(), fields);
    this.needed = fields.stream().filter(HashRows::isOfHash).toList();
  }

  private static boolean isOfHash(Field field) {
    return field.path().startsWith(TableShape.HASH_PATH);
  }

  private static void collect(Condition condition, Set<Field> into) {
    switch (condition) {
      case Condition.And it -> it.parts().forEach(part -> collect(part, into));
      case Condition.Or it -> it.parts().forEach(part -> collect(part, into));
      case Condition.Not it -> collect(it.part(), into);
      case Condition.Compare it -> into.add(it.field());
      case Condition.In it -> into.add(it.field());
      case Condition.Like it -> into.add(it.field());
      case Condition.Regex it -> into.add(it.field());
      case Condition.IsNull it -> into.add(it.field());
      case Condition.Constant _, Condition.InstanceOf _ -> {}
    }
  }

  /** Returns the name of a field of hashes. */
  static byte[] name(Field field) {
    return field.path().substring(TableShape.HASH_PATH.length()).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean next() {
    while (rows.isEmpty() && returned < limit) {
      control.give(held);
      held = 0;
      List<byte[]> portion = portion();
      if (portion.isEmpty()) {
        return false;
      }
      read(portion);
    }
    if (rows.isEmpty() || returned >= limit) {
      return false;
    }
    row = rows.remove();
    returned++;
    return true;
  }

  private List<byte[]> portion() {
    List<byte[]> portion = new ArrayList<>();
    while (portion.size() < PORTION && keys.next()) {
      if (keys.row()[0] instanceof Data key
          && keys.row()[1] instanceof Data value
          && CollectionData.typeOf(value.getType()) == CollectionType.HASH) {
        byte[] bytes = KeyBytes.of(key);
        if (bytes != null) {
          portion.add(bytes);
        }
      }
    }
    return portion;
  }

  private void read(List<byte[]> portion) {
    control.checkpoint();
    List<byte[]> names = needed.stream().map(HashRows::name).toList();
    List<KeyCommand> commands =
        portion.stream()
            .<KeyCommand>map(
                key ->
                    new KeyCommand.OnCollection(
                        key,
                        HashOperation.GET_MANY,
                        Arguments.of(names),
                        KeyCommand.MOST_COLLECTION_BYTES))
            .toList();
    Outcome[] outcomes = run(commands);
    for (int i = 0; i < outcomes.length; i++) {
      if (isRow(outcomes[i])) {
        add(values(portion.get(i), needed, outcomes[i]));
      }
    }
  }

  private void add(Function<Field, @Nullable Object> values) {
    if (!RowTest.isMet(scan.condition(), values)) {
      return;
    }
    @Nullable Object[] made = new @Nullable Object[scan.fields().size()];
    for (int i = 0; i < made.length; i++) {
      made[i] = values.apply(scan.fields().get(i));
    }
    long bytes = Values.bytes(made);
    control.take(bytes);
    held += bytes;
    rows.add(made);
  }

  private Outcome[] run(List<KeyCommand> commands) {
    Outcome[] outcomes = new Outcome[commands.size()];
    AtomicInteger missing = new AtomicInteger(outcomes.length);
    CompletableFuture<Outcome[]> all = new CompletableFuture<>();
    access
        .keys()
        .submit(
            commands,
            (index, outcome) -> {
              outcomes[index] = outcome; // published by the counter
              if (missing.decrementAndGet() == 0) {
                all.complete(outcomes);
              }
            });
    try {
      return all.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new QueryException(Kind.CANCELLED, "the query was ended", e);
    } catch (ExecutionException e) {
      throw TableWriter.failure(e);
    }
  }

  /**
   * Returns whether a key has a hash.
   *
   * @param outcome of reading fields of it
   * @throws QueryException if it could not be read
   */
  static boolean isRow(Outcome outcome) {
    if (outcome instanceof Outcome.Failure failure) {
      throw TableWriter.failure(new EngineException(failure));
    }
    return outcome instanceof Outcome.Elements;
  }

  /**
   * Returns the values of the fields of a row.
   *
   * @param fields that were read, in the order of the outcome's elements
   */
  static Function<Field, @Nullable Object> values(byte[] key, List<Field> fields, Outcome outcome) {
    List<Element> elements = ((Outcome.Elements) outcome).elements();
    return field -> {
      if (field.ofKey()) {
        return new String(key, StandardCharsets.UTF_8);
      }
      int index = fields.indexOf(field);
      return index >= 0 && elements.get(index) instanceof Element.Text text
          ? value(field, text.bytes())
          : null;
    };
  }

  private static Object value(Field field, byte[] bytes) {
    if (field.type() == FieldType.VARBINARY) {
      return bytes;
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    try {
      return switch (field.type()) {
        case BOOLEAN -> truth(text);
        case TINYINT -> Byte.valueOf(text);
        case SMALLINT -> Short.valueOf(text);
        case INTEGER -> Integer.valueOf(text);
        case BIGINT -> Long.valueOf(text);
        case DECIMAL -> Decimals.bounded(new BigDecimal(text));
        case REAL -> Float.valueOf(text);
        case DOUBLE -> Double.valueOf(text);
        case DATE -> LocalDate.parse(text);
        case TIME -> LocalTime.parse(text);
        case TIMESTAMP -> LocalDateTime.parse(text.replace(' ', 'T'));
        case TIMESTAMP_WITH_TIME_ZONE -> OffsetDateTime.parse(text.replace(' ', 'T'));
        case JSON -> new JsonText(text);
        default -> text;
      };
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new QueryException(
          Kind.BAD_VALUE,
          "a field of a hash is not of its column's type: column="
              + field.path().substring(TableShape.HASH_PATH.length())
              + " type="
              + field.type()
              + "; declare the column as VARCHAR, or leave such keys out",
          e);
    }
  }

  private static boolean truth(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "1", "t" -> true;
      case "false", "0", "f" -> false;
      default -> throw new IllegalArgumentException("no truth value");
    };
  }

  /** Returns a value as the text that a field has. */
  static String text(Object value) {
    return switch (value) {
      case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
      case BigDecimal number -> Decimals.text(number);
      default -> value.toString();
    };
  }

  @Override
  public @Nullable Object[] row() {
    if (row == null) {
      throw new IllegalStateException("there is no row before next");
    }
    return row;
  }

  @Override
  public void close() {
    keys.close();
    rows.clear();
    control.give(held);
    held = 0;
  }
}
