package io.keyvalueserve.billing.ledger;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of comma-separated values (RFC 4180): lines end with CR and LF, a field that holds a
 * comma, a quote, CR or LF stands in quotes, and quotes in it are doubled. Null is an empty field,
 * and an empty text is {@code ""}.
 */
final class Csv {
  private Csv() {}

  static void row(Appendable out, List<? extends @Nullable String> fields) throws IOException {
    for (int i = 0; i < fields.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      String field = fields.get(i);
      if (field != null) {
        out.append(quoted(field));
      }
    }
    out.append("\r\n");
  }

  private static String quoted(String field) {
    boolean isPlain =
        !field.isEmpty()
            && field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
    return isPlain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }
}
