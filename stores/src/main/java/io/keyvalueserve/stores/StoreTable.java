package io.keyvalueserve.stores;

import io.keyvalueserve.stores.StoreException.Kind;
import io.keyvalueserve.stores.TableShape.BoundColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A table that lies behind a map: a row for each key. Its methods block, each for no longer than
 * the address's timeout for a connection and the same again for a statement, and throw a {@link
 * StoreException} if the database does not do it. Thread-safe.
 */
public final class StoreTable {
  /** How many rows of a scan are in memory at a time. */
  private static final int FETCH = 500;

  private final Database database;
  private final Dialect dialect;
  private final TableShape shape;
  private final List<StoreColumn> columns;

  StoreTable(Database database, Dialect dialect, TableShape shape) {
    this.database = database;
    this.dialect = dialect;
    this.shape = shape;
    this.columns = shape.all().stream().map(BoundColumn::column).toList();
  }

  /**
   * Returns the columns: the key's first, then the values' in the order of the {@link TableSpec}.
   */
  public List<StoreColumn> columns() {
    return columns;
  }

  /**
   * Reads the rows of keys.
   *
   * @return at the position of each key its row; null if there is none, also if the key can be no
   *     value of the key column, such as a word for a number
   */
  public List<@Nullable Row> load(List<Object> keys) {
    List<Object> possible = new ArrayList<>();
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Object key = Coercion.coerce(columns.getFirst().type(), keys.get(i));
      if (key != null) {
        possible.add(key);
        positions.add(i);
      }
    }
    List<@Nullable Row> rows = new ArrayList<@Nullable Row>();
    keys.forEach(_ -> rows.add(null));
    @Nullable Row[] found = possible.isEmpty() ? new Row[0] : loadPossible(possible);
    for (int i = 0; i < found.length; i++) {
      rows.set(positions.get(i), found[i]);
    }
    return rows;
  }

  /** Reads keys together; if the database takes offence at one, then each by itself. */
  private @Nullable Row[] loadPossible(List<Object> keys) {
    try {
      return loadAll(keys);
    } catch (StoreException e) {
      if (e.kind() != Kind.REFUSED) {
        throw e;
      }
    }
    @Nullable Row[] rows = new Row[keys.size()];
    for (int i = 0; i < rows.length && rows.length > 1; i++) {
      rows[i] = loadPossible(List.of(keys.get(i)))[0];
    }
    return rows;
  }

  private @Nullable Row[] loadAll(List<Object> keys) {
    return database.with(
        shape.subject(),
        connection -> {
          @Nullable Row[] rows = new Row[keys.size()];
          dialect.load(connection, shape, keys, rows);
          return rows;
        });
  }

  /**
   * Writes and deletes rows in one transaction: all or none. Writing the same again changes
   * nothing.
   *
   * @param changes each of another key
   * @throws StoreException if the database refuses one of them, or does not answer; in the latter
   *     case it may have done all, and the same can be written again
   * @throws StoreValueException if a value cannot be one of its column
   * @throws IllegalArgumentException if two are of the same key, or one has too few or many values
   */
  public void write(List<Change> changes) {
    List<Change> fitting = changes.stream().map(this::fitting).toList();
    List<Object> keys = fitting.stream().map(Change::key).toList();
    if (new KeyPositions(shape.key(), keys).distinct().size() < keys.size()) {
      throw new IllegalArgumentException("changes: two are of the same key: give the later one");
    }
    if (!fitting.isEmpty()) {
      database.inTransaction(shape.subject(), connection -> apply(connection, fitting));
    }
  }

  private boolean apply(Connection connection, List<Change> changes) throws SQLException {
    dialect.delete(connection, shape, changes.stream().filter(Change::deletes).toList());
    dialect.upsert(connection, shape, changes.stream().filter(c -> !c.deletes()).toList());
    return true;
  }

  /**
   * Writes and deletes rows, each in a transaction of its own, in their order.
   *
   * @return those that the database, or a column's type, will never take
   * @throws StoreException if the database does not answer, or nothing can be written; those before
   *     are written, and all can be written again
   */
  public List<Refusal> writeEach(List<Change> changes) {
    return database.with(
        shape.subject(),
        connection -> {
          List<Refusal> refusals = new ArrayList<>();
          for (Change change : changes) {
            String refusal = refusal(connection, change);
            if (refusal != null) {
              refusals.add(new Refusal(change, refusal));
            }
          }
          return refusals;
        });
  }

  private @Nullable String refusal(Connection connection, Change change) throws SQLException {
    try {
      List<Change> fitting = List.of(fitting(change));
      Database.transaction(connection, c -> apply(c, fitting));
      return null;
    } catch (StoreValueException e) {
      return shape.subject() + ": " + e.getMessage();
    } catch (SQLException e) {
      StoreException translated = database.translated(shape.subject(), e);
      if (translated.kind() != Kind.REFUSED) {
        throw e;
      }
      return String.valueOf(translated.getMessage());
    }
  }

  private Change fitting(Change change) {
    Object key = columns.getFirst().coerce(change.key());
    @Nullable Object[] values = change.values();
    if (values == null) {
      return new Change(key, null);
    }
    if (values.length != columns.size() - 1) {
      throw new IllegalArgumentException(
          "values: are %d: give one for each of the %d value columns"
              .formatted(values.length, columns.size() - 1));
    }
    @Nullable Object[] fitting = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      Object value = values[i];
      fitting[i] = value == null ? null : columns.get(i + 1).coerce(value);
    }
    return new Change(key, fitting);
  }

  /**
   * Reads all rows in no order, as one moment has them, with few in memory at a time. Rows whose
   * key is NULL are left out.
   *
   * @param rows is given each row; an exception of it ends the scan and is thrown on
   */
  public void scan(Consumer<Row> rows) {
    database.inTransaction(
        shape.subject(),
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(shape.scan())) {
            statement.setFetchSize(FETCH);
            try (ResultSet results = statement.executeQuery()) {
              while (results.next()) {
                rows.accept(dialect.row(results, 1, shape));
              }
            }
          }
          return true;
        });
  }

  /** Returns the table's name. */
  @Override
  public String toString() {
    return "StoreTable[" + shape.name() + "]";
  }
}
