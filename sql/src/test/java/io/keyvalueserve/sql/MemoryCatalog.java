package io.keyvalueserve.sql;

import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.TableIndex;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** Tables in memory, for tests. Thread-safe. */
public final class MemoryCatalog implements QueryCatalog {
  private final Map<String, MemoryTable> tables = new ConcurrentSkipListMap<>();
  private volatile Runnable beforeFind = () -> {};

  /** Adds a table. */
  public MemoryCatalog with(MemoryTable table) {
    tables.put(table.mapping().name(), table);
    return this;
  }

  /** Has something done whenever a table is looked for. */
  public MemoryCatalog beforeFind(Runnable task) {
    beforeFind = task;
    return this;
  }

  /** Returns a table that is there. */
  public MemoryTable table(String name) {
    MemoryTable table = tables.get(name);
    if (table == null) {
      throw new AssertionError("no table " + name);
    }
    return table;
  }

  @Override
  public Optional<QueryTable> find(String name) {
    beforeFind.run();
    return Optional.ofNullable(tables.get(name));
  }

  @Override
  public List<Mapping> mappings() {
    return tables.values().stream().map(MemoryTable::mapping).toList();
  }

  @Override
  public boolean create(Mapping mapping, boolean replaces) {
    MemoryTable table =
        MemoryTable.of(
            mapping.name(),
            mapping.columns().stream()
                .map(column -> column.name() + " " + column.type())
                .toArray(String[]::new));
    if (replaces) {
      tables.put(mapping.name(), table);
      return true;
    }
    return tables.putIfAbsent(mapping.name(), table) == null;
  }

  @Override
  public boolean drop(String name) {
    return tables.remove(name) != null;
  }

  @Override
  public boolean createIndex(String table, TableIndex index, QueryControl control) {
    MemoryTable of = table(table);
    if (of.indexes().stream().anyMatch(one -> one.name().equals(index.name()))) {
      return false;
    }
    of.add(index);
    return true;
  }

  @Override
  public boolean dropIndex(String table, String index) {
    return table(table).drop(index);
  }
}
