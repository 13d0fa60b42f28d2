package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.QueryTable;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/** Expressions as people read them in plans. */
final class Shown {
  private static final int MAX_LENGTH = 300;

  private Shown() {}

  static String tests(List<RexNode> tests, QueryTable table) {
    return cut(tests.stream().map(RexNode::toString).collect(Collectors.joining(" AND ")), table);
  }

  static String values(List<? extends RexNode> values, QueryTable table) {
    return values.stream()
        .map(
            value ->
                value instanceof RexInputRef ref
                    ? table.columns().get(ref.getIndex()).name()
                    : cut(value.toString(), table))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  static String values(List<? extends RexNode> values) {
    String text =
        values.stream().map(RexNode::toString).collect(Collectors.joining(", ", "[", "]"));
    return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
  }

  private static String cut(String text, QueryTable table) {
    String named = text;
    for (int i = table.columns().size() - 1; i >= 0; i--) {
      named = named.replaceAll("\\$" + i + "(?![0-9])", quoted(table.columns().get(i).name()));
    }
    return named.length() > MAX_LENGTH ? named.substring(0, MAX_LENGTH) + "..." : named;
  }

  private static String quoted(String name) {
    return Matcher.quoteReplacement(name);
  }
}
