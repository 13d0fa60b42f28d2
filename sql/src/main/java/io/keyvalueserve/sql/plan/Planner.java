package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.sql.ScalarFunction;
import io.keyvalueserve.sql.SqlColumn;
import io.keyvalueserve.sql.SqlLimits;
import io.keyvalueserve.sql.SqlStatement;
import io.keyvalueserve.sql.VirtualSchema;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import io.keyvalueserve.sql.run.Node;
import io.keyvalueserve.sql.text.Command;
import io.keyvalueserve.sql.text.ParserText;
import io.keyvalueserve.tenancy.Identity;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImpl;
import org.apache.calcite.sql.validate.SqlConformanceEnum;

/** Makes plans of statements. Thread-safe. */
public final class Planner {
  private static final int MAX_NAME = 512;

  private static final SqlParser.Config PARSER =
      SqlParser.config()
          .withParserFactory(SqlBabelParserImpl.FACTORY)
          .withConformance(SqlConformanceEnum.BABEL)
          .withUnquotedCasing(Casing.UNCHANGED)
          .withQuotedCasing(Casing.UNCHANGED)
          .withQuoting(Quoting.DOUBLE_QUOTE)
          .withIdentifierMaxLength(MAX_NAME);

  private final Operators operators;
  private final List<VirtualSchema> schemas;
  private final SqlLimits limits;

  public Planner(List<ScalarFunction> functions, List<VirtualSchema> schemas, SqlLimits limits) {
    this.operators = new Operators(functions);
    this.schemas = List.copyOf(schemas);
    this.limits = limits;
  }

  /** Returns how names of tables are found for a tenant. */
  public TableNames names(QueryCatalog catalog, Identity caller) {
    return new TableNames(catalog, caller.tenant().value(), schemas);
  }

  /**
   * Makes a plan.
   *
   * @param zone of the session
   * @throws SqlFailure if the statement is not valid
   */
  public Plan plan(Command.Query query, QueryCatalog catalog, Identity caller, ZoneId zone) {
    ParserText text = query.text();
    try {
      return new Planning(text, names(catalog, caller), zone, catalog, caller).plan(query);
    } catch (SqlParseException e) {
      throw Failures.of(e, text);
    } catch (StackOverflowError e) {
      throw Failures.tooDeep();
    } catch (RuntimeException e) {
      SqlFailure failure = Failures.of(e, text);
      if (failure == null) {
        throw e;
      }
      throw failure;
    }
  }

  /** The making of one plan. */
  private final class Planning {
    private final ParserText text;
    private final TableNames names;
    private final ZoneId zone;
    private final QueryCatalog catalog;
    private final Identity caller;

    Planning(
        ParserText text, TableNames names, ZoneId zone, QueryCatalog catalog, Identity caller) {
      this.text = text;
      this.names = names;
      this.zone = zone;
      this.catalog = catalog;
      this.caller = caller;
    }

    /** Plans; a parameter whose type nothing tells is text. */
    Plan plan(Command.Query query) throws SqlParseException {
      Set<SqlParserPos> texts = new HashSet<>();
      while (true) {
        try {
          return plan(query, texts);
        } catch (CalciteContextException e) {
          SqlParserPos place = new SqlParserPos(e.getPosLine(), e.getPosColumn());
          boolean isUntyped = String.valueOf(e.getCause()).contains("dynamic parameter");
          if (!isUntyped || !texts.add(place)) {
            throw e;
          }
        }
      }
    }

    private Plan plan(Command.Query query, Set<SqlParserPos> texts) throws SqlParseException {
      SqlNode parsed = SqlParser.create(text.text(), PARSER).parseStmt();
      SqlNode node = parsed.accept(new Preparation(limits, texts));
      requireKind(query, node);
      TableCollector tables = new TableCollector(names, limits.joins());
      node.accept(tables);
      return switch (node) {
        case SqlInsert insert ->
            new Writes(this::conversion, tables, text)
                .insert(insert, query.kind() == SqlStatement.Kind.SINK);
        case SqlUpdate update -> new Writes(this::conversion, tables, text).update(update);
        case SqlDelete delete -> new Writes(this::conversion, tables, text).delete(delete);
        default -> select(node, tables);
      };
    }

    private Conversion conversion(TableCollector tables) {
      return new Conversion(operators, tables, text, zone, catalog, caller);
    }

    private void requireKind(Command.Query query, SqlNode node) {
      boolean isRight =
          switch (query.kind()) {
            case INSERT, SINK -> node.getKind() == SqlKind.INSERT;
            case UPDATE -> node.getKind() == SqlKind.UPDATE;
            case DELETE -> node.getKind() == SqlKind.DELETE;
            default -> node.isA(SqlKind.QUERY);
          };
      if (!isRight) {
        throw new SqlFailure(SqlState.SYNTAX, "this is not a statement that can be run", 1, "");
      }
    }

    private Plan select(SqlNode node, TableCollector tables) {
      Conversion conversion = conversion(tables);
      SqlNode valid = conversion.validate(node);
      List<FieldType> parameters = conversion.parameters();
      List<SqlColumn> columns = conversion.columns(node, valid);
      RelRoot root = conversion.convert(valid);
      Node made = conversion.build(conversion.optimize(root));
      return new Plan(made, columns, null, parameters, tables.tableNames(), tables.tables());
    }
  }
}
