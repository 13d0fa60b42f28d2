package io.keyvalueserve.sql.service;

import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.TableIndex;
import io.keyvalueserve.sql.QueryTurns;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The turn in which a statement is planned. It is given back while the catalogue is asked: that may
 * wait for pages which are made in turns of the same tenant. For one thread.
 */
final class PlanningTurn implements AutoCloseable {
  private final QueryTurns turns;
  private final int tenant;
  private QueryTurns.@Nullable Turn present;

  PlanningTurn(QueryTurns turns, int tenant) {
    this.turns = turns;
    this.tenant = tenant;
    this.present = turns.begin(tenant);
  }

  /** Returns a catalogue that is asked without a turn. */
  QueryCatalog over(QueryCatalog catalog) {
    return new Resting(catalog);
  }

  private <T> T without(Supplier<T> question) {
    close();
    try {
      return question.get();
    } finally {
      present = turns.begin(tenant);
    }
  }

  @Override
  public void close() {
    QueryTurns.Turn had = present;
    present = null;
    if (had != null) {
      had.close();
    }
  }

  private final class Resting implements QueryCatalog {
    private final QueryCatalog catalog;

    Resting(QueryCatalog catalog) {
      this.catalog = catalog;
    }

    @Override
    public Optional<QueryTable> find(String name) {
      return without(() -> catalog.find(name));
    }

    @Override
    public List<Mapping> mappings() {
      return without(catalog::mappings);
    }

    @Override
    public boolean create(Mapping mapping, boolean replaces) {
      return without(() -> catalog.create(mapping, replaces));
    }

    @Override
    public boolean drop(String name) {
      return without(() -> catalog.drop(name));
    }

    @Override
    public boolean createIndex(String table, TableIndex index, QueryControl control) {
      return without(() -> catalog.createIndex(table, index, control));
    }

    @Override
    public boolean dropIndex(String table, String index) {
      return without(() -> catalog.dropIndex(table, index));
    }
  }
}
