package io.keyvalueserve.sql.service;

import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.SqlCursor;
import io.keyvalueserve.sql.SqlException;
import io.keyvalueserve.sql.plan.Plan;
import io.keyvalueserve.sql.plan.TableNames;
import io.keyvalueserve.sql.run.Execution;
import io.keyvalueserve.sql.text.Command;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Does what a statement says. Used once, by the statement's thread. */
final class Performer {
  private final Carrying carrying;
  private final QueryCatalog catalog;
  private final TableNames names;

  Performer(Carrying carrying, QueryCatalog catalog, TableNames names) {
    this.carrying = carrying;
    this.catalog = catalog;
    this.names = names;
  }

  /** Returns the result: a {@link PagedCursor} if the statement goes on as its rows are read. */
  SqlCursor perform(Prepared prepared, ZoneId zone) throws SqlException {
    Definitions definitions = new Definitions(catalog, names);
    return switch (prepared.parsed()) {
      case Command.Query _ -> query(prepared);
      case Command.Explain explain -> explain(prepared, explain);
      case Command.CreateMapping command -> defined(() -> definitions.create(command));
      case Command.DropMapping command -> defined(() -> definitions.drop(command));
      case Command.CreateIndex command ->
          defined(() -> definitions.create(command, carrying.execution().control()));
      case Command.DropIndex command -> defined(() -> definitions.drop(command));
      case Command.ShowMappings _ -> rows(prepared, definitions.mappings());
      case Command.ShowIndexes _ -> rows(prepared, definitions.indexes());
      case Command.ShowSetting setting -> {
        List<@Nullable Object[]> row = new ArrayList<>();
        row.add(Definitions.setting(setting.name(), zone));
        yield rows(prepared, row);
      }
      case Command.Accepted _ -> ListCursor.ofCount(carrying.run().id(), 0);
    };
  }

  private SqlCursor defined(Runnable body) {
    body.run();
    return ListCursor.ofCount(carrying.run().id(), 0);
  }

  private SqlCursor rows(Prepared prepared, List<@Nullable Object[]> rows) {
    return ListCursor.ofRows(carrying.run().id(), prepared.columns(), rows);
  }

  private SqlCursor query(Prepared prepared) throws SqlException {
    Plan plan = Objects.requireNonNull(prepared.plan());
    Plan.Write write = plan.write();
    if (write != null) {
      return ListCursor.ofCount(carrying.run().id(), write(plan, write));
    }
    RowSource[] opened = new RowSource[1];
    carrying.work(() -> opened[0] = carrying.execution().open(plan.node()));
    return new PagedCursor(carrying, prepared.columns(), opened[0]);
  }

  private long write(Plan plan, Plan.Write write) throws SqlException {
    long[] written = new long[1];
    carrying.work(() -> written[0] = new Writer(plan, carrying.execution()).write(write));
    if (write instanceof Plan.Delete) {
      carrying.removed(written[0]);
    } else {
      carrying.written(written[0]);
    }
    return written[0];
  }

  private SqlCursor explain(Prepared prepared, Command.Explain explain) throws SqlException {
    Plan plan = Objects.requireNonNull(prepared.plan());
    Execution execution = carrying.execution();
    List<String> lines = new ArrayList<>();
    if (explain.analyzes()) {
      long begin = System.nanoTime();
      Plan.Write write = plan.write();
      long rows = write == null ? count(plan) : write(plan, write);
      long nanos = System.nanoTime() - begin;
      lines.addAll(Explainer.lines(plan, execution));
      lines.add(
          "Total: %d rows, %.3f ms, %d entries examined"
              .formatted(rows, nanos / 1e6, execution.examined()));
    } else {
      lines.addAll(Explainer.lines(plan, execution));
    }
    List<@Nullable Object[]> rows = new ArrayList<>();
    lines.forEach(line -> rows.add(new @Nullable Object[] {line}));
    return rows(prepared, rows);
  }

  private long count(Plan plan) throws SqlException {
    long[] count = new long[1];
    carrying.work(
        () -> {
          try (RowSource rows = carrying.execution().open(plan.node())) {
            while (rows.next()) {
              count[0]++;
            }
          }
        });
    return count[0];
  }
}
