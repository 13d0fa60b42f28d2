package io.keyvalueserve.grid.query;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.QueryException.Kind;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.engine.query.TableIndex;
import io.keyvalueserve.tenancy.grant.Rights;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table over the hashes of Redis clients: each key of a hash is a row, and fields of the hash are
 * columns. Entries of other types are no rows. Writes are transactions of the engine on one key.
 */
final class GridHashTable implements QueryTable {
  private final GridQueries queries;
  private final TableMap map;
  private final Mapping mapping;
  private final TableShape shape;
  private final HashAccess access;

  GridHashTable(
      GridQueries queries, TableMap map, Mapping mapping, TableShape shape, HashAccess access) {
    this.queries = queries;
    this.map = map;
    this.mapping = mapping;
    this.shape = shape;
    this.access = access;
    if (shape.key().kind() != EntryFormat.Kind.SCALAR
        || shape.key().scalar() != FieldType.VARCHAR) {
      throw new QueryException(
          Kind.BAD_VALUE, "the option 'keyFormat' of a mapping over hashes is 'varchar'");
    }
  }

  @Override
  public Mapping mapping() {
    return mapping;
  }

  @Override
  public List<Column> columns() {
    return shape.columns();
  }

  @Override
  public List<TableIndex> indexes() {
    return List.of();
  }

  @Override
  public long estimatedRows() {
    return queries.estimatedEntries(map.gridName());
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public String explain(Scan scan) {
    List<Object> keys = scan.keys();
    return keys == null ? "all hashes" : keys.size() + (keys.size() == 1 ? " key" : " keys");
  }

  // ---- reading

  @Override
  public RowSource scan(Scan scan, QueryControl control) {
    map.require(Rights.READ);
    Scan.Grouping grouping = scan.grouping();
    boolean isPlain = grouping == null && scan.order().isEmpty();
    RowSource rows =
        new HashRows(keys(scan, control), access, scan, isPlain ? scan.limit() : Scan.ALL, control);
    return isPlain
        ? rows
        : grouping != null
            ? new GroupedRows(rows, grouping, scan.fields(), control)
            : new SortedRows(rows, scan, control);
  }

  /** Returns rows with a key, serialized, in the first column. */
  private RowSource keys(Scan scan, QueryControl control) {
    Scan all = new Scan(List.of(), new Condition.Constant(true), null, null, List.of(), Scan.ALL);
    List<Object> keys = scan.keys();
    if (keys == null) {
      return new ScanRows(queries, map, all, true, control);
    }
    EntryMaker maker = new EntryMaker(shape, queries.serialization());
    List<Data> wanted = keys.stream().map(maker::keyOf).distinct().toList();
    return new KeyRows(queries, map, all, wanted, true, control);
  }

  // ---- writing

  @Override
  public long put(
      List<Integer> columns,
      List<@Nullable Object[]> rows,
      boolean replaces,
      QueryControl control) {
    map.require(Rights.WRITE);
    long written = 0;
    for (@Nullable Object[] row : rows) {
      control.checkpoint();
      byte[] key = keyOf(columns, row);
      boolean _ =
          access.transact(
              key,
              (view, keys) -> {
                if (!replaces && !isMissing(view.execute(keys, new KeyCommand.Probe(key, false)))) {
                  throw new QueryException(
                      Kind.BAD_VALUE,
                      "duplicate key: an entry of a row's key exists already; use SINK INTO to"
                          + " replace entries");
                }
                require(view.execute(keys, new KeyCommand.Remove(key, false)));
                set(view.execute(keys, write(key, columns, row, true)));
                return true;
              });
      written++;
    }
    return written;
  }

  private byte[] keyOf(List<Integer> columns, @Nullable Object[] row) {
    for (int i = 0; i < row.length; i++) {
      if (TableShape.isWhole(shape.columns().get(columns.get(i)), true)
          && row[i] instanceof String key) {
        return key.getBytes(StandardCharsets.UTF_8);
      }
    }
    throw new QueryException(
        Kind.BAD_VALUE, "a row needs its key: give a value to the column of __key");
  }

  private KeyCommand write(
      byte[] key, List<Integer> columns, @Nullable Object[] row, boolean isNew) {
    List<byte[]> fields = new ArrayList<>();
    for (int i = 0; i < row.length; i++) {
      Field field = shape.columns().get(columns.get(i)).field();
      if (field.path().startsWith(TableShape.HASH_PATH) && row[i] != null) {
        fields.add(HashRows.name(field));
        fields.add(HashRows.text(row[i]).getBytes(StandardCharsets.UTF_8));
      }
    }
    if (fields.isEmpty() && isNew) {
      throw new QueryException(
          Kind.BAD_VALUE, "a hash needs a field: give a value to one of the columns");
    }
    return command(key, HashOperation.SET, fields);
  }

  private static KeyCommand command(byte[] key, CollectionOperation operation, List<byte[]> texts) {
    return new KeyCommand.OnCollection(
        key, operation, Arguments.of(texts), KeyCommand.MOST_COLLECTION_BYTES);
  }

  @Override
  public long update(
      List<Object> keys,
      List<Integer> columns,
      List<@Nullable Object[]> rows,
      Condition stillTrue,
      QueryControl control) {
    map.require(Rights.READ_WRITE);
    long changed = 0;
    for (int i = 0; i < keys.size(); i++) {
      control.checkpoint();
      byte[] key = ((String) keys.get(i)).getBytes(StandardCharsets.UTF_8);
      @Nullable Object[] row = rows.get(i);
      boolean done =
          access.transact(
              key,
              (view, of) -> {
                if (!isStill(view.execute(of, allFields(key)), key, stillTrue)) {
                  return false;
                }
                KeyCommand write = write(key, columns, row, false);
                if (hasFields(write)) {
                  set(view.execute(of, write));
                }
                List<byte[]> removed = removed(columns, row);
                if (!removed.isEmpty()) {
                  set(view.execute(of, command(key, HashOperation.REMOVE, removed)));
                }
                return true;
              });
      changed += done ? 1 : 0;
    }
    return changed;
  }

  private static boolean hasFields(KeyCommand write) {
    return write instanceof KeyCommand.OnCollection on && on.arguments().count() > 0;
  }

  /** Returns the fields that are set to null, which a hash has no other way to say. */
  private List<byte[]> removed(List<Integer> columns, @Nullable Object[] row) {
    List<byte[]> names = new ArrayList<>();
    for (int i = 0; i < row.length; i++) {
      Field field = shape.columns().get(columns.get(i)).field();
      if (row[i] == null && field.path().startsWith(TableShape.HASH_PATH)) {
        names.add(HashRows.name(field));
      }
    }
    return names;
  }

  private List<Field> hashFields() {
    return shape.columns().stream()
        .map(Column::field)
        .filter(field -> field.path().startsWith(TableShape.HASH_PATH))
        .toList();
  }

  private KeyCommand allFields(byte[] key) {
    return command(key, HashOperation.GET_MANY, hashFields().stream().map(HashRows::name).toList());
  }

  private boolean isStill(Outcome outcome, byte[] key, Condition condition) {
    return HashRows.isRow(outcome)
        && RowTest.isMet(condition, HashRows.values(key, hashFields(), outcome));
  }

  @Override
  public long remove(List<Object> keys, Condition stillTrue, QueryControl control) {
    map.require(Rights.READ_WRITE);
    long removed = 0;
    for (Object each : keys) {
      control.checkpoint();
      byte[] key = ((String) each).getBytes(StandardCharsets.UTF_8);
      boolean done =
          access.transact(
              key,
              (view, of) -> {
                if (!isStill(view.execute(of, allFields(key)), key, stillTrue)) {
                  return false;
                }
                require(view.execute(of, new KeyCommand.Remove(key, false)));
                return true;
              });
      removed += done ? 1 : 0;
    }
    return removed;
  }

  private static boolean isMissing(Outcome outcome) {
    return outcome instanceof Outcome.Missing;
  }

  private static void set(Outcome outcome) {
    require(outcome);
    if (outcome instanceof Outcome.Rejected) {
      throw new QueryException(
          Kind.BAD_VALUE, "an entry of a row's key is not a hash: its fields cannot be set");
    }
  }

  private static void require(Outcome outcome) {
    if (outcome instanceof Outcome.Failure failure) {
      throw TableWriter.failure(new EngineException(failure));
    }
  }

  /** The engine's way to the hashes of the table's map. */
  record HashAccess(KeyMap keys, Transacting transacting) {
    boolean transact(byte[] key, Body body) {
      return transacting.transact(key, view -> body.run(view, keys));
    }
  }

  /** Carries out a transaction on one key, and waits for it. */
  @FunctionalInterface
  interface Transacting {
    boolean transact(byte[] key, Function<TransactionView, Boolean> body);
  }

  /** The body of a transaction. */
  @FunctionalInterface
  interface Body {
    boolean run(TransactionView view, KeyMap keys);
  }
}
