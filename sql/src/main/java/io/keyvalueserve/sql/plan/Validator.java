package io.keyvalueserve.sql.plan;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SelectScope;
import org.apache.calcite.sql.validate.SqlConformance;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.jspecify.annotations.Nullable;

/** Validates statements. {@code SELECT *} leaves hidden columns out. */
final class Validator extends SqlValidatorImpl {
  /** Is lenient, but not where a statement would mean something that nobody meant. */
  private static final SqlConformance CONFORMANCE =
      new SqlDelegatingConformance(SqlConformanceEnum.BABEL) {
        @Override
        public boolean isNonStrictGroupBy() {
          return false;
        }

        @Override
        public SelectAliasLookup isSelectAlias() {
          return SelectAliasLookup.UNSUPPORTED;
        }
      };

  Validator(Operators operators, CalciteCatalogReader reader) {
    super(
        operators,
        reader,
        reader.getTypeFactory(),
        Config.DEFAULT
            .withConformance(CONFORMANCE)
            .withIdentifierExpansion(true)
            .withTypeCoercionEnabled(true));
  }

  @Override
  protected void addToSelectList(
      List<SqlNode> list,
      Set<String> aliases,
      List<Map.Entry<String, RelDataType>> fields,
      SqlNode expression,
      SelectScope scope,
      boolean includeSystemColumns) {
    if (expression instanceof SqlIdentifier identifier && isHidden(identifier, scope)) {
      return;
    }
    super.addToSelectList(list, aliases, fields, expression, scope, includeSystemColumns);
  }

  private static boolean isHidden(SqlIdentifier identifier, SelectScope scope) {
    if (identifier.names.size() < 2) {
      return false;
    }
    SqlValidatorTable table = scope.fullyQualify(identifier).namespace.getTable();
    CatalogTable catalogTable = table == null ? null : table.unwrap(CatalogTable.class);
    return catalogTable != null && catalogTable.isHidden(identifier.names.getLast());
  }

  @Override
  protected @Nullable SqlNode performUnconditionalRewrites(
      @Nullable SqlNode node, boolean underFrom) {
    if (node instanceof SqlCall call && Operators.replacement(call.getOperator()) != null) {
      OwnFunction own = Objects.requireNonNull(Operators.replacement(call.getOperator()));
      return super.performUnconditionalRewrites(
          own.createCall(call.getParserPosition(), call.getOperandList()), underFrom);
    }
    return super.performUnconditionalRewrites(node, underFrom);
  }
}
