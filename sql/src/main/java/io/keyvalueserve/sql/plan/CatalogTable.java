package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.sql.SqlColumn;
import io.keyvalueserve.sql.VirtualTable;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.impl.AbstractTable;
import org.jspecify.annotations.Nullable;

/** A table of a statement: a map's, or a virtual one. */
final class CatalogTable extends AbstractTable {
  private final String name;
  private final @Nullable QueryTable table;
  private final @Nullable VirtualTable virtual;
  private final int number;

  private CatalogTable(
      String name, @Nullable QueryTable table, @Nullable VirtualTable virtual, int number) {
    this.name = name;
    this.table = table;
    this.virtual = virtual;
    this.number = number;
  }

  /**
   * Creates the table of a map.
   *
   * @param number in the plan
   */
  static CatalogTable of(String name, QueryTable table, int number) {
    return new CatalogTable(name, table, null, number);
  }

  static CatalogTable of(String name, VirtualTable virtual) {
    return new CatalogTable(name, null, virtual, -1);
  }

  String name() {
    return name;
  }

  @Nullable QueryTable table() {
    return table;
  }

  @Nullable VirtualTable virtual() {
    return virtual;
  }

  int number() {
    return number;
  }

  /** Returns whether {@code SELECT *} leaves a column out. */
  boolean isHidden(String column) {
    if (table == null) {
      return false;
    }
    return table.columns().stream().anyMatch(c -> c.name().equals(column) && c.isHidden());
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    RelDataTypeFactory.Builder builder = factory.builder();
    if (table != null) {
      for (Column column : table.columns()) {
        builder.add(column.name(), Types.relType(factory, column.type(), true));
      }
    } else if (virtual != null) {
      for (SqlColumn column : virtual.columns()) {
        builder.add(column.name(), Types.relType(factory, column.type(), true));
      }
    }
    return builder.build();
  }

  @Override
  public Statistic getStatistic() {
    double rows = table == null ? 100 : table.estimatedRows();
    return Statistics.of(rows, List.of());
  }
}
