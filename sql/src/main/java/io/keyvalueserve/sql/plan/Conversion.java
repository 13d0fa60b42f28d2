package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.sql.SqlColumn;
import io.keyvalueserve.sql.run.Node;
import io.keyvalueserve.sql.text.ParserText;
import io.keyvalueserve.tenancy.Identity;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.MetadataHandler;
import org.apache.calcite.rel.metadata.MetadataHandlerProvider;
import org.apache.calcite.rel.metadata.ProxyingMetadataHandlerProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.jspecify.annotations.Nullable;

/** The way of one statement through Calcite. Used by one thread. */
final class Conversion {
  private final ParserText text;
  private final Types.Factory factory = new Types.Factory();
  private final CatalogReader reader;
  private final Validator validator;
  private final RelOptCluster cluster;
  private final ExprCompiler compiler;
  private final List<SqlDynamicParam> marks = new ArrayList<>();

  Conversion(
      Operators operators,
      TableCollector tables,
      ParserText text,
      ZoneId zone,
      QueryCatalog catalog,
      Identity caller) {
    this.text = text;
    this.reader = new CatalogReader(tables.root(), factory);
    this.validator = new Validator(operators, reader);
    HepPlanner planner = new HepPlanner(new HepProgramBuilder().build());
    RexBuilder builder = new RexBuilder(factory);
    this.cluster = RelOptCluster.create(planner, builder);
    cluster.setMetadataQuerySupplier(MetadataQuery::new);
    this.compiler = new ExprCompiler(builder, zone, text.parameters());
    planner.setExecutor(new Folding(compiler, zone, catalog, caller));
  }

  /** Asks for what is known of a plan without making classes for that. */
  private static final class MetadataQuery extends RelMetadataQuery {
    MetadataQuery() {
      super(HANDLERS);
    }

    private static final MetadataHandlerProvider HANDLERS = new Handlers();
  }

  /** Makes each handler once. */
  private static final class Handlers implements MetadataHandlerProvider {
    private final MetadataHandlerProvider maker =
        new ProxyingMetadataHandlerProvider(DefaultRelMetadataProvider.INSTANCE);
    private final Map<Class<?>, MetadataHandler<?>> made = new ConcurrentHashMap<>();

    @Override
    @SuppressWarnings("unchecked")
    public <H extends MetadataHandler<?>> H handler(Class<H> type) {
      return (H) made.computeIfAbsent(type, _ -> maker.handler(type));
    }
  }

  ExprCompiler compiler() {
    return compiler;
  }

  Types.Factory factory() {
    return factory;
  }

  SqlNode validate(SqlNode node) {
    SqlNode valid = validator.validate(node);
    valid.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public @Nullable Void visit(SqlDynamicParam mark) {
            marks.add(mark);
            return null;
          }
        });
    return valid;
  }

  /** Returns the types of the parameters, by their numbers. */
  List<FieldType> parameters() {
    List<FieldType> types =
        new ArrayList<>(Collections.nCopies(text.parameterCount(), FieldType.OBJECT));
    for (SqlDynamicParam mark : marks) {
      RelDataType type = validator.getValidatedNodeTypeIfKnown(mark);
      FieldType known = type == null ? FieldType.OBJECT : Types.fieldType(type);
      int number = text.parameters().get(mark.getIndex());
      if (types.get(number) == FieldType.OBJECT) {
        types.set(number, known);
      }
    }
    return types;
  }

  /** Returns the columns of a result. */
  List<SqlColumn> columns(SqlNode written, SqlNode valid) {
    List<String> names = names(written);
    List<SqlColumn> columns = new ArrayList<>();
    for (RelDataTypeField field : validator.getValidatedNodeType(valid).getFieldList()) {
      int index = field.getIndex();
      String name = field.getName();
      if (name.startsWith("EXPR$") && index < names.size() && !names.get(index).isEmpty()) {
        name = names.get(index);
      }
      FieldType type =
          Types.isInterval(field.getType()) ? FieldType.VARCHAR : Types.fieldType(field.getType());
      columns.add(new SqlColumn(name, type, field.getType().isNullable()));
    }
    return columns;
  }

  /** Returns names for values without one: those of their functions, as PostgreSQL does. */
  private static List<String> names(SqlNode node) {
    return switch (node) {
      case SqlOrderBy order -> names(order.query);
      case SqlWith with -> names(with.body);
      case SqlSelect select -> {
        List<String> names = new ArrayList<>();
        for (SqlNode item : select.getSelectList()) {
          names.add(name(item));
        }
        boolean hasStar = select.getSelectList().stream().anyMatch(Conversion::isStar);
        yield hasStar ? List.of() : names;
      }
      default -> List.of();
    };
  }

  private static boolean isStar(@Nullable SqlNode item) {
    return item instanceof SqlIdentifier identifier && identifier.isStar();
  }

  private static String name(@Nullable SqlNode item) {
    if (!(item instanceof SqlCall call)) {
      return "";
    }
    if (call.getKind() == SqlKind.OVER
        || call.getKind() == SqlKind.FILTER
        || call.getKind() == SqlKind.WITHIN_GROUP) {
      return name(call.operand(0));
    }
    if (call.getOperator() instanceof SqlFunction function && call.getKind() != SqlKind.CAST) {
      return function.getName().toLowerCase(Locale.ROOT);
    }
    return call.getKind() == SqlKind.CASE ? "case" : "";
  }

  RelRoot convert(SqlNode valid) {
    SqlToRelConverter converter = converter();
    return converter.convertQuery(valid, false, true);
  }

  private SqlToRelConverter converter() {
    SqlToRelConverter.Config config =
        SqlToRelConverter.config()
            .withExpand(false)
            .withTrimUnusedFields(true)
            .withInSubQueryThreshold(Integer.MAX_VALUE)
            .withAddJsonTypeOperatorEnabled(false);
    return new SqlToRelConverter(
        (_, _, _, _) -> null, validator, reader, cluster, StandardConvertletTable.INSTANCE, config);
  }

  /** Rearranges the algebra of a query. */
  RelNode optimize(RelRoot root) {
    return rearrange(root.project());
  }

  RelNode rearrange(RelNode rel) {
    return Rearrangement.of(rel, converter());
  }

  /** Returns the operators. */
  Node build(RelNode rel) {
    return new PlanBuilder(compiler).node(rel);
  }

  PlanBuilder plans() {
    return new PlanBuilder(compiler);
  }
}
