package io.keyvalueserve.sql.plan;

import java.util.List;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlIdentifier;
import org.jspecify.annotations.Nullable;

/** Gives the tables of one statement to Calcite, and the names of types that it lacks. */
final class CatalogReader extends CalciteCatalogReader {
  private static final CalciteConnectionConfigImpl CONFIG =
      new CalciteConnectionConfigImpl(new Properties());

  CatalogReader(CalciteSchema root, RelDataTypeFactory factory) {
    super(
        root,
        new NameMatcher(),
        List.of(List.of(TableCollector.SEARCHED), List.of()),
        factory,
        CONFIG);
  }

  @Override
  public @Nullable RelDataType getNamedType(SqlIdentifier name) {
    RelDataType type = Types.named(typeFactory, name.names.getLast());
    return type == null ? super.getNamedType(name) : type;
  }
}
