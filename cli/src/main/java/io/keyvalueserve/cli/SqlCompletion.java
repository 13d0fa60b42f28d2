package io.keyvalueserve.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words that may stand at a place of a statement. */
final class SqlCompletion {
  private static final List<String> KEYWORDS =
      List.of(
          "ALL",
          "AND",
          "AS",
          "ASC",
          "AVG",
          "BETWEEN",
          "BY",
          "CASE",
          "CAST",
          "COALESCE",
          "COUNT",
          "CREATE",
          "CREATE INDEX",
          "CREATE MAPPING",
          "CROSS JOIN",
          "CURRENT_TIMESTAMP",
          "DELETE",
          "DELETE FROM",
          "DESC",
          "DISTINCT",
          "DROP",
          "DROP INDEX",
          "DROP MAPPING",
          "ELSE",
          "END",
          "EXISTS",
          "EXPLAIN",
          "EXPLAIN ANALYZE",
          "FALSE",
          "FROM",
          "GROUP BY",
          "HAVING",
          "IF EXISTS",
          "IF NOT EXISTS",
          "IN",
          "INNER JOIN",
          "INSERT INTO",
          "INTO",
          "IS NULL",
          "IS NOT NULL",
          "JOIN",
          "LEFT JOIN",
          "LIKE",
          "LIMIT",
          "MAX",
          "MIN",
          "NOT",
          "NULL",
          "OFFSET",
          "ON",
          "OPTIONS",
          "OR",
          "ORDER BY",
          "OVER",
          "PARTITION BY",
          "RIGHT JOIN",
          "SELECT",
          "SET",
          "SHOW INDEXES",
          "SHOW MAPPINGS",
          "SINK INTO",
          "SUM",
          "THEN",
          "TRUE",
          "TYPE HASH",
          "TYPE IMap",
          "TYPE SORTED",
          "UNION",
          "UNION ALL",
          "UPDATE",
          "USING",
          "VALUES",
          "WHEN",
          "WHERE",
          "WITH");

  private static final Pattern LAST_WORD = Pattern.compile("([A-Za-z_]+)\\s+$");
  private static final Set<String> BEFORE_TABLES =
      Set.of("from", "join", "into", "update", "on", "mapping", "table");
  private static final String NAME = "(?:\"[^\"]+\"|[A-Za-z_][A-Za-z0-9_]*)";
  private static final Pattern QUALIFIER =
      Pattern.compile("(" + NAME + "(?:\\." + NAME + ")?)\\.$");
  private static final Pattern TABLE =
      Pattern.compile(
          "\\b(?:from|join|into|update|on|,)\\s+("
              + NAME
              + "(?:\\."
              + NAME
              + ")?)(?:\\s+(?:as\\s+)?(?!(?:where|on|join|left|right|inner|cross|full|group|order|"
              + "limit|set|having|union|using|values|natural|offset)\\b)("
              + NAME
              + "))?",
          Pattern.CASE_INSENSITIVE);

  private SqlCompletion() {}

  /**
   * Returns what may stand in the place of a word that begins.
   *
   * @param before the statement up to the word
   * @param word the beginning of the word; it may be empty
   * @param after the rest of the statement
   */
  static List<String> candidates(String before, String word, String after, SqlNames names) {
    Map<String, List<String>> tables = tablesIn(before + word + after, names);
    Matcher qualifier = QUALIFIER.matcher(before);
    Set<String> found = new LinkedHashSet<>();
    if (qualifier.find()) {
      addQualified(qualifier.group(1), tables, names, found);
    } else if (BEFORE_TABLES.contains(lastWord(before)) && !isOnOfJoin(before)) {
      found.addAll(names.columns().keySet());
    } else {
      Map<String, List<String>> meant = tables.isEmpty() ? names.columns() : tables;
      meant.values().forEach(each -> each.stream().map(SqlName::quoted).forEach(found::add));
      boolean isLower = !word.isEmpty() && word.equals(word.toLowerCase(Locale.ROOT));
      KEYWORDS.forEach(each -> found.add(isLower ? each.toLowerCase(Locale.ROOT) : each));
      found.addAll(tables.keySet());
    }
    String begin = word.toLowerCase(Locale.ROOT);
    List<String> candidates = new ArrayList<>();
    for (String each : found) {
      String name = each.toLowerCase(Locale.ROOT);
      boolean isLike = name.startsWith(begin) || name.startsWith('"' + begin);
      if (isLike && !each.equals(word)) {
        candidates.add(each);
      }
    }
    return candidates;
  }

  private static void addQualified(
      String qualifier, Map<String, List<String>> tables, SqlNames names, Set<String> found) {
    List<String> columns = tables.get(qualifier.toLowerCase(Locale.ROOT));
    if (columns == null) {
      columns = names.columnsOf(qualifier).orElse(null);
    }
    if (columns != null) {
      columns.stream().map(SqlName::quoted).forEach(found::add);
      return;
    }
    String schema = qualifier.toLowerCase(Locale.ROOT) + ".";
    for (String table : names.columns().keySet()) { // the tables of an owner
      if (table.toLowerCase(Locale.ROOT).startsWith(schema)) {
        found.add(table.substring(schema.length()));
      }
    }
  }

  /** Returns the columns of the tables that a statement names, by their aliases and names. */
  private static Map<String, List<String>> tablesIn(String statement, SqlNames names) {
    Map<String, List<String>> tables = new LinkedHashMap<>();
    Matcher table = TABLE.matcher(statement);
    while (table.find()) {
      List<String> columns = names.columnsOf(table.group(1)).orElse(null);
      if (columns != null) {
        String alias = table.group(2) == null ? table.group(1) : table.group(2);
        tables.put(alias.toLowerCase(Locale.ROOT), columns);
      }
    }
    return tables;
  }

  private static String lastWord(String before) {
    Matcher last = LAST_WORD.matcher(before);
    return last.find() ? last.group(1).toLowerCase(Locale.ROOT) : "";
  }

  /** Returns whether the last word is the ON of a join, which columns follow. */
  private static boolean isOnOfJoin(String before) {
    String text = before.toLowerCase(Locale.ROOT);
    return lastWord(before).equals("on") && text.contains("join");
  }
}
