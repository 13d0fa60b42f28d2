package io.keyvalueserve.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Names in statements. */
final class SqlName {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** Words that no table or column can be named by without quotes. */
  private static final Set<String> RESERVED =
      Set.of(
          "all",
          "and",
          "any",
          "array",
          "as",
          "between",
          "both",
          "by",
          "case",
          "cast",
          "check",
          "column",
          "constraint",
          "create",
          "cross",
          "current_date",
          "current_time",
          "current_timestamp",
          "date",
          "day",
          "default",
          "delete",
          "distinct",
          "drop",
          "else",
          "end",
          "except",
          "exists",
          "explain",
          "false",
          "fetch",
          "filter",
          "for",
          "from",
          "full",
          "group",
          "grouping",
          "having",
          "hour",
          "in",
          "inner",
          "insert",
          "intersect",
          "interval",
          "into",
          "is",
          "join",
          "lateral",
          "leading",
          "left",
          "like",
          "limit",
          "minute",
          "month",
          "natural",
          "not",
          "null",
          "of",
          "offset",
          "on",
          "one",
          "or",
          "order",
          "outer",
          "over",
          "partition",
          "primary",
          "range",
          "right",
          "row",
          "rows",
          "second",
          "select",
          "set",
          "show",
          "similar",
          "some",
          "sum",
          "table",
          "then",
          "time",
          "timestamp",
          "to",
          "trailing",
          "true",
          "union",
          "unique",
          "unnest",
          "update",
          "user",
          "using",
          "value",
          "values",
          "when",
          "where",
          "window",
          "with",
          "year");

  private SqlName() {}

  /** Returns a name as a statement has it: in quotes if it needs them. */
  static String quoted(String name) {
    return PLAIN.matcher(name).matches() && !RESERVED.contains(name.toLowerCase(Locale.ROOT))
        ? name
        : '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Returns a path of names, as {@code address.city}, with each name as a statement has it. */
  static String path(String dotted) {
    return Arrays.stream(dotted.split("\\.", -1))
        .map(SqlName::quoted)
        .collect(Collectors.joining("."));
  }
}
