package io.keyvalueserve.postgres;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.engine.query.TableIndex;
import io.keyvalueserve.tenancy.Identity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tables of a tenant: {@code orders}, {@code Customers}, and one that another has granted. */
public final class TestTables implements QueryCatalog {
  private final Map<String, Table> tables = new TreeMap<>();

  private TestTables(String tenant) {
    if (tenant.equals("acme")) {
      add(
          "orders",
          List.of(
              new Column("id", new Field(true, "", FieldType.BIGINT), false),
              new Column("customer", new Field(false, "customer", FieldType.VARCHAR), false),
              new Column("amount", new Field(false, "amount", FieldType.DECIMAL), false),
              new Column("paid", new Field(false, "paid", FieldType.BOOLEAN), false),
              new Column("at", new Field(false, "at", FieldType.TIMESTAMP_WITH_TIME_ZONE), false),
              new Column("this", new Field(false, "", FieldType.OBJECT), true)),
          List.of(
              new TableIndex("by_customer", true, List.of("customer")),
              new TableIndex("by_zip", false, List.of("address.zip"))));
      add(
          "Customers",
          List.of(
              new Column("__key", new Field(true, "", FieldType.VARCHAR), false),
              new Column("Name", new Field(false, "Name", FieldType.VARCHAR), false)),
          List.of());
      add(
          "globex/shared",
          List.of(new Column("__key", new Field(true, "", FieldType.VARCHAR), false)),
          List.of());
    } else {
      add(
          "secret",
          List.of(new Column("__key", new Field(true, "", FieldType.INTEGER), false)),
          List.of());
    }
  }

  /** Returns the tables of a tenant. */
  public static QueryCatalog of(Identity tenant) {
    return new TestTables(tenant.tenant().value());
  }

  private void add(String name, List<Column> columns, List<TableIndex> indexes) {
    Mapping mapping = new Mapping(name, name, List.of(), Map.of("valueFormat", "json-flat"), false);
    tables.put(name, new Table(mapping, columns, indexes));
  }

  @Override
  public Optional<QueryTable> find(String name) {
    return Optional.ofNullable(tables.get(name));
  }

  @Override
  public List<Mapping> mappings() {
    return tables.values().stream().map(Table::mapping).toList();
  }

  @Override
  public boolean create(Mapping mapping, boolean replaces) {
    return false;
  }

  @Override
  public boolean drop(String name) {
    return false;
  }

  @Override
  public boolean createIndex(String table, TableIndex index, QueryControl control) {
    return false;
  }

  @Override
  public boolean dropIndex(String table, String index) {
    return false;
  }

  private record Table(Mapping mapping, List<Column> columns, List<TableIndex> indexes)
      implements QueryTable {
    @Override
    public long estimatedRows() {
      return 42;
    }

    @Override
    public boolean isWritable() {
      return true;
    }

    @Override
    public RowSource scan(Scan scan, QueryControl control) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String explain(Scan scan) {
      return "";
    }

    @Override
    public long put(
        List<Integer> changed,
        List<@Nullable Object[]> rows,
        boolean replaces,
        QueryControl control) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long update(
        List<Object> keys,
        List<Integer> changed,
        List<@Nullable Object[]> rows,
        Condition stillTrue,
        QueryControl control) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long remove(List<Object> keys, Condition stillTrue, QueryControl control) {
      throw new UnsupportedOperationException();
    }
  }
}
