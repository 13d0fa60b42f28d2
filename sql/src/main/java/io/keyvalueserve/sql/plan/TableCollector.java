package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.sql.VirtualTable;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/** Finds the tables that a statement names, and makes a schema of these alone. */
final class TableCollector extends SqlBasicVisitor<Void> {
  static final String SEARCHED = "public";

  private final TableNames names;
  private final CalciteSchema root = CalciteSchema.createRootSchema(false, false, "");
  private final List<List<String>> tableNames = new ArrayList<>();
  private final List<QueryTable> tables = new ArrayList<>();
  private final Map<List<String>, CatalogTable> found = new HashMap<>();
  private final int maxTables;
  private int uses;

  TableCollector(TableNames names, int maxTables) {
    this.names = names;
    this.maxTables = maxTables;
    root.add(SEARCHED, new AbstractSchema());
  }

  /** Returns the schema of the tables. */
  CalciteSchema root() {
    return root;
  }

  /** Returns the names of the maps' tables, by the tables' numbers. */
  List<List<String>> tableNames() {
    return tableNames;
  }

  /** Returns the maps' tables, by their numbers. */
  List<QueryTable> tables() {
    return tables;
  }

  /** Finds one more table, that is not in a {@code FROM}. */
  @Nullable CatalogTable collect(SqlIdentifier identifier) {
    from(identifier);
    return found.get(identifier.names);
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call instanceof SqlSelect select && select.getFrom() != null) {
      from(select.getFrom());
    }
    return super.visit(call);
  }

  private void from(@Nullable SqlNode node) {
    switch (node) {
      case SqlIdentifier identifier -> add(identifier);
      case SqlJoin join -> {
        from(join.getLeft());
        from(join.getRight());
      }
      case SqlBasicCall call when call.getKind() == SqlKind.AS -> from(call.operand(0));
      case SqlCall call
          when call.getKind() == SqlKind.TABLE_REF
              || call.getKind() == SqlKind.LATERAL
              || call.getKind() == SqlKind.TABLESAMPLE
              || call.getKind() == SqlKind.EXPLICIT_TABLE ->
          from(call.operand(0));
      case null, default -> {}
    }
  }

  private void add(SqlIdentifier identifier) {
    if (++uses > maxTables) {
      throw new SqlFailure(
          SqlState.TOO_COMPLEX, "a statement names more than " + maxTables + " tables");
    }
    List<String> name = identifier.names;
    if (found.containsKey(name)) {
      return;
    }
    CatalogTable table = find(name);
    if (table == null) {
      return;
    }
    found.put(name, table);
    CalciteSchema schema = root;
    if (name.size() == 1) {
      schema = sub(root, SEARCHED);
    }
    for (String part : name.subList(0, name.size() - 1)) {
      schema = sub(schema, part);
    }
    schema.add(name.getLast(), table);
  }

  private static CalciteSchema sub(CalciteSchema schema, String name) {
    CalciteSchema sub = schema.getSubSchema(name, true);
    return sub == null ? schema.add(name, new AbstractSchema()) : sub;
  }

  private @Nullable CatalogTable find(List<String> name) {
    Optional<QueryTable> own = names.find(name);
    if (own.isPresent()) {
      QueryTable table = own.get();
      tables.add(table);
      tableNames.add(List.copyOf(name));
      return CatalogTable.of(table.mapping().name(), table, tables.size() - 1);
    }
    Optional<VirtualTable> virtual = names.findVirtual(name);
    return virtual.map(table -> CatalogTable.of(String.join(".", name), table)).orElse(null);
  }
}
