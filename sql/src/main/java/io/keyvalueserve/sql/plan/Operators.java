package io.keyvalueserve.sql.plan;

import io.keyvalueserve.sql.ScalarFunction;
import io.keyvalueserve.sql.expr.Builtin;
import io.keyvalueserve.sql.expr.Builtins;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.jspecify.annotations.Nullable;

/**
 * The operators that statements may have: functions by a list of their names, and operators that
 * have symbols. Immutable.
 */
final class Operators implements SqlOperatorTable {
  private static final Set<String> STANDARD_FUNCTIONS =
      Set.of(
          "COUNT",
          "SUM",
          "AVG",
          "MIN",
          "MAX",
          "EVERY",
          "SOME",
          "ANY_VALUE",
          "SINGLE_VALUE",
          "STDDEV",
          "STDDEV_POP",
          "STDDEV_SAMP",
          "VARIANCE",
          "VAR_POP",
          "VAR_SAMP",
          "LISTAGG",
          "GROUPING",
          "GROUPING_ID",
          "ROW_NUMBER",
          "RANK",
          "DENSE_RANK",
          "LAG",
          "LEAD",
          "NTILE",
          "FIRST_VALUE",
          "LAST_VALUE",
          "NTH_VALUE",
          "PERCENT_RANK",
          "CUME_DIST",
          "COALESCE",
          "NULLIF",
          "UPPER",
          "LOWER",
          "CHAR_LENGTH",
          "CHARACTER_LENGTH",
          "OCTET_LENGTH",
          "POSITION",
          "SUBSTRING",
          "TRIM",
          "OVERLAY",
          "ABS",
          "CEIL",
          "FLOOR",
          "ROUND",
          "MOD",
          "POWER",
          "SQRT",
          "CBRT",
          "LN",
          "LOG10",
          "EXP",
          "SIGN",
          "PI",
          "SIN",
          "COS",
          "TAN",
          "COT",
          "ASIN",
          "ACOS",
          "ATAN",
          "ATAN2",
          "DEGREES",
          "RADIANS",
          "EXTRACT",
          "CURRENT_DATE",
          "LOCALTIME",
          "LOCALTIMESTAMP",
          "CURRENT_TIME",
          "CURRENT_USER",
          "USER",
          "SESSION_USER",
          "JSON_VALUE",
          "JSON_QUERY",
          "JSON_EXISTS",
          "CARDINALITY",
          "COLLECT",
          "CAST",
          "CONVERT",
          "TIMESTAMPADD",
          "TIMESTAMPDIFF");

  private static final List<SqlOperator> OTHERS =
      List.of(
          SqlLibraryOperators.ILIKE,
          SqlLibraryOperators.NOT_ILIKE,
          SqlLibraryOperators.INFIX_CAST,
          SqlLibraryOperators.STRING_AGG,
          SqlLibraryOperators.ARRAY_AGG,
          SqlLibraryOperators.BOOL_AND,
          SqlLibraryOperators.BOOL_OR,
          SeriesFunction.INSTANCE);

  private static final Map<String, String> ALIASES =
      Map.of("POW", "POWER", "CEILING", "CEIL", "LCASE", "LOWER", "UCASE", "UPPER");

  private static final Map<SqlOperator, OwnFunction> REPLACED = replaced();

  private final Map<String, List<SqlOperator>> functions = new HashMap<>();

  Operators(List<ScalarFunction> brought) {
    SqlStdOperatorTable standard = SqlStdOperatorTable.instance();
    for (SqlOperator operator : standard.getOperatorList()) {
      if (isFunction(operator) && STANDARD_FUNCTIONS.contains(operator.getName())) {
        add(operator.getName(), operator);
      }
    }
    for (SqlOperator operator : OTHERS) {
      add(operator.getName(), operator);
    }
    ALIASES.forEach((alias, name) -> functions.put(alias, List.copyOf(of(name))));
    for (Builtin builtin : Builtins.all()) {
      replace(OwnFunction.of(builtin));
    }
    for (ScalarFunction function : brought) {
      replace(OwnFunction.of(function));
    }
  }

  private static Map<SqlOperator, OwnFunction> replaced() {
    Map<String, Builtin> builtins = new HashMap<>();
    Builtins.all().forEach(builtin -> builtins.put(builtin.name(), builtin));
    Map<SqlOperator, OwnFunction> replaced = new HashMap<>();
    replaced.put(SqlLibraryOperators.DATE_TRUNC, own(builtins, "DATE_TRUNC"));
    return replaced;
  }

  private static OwnFunction own(Map<String, Builtin> builtins, String name) {
    Builtin builtin = builtins.get(name);
    if (builtin == null) {
      throw new IllegalStateException("there is no function " + name);
    }
    return OwnFunction.of(builtin);
  }

  /** Returns the function that stands for one that the parser knows; null if none does. */
  static @Nullable OwnFunction replacement(SqlOperator operator) {
    return REPLACED.get(operator);
  }

  private static boolean isFunction(SqlOperator operator) {
    return operator.getSyntax() == SqlSyntax.FUNCTION
        || operator.getSyntax() == SqlSyntax.FUNCTION_STAR
        || operator.getSyntax() == SqlSyntax.FUNCTION_ID
        || operator.getSyntax() == SqlSyntax.FUNCTION_ID_CONSTANT
        || operator instanceof SqlFunction;
  }

  private List<SqlOperator> of(String name) {
    return functions.getOrDefault(name, List.of());
  }

  private void add(String name, SqlOperator operator) {
    functions.computeIfAbsent(name.toUpperCase(Locale.ROOT), _ -> new ArrayList<>()).add(operator);
  }

  private void replace(SqlOperator operator) {
    functions.put(operator.getName().toUpperCase(Locale.ROOT), new ArrayList<>(List.of(operator)));
  }

  @Override
  public void lookupOperatorOverloads(
      SqlIdentifier name,
      @Nullable SqlFunctionCategory category,
      SqlSyntax syntax,
      List<SqlOperator> found,
      SqlNameMatcher matcher) {
    if (!name.isSimple()) {
      return;
    }
    List<SqlOperator> operators = of(name.getSimple().toUpperCase(Locale.ROOT));
    boolean isFound = false;
    for (SqlOperator operator : operators) {
      if (syntax.family == operator.getSyntax().family
          || syntax == SqlSyntax.FUNCTION
          || syntax == operator.getSyntax()) {
        found.add(operator);
        isFound = true;
      }
    }
    if (!isFound && syntax.family != SqlSyntax.FUNCTION) {
      SqlStdOperatorTable.instance()
          .lookupOperatorOverloads(name, category, syntax, found, matcher);
      found.removeIf(Operators::isFunction);
    }
  }

  @Override
  public List<SqlOperator> getOperatorList() {
    List<SqlOperator> all = new ArrayList<>();
    functions.values().forEach(all::addAll);
    return all;
  }
}
