package io.keyvalueserve.grid.query;

import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.grid.settings.MapSettings;
import io.keyvalueserve.grid.space.TestGrid;
import io.keyvalueserve.grid.turn.PartitionTurns;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster whose members take part in queries. */
final class QueryGrid implements AutoCloseable {
  static final Identity ACME = new Identity(new TenantName("acme"), 1, "key");
  private static final int PARTITIONS = 31;

  private final TestGrid grid;
  private final List<GridQueries> queries = new ArrayList<>();
  private final GrantDirectory grants =
      new GrantDirectory(new TenantDirectory(true), InstantSource.system());

  QueryGrid(int members) {
    grid =
        new TestGrid(
            members,
            PARTITIONS,
            config -> {
              QuerySerialization.register(config);
              MappingStore.configure(config);
            });
    for (int i = 0; i < members; i++) {
      NodeEngine nodeEngine = TestGrid.nodeEngine(grid.member(i));
      PartitionTurns turns = new PartitionTurns(tenant -> 1, connection -> -1);
      queries.add(
          GridQueries.install(
              nodeEngine,
              turns,
              map ->
                  new MapSettings(
                      map, 0, null, null, null, null, List.of(), Persistence.DEFAULT, null),
              (map, index) -> {}));
    }
  }

  TestGrid grid() {
    return grid;
  }

  GridQueryCatalog catalog(int member) {
    return new GridQueryCatalog(queries.get(member), ACME, grants);
  }

  QueryTable table(int member, String name) {
    return catalog(member).find(name).orElseThrow();
  }

  static QueryControl control() {
    return PlainControl.within(Duration.ofMinutes(1), ACME.number());
  }

  /** Returns rows as texts, in the order in which they come. */
  static List<String> rows(QueryTable table, Scan scan) {
    List<String> rows = new ArrayList<>();
    try (RowSource source = table.scan(scan, control())) {
      while (source.next()) {
        @Nullable Object[] row = source.row();
        rows.add(Arrays.toString(row));
      }
    }
    return rows;
  }

  @Override
  public void close() {
    queries.forEach(GridQueries::close);
    grid.close();
  }
}
