package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.types.PgVector;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Functions that return rows. */
final class TableFunctions {
  private static final int MOST_ROWS = 100_000;

  private TableFunctions() {}

  /** The functions that are known. */
  enum Kind {
    GENERATE_SERIES,
    GENERATE_SUBSCRIPTS,
    UNNEST,
    PG_EXPANDARRAY,
    REGEXP_SPLIT_TO_TABLE,
    STRING_TO_TABLE,
    PG_GET_KEYWORDS,
    PG_SHOW_ALL_SETTINGS,
    ACLEXPLODE,
    PG_OPTIONS_TO_TABLE,
    PG_PARTITION_TREE
  }

  static @Nullable Kind find(String name) {
    return switch (name) {
      case "generate_series" -> Kind.GENERATE_SERIES;
      case "generate_subscripts" -> Kind.GENERATE_SUBSCRIPTS;
      case "unnest" -> Kind.UNNEST;
      case "_pg_expandarray" -> Kind.PG_EXPANDARRAY;
      case "regexp_split_to_table" -> Kind.REGEXP_SPLIT_TO_TABLE;
      case "string_to_table" -> Kind.STRING_TO_TABLE;
      case "pg_get_keywords" -> Kind.PG_GET_KEYWORDS;
      case "pg_show_all_settings" -> Kind.PG_SHOW_ALL_SETTINGS;
      case "aclexplode" -> Kind.ACLEXPLODE;
      case "pg_options_to_table" -> Kind.PG_OPTIONS_TO_TABLE;
      case "pg_partition_tree" -> Kind.PG_PARTITION_TREE;
      default -> null;
    };
  }

  /** The columns of a function, and its arguments. */
  record Call(Kind kind, List<Relation.Column> columns, List<Eval> arguments) {
    /** Makes the rows. */
    List<@Nullable Object[]> rows(Env env) {
      List<@Nullable Object> values = new ArrayList<>();
      arguments.forEach(argument -> values.add(argument.of(env)));
      List<@Nullable Object[]> rows = TableFunctions.rows(kind, env.run, values);
      env.run.keeps((long) rows.size() * columns.size());
      return rows;
    }
  }

  static Call bind(QueryBinder queries, Kind kind, Ast.Call call, List<Bound> arguments) {
    List<Bound> settled = new ArrayList<>();
    for (Bound argument : arguments) {
      boolean isArray =
          kind == Kind.UNNEST || kind == Kind.PG_EXPANDARRAY || kind == Kind.GENERATE_SUBSCRIPTS;
      settled.add(
          isArray && argument.isOpen() && settled.isEmpty()
              ? queries.open(argument, PgType.TEXT_ARRAY)
              : queries.settled(argument));
    }
    int least =
        switch (kind) {
          case PG_GET_KEYWORDS, PG_SHOW_ALL_SETTINGS -> 0;
          case GENERATE_SERIES, REGEXP_SPLIT_TO_TABLE, STRING_TO_TABLE, GENERATE_SUBSCRIPTS -> 2;
          default -> 1;
        };
    if (settled.size() < least || settled.size() > Math.max(3, least)) {
      throw Functions.unknown(call, arguments.size());
    }
    return new Call(kind, columns(kind, call, settled), settled.stream().map(Bound::eval).toList());
  }

  private static List<Relation.Column> columns(Kind kind, Ast.Call call, List<Bound> arguments) {
    return switch (kind) {
      case GENERATE_SERIES -> one(call, arguments.getFirst().type());
      case GENERATE_SUBSCRIPTS -> one(call, PgType.INT4);
      case UNNEST -> {
        List<Relation.Column> columns = new ArrayList<>();
        arguments.forEach(
            each -> columns.add(Relation.Column.of(call.name(), element(each.type()))));
        yield columns;
      }
      case PG_EXPANDARRAY ->
          List.of(
              Relation.Column.of("x", element(arguments.getFirst().type())),
              Relation.Column.of("n", PgType.INT4));
      case REGEXP_SPLIT_TO_TABLE, STRING_TO_TABLE -> one(call, PgType.TEXT);
      case PG_GET_KEYWORDS -> texts("word", "catcode", "barelabel", "catdesc", "baredesc");
      case PG_SHOW_ALL_SETTINGS -> texts("name", "setting", "category", "short_desc");
      case ACLEXPLODE -> texts("grantor", "grantee", "privilege_type", "is_grantable");
      case PG_OPTIONS_TO_TABLE -> texts("option_name", "option_value");
      case PG_PARTITION_TREE -> texts("relid", "parentrelid", "isleaf", "level");
    };
  }

  private static List<Relation.Column> one(Ast.Call call, PgType type) {
    return List.of(Relation.Column.of(call.name(), type));
  }

  private static List<Relation.Column> texts(String... names) {
    List<Relation.Column> columns = new ArrayList<>();
    for (String name : names) {
      columns.add(Relation.Column.of(name, PgType.TEXT));
    }
    return columns;
  }

  private static PgType element(PgType array) {
    PgType element = array.element();
    return element == null ? PgType.TEXT : element;
  }

  /** Returns a call that stands among the values of a row: its value is a list of them. */
  static Bound asValue(QueryBinder queries, Kind kind, Ast.Call call, List<Bound> arguments) {
    Call bound = bind(queries, kind, call, arguments);
    List<String> names = bound.columns().stream().map(Relation.Column::name).toList();
    List<PgType> types = bound.columns().stream().map(Relation.Column::type).toList();
    boolean isRow = names.size() > 1;
    Eval eval =
        env -> {
          List<@Nullable Object> values = new ArrayList<>();
          for (@Nullable Object[] row : bound.rows(env)) {
            values.add(isRow ? new Composite(names, java.util.Arrays.asList(row)) : row[0]);
          }
          return new RowSet(values);
        };
    return new Bound(
        isRow ? PgType.RECORD : types.getFirst(),
        eval,
        -1,
        null,
        -1,
        isRow ? new Bound.Fields(names, types) : null);
  }

  /** The values of a function that makes as many rows of one. */
  record RowSet(List<@Nullable Object> values) {}

  private static List<@Nullable Object[]> rows(
      Kind kind, Run run, List<@Nullable Object> arguments) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    switch (kind) {
      case GENERATE_SERIES -> series(run, arguments, rows);
      case GENERATE_SUBSCRIPTS -> {
        if (arguments.getFirst() instanceof List<?> list) {
          int first = list instanceof PgVector ? 0 : 1;
          for (int i = 0; i < list.size(); i++) {
            rows.add(new @Nullable Object[] {(long) i + first});
          }
        }
      }
      case UNNEST -> unnest(run, arguments, rows);
      case PG_EXPANDARRAY -> {
        if (arguments.getFirst() instanceof List<?> list) {
          for (int i = 0; i < list.size(); i++) {
            rows.add(new @Nullable Object[] {list.get(i), (long) i + 1});
          }
        }
      }
      case REGEXP_SPLIT_TO_TABLE, STRING_TO_TABLE -> {
        Object text = arguments.get(0);
        Object by = arguments.get(1);
        if (text != null && by != null) {
          for (String part : Datum.text(text).split(Pattern.quote(Datum.text(by)), -1)) {
            rows.add(new @Nullable Object[] {part});
          }
        }
      }
      case PG_GET_KEYWORDS -> {
        for (String word : ExprParser.RESERVED.stream().sorted().toList()) {
          rows.add(new @Nullable Object[] {word, "R", "f", "reserved", "requires AS"});
        }
      }
      case PG_SHOW_ALL_SETTINGS -> {
        for (Map.Entry<String, String> each : run.session().settings().entrySet()) {
          rows.add(new @Nullable Object[] {each.getKey(), each.getValue(), "", ""});
        }
      }
      case ACLEXPLODE, PG_OPTIONS_TO_TABLE, PG_PARTITION_TREE -> {}
    }
    return rows;
  }

  private static void series(
      Run run, List<@Nullable Object> arguments, List<@Nullable Object[]> rows) {
    if (!(arguments.get(0) instanceof Number from) || !(arguments.get(1) instanceof Number to)) {
      if (arguments.get(0) != null && arguments.get(1) != null) {
        throw new PostgresException("0A000", "generate_series takes numbers here");
      }
      return;
    }
    long step =
        arguments.size() > 2 && arguments.get(2) instanceof Number given ? given.longValue() : 1;
    if (step == 0) {
      throw new PostgresException("22023", "step size cannot equal zero");
    }
    for (long i = from.longValue();
        step > 0 ? i <= to.longValue() : i >= to.longValue();
        i += step) {
      run.step();
      rows.add(new @Nullable Object[] {i});
      if (rows.size() > MOST_ROWS) {
        throw new PostgresException("54000", "generate_series makes too many rows");
      }
    }
  }

  private static void unnest(
      Run run, List<@Nullable Object> arguments, List<@Nullable Object[]> rows) {
    int longest = 0;
    for (Object argument : arguments) {
      longest = Math.max(longest, argument instanceof List<?> list ? list.size() : 0);
    }
    for (int i = 0; i < longest; i++) {
      run.step();
      @Nullable Object[] row = new @Nullable Object[arguments.size()];
      for (int j = 0; j < row.length; j++) {
        row[j] =
            arguments.get(j) instanceof List<?> list && i < list.size()
                ? Datum.normal(list.get(i))
                : null;
      }
      rows.add(row);
    }
  }
}
