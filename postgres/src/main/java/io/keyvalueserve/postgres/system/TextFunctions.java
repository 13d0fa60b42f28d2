package io.keyvalueserve.postgres.system;

import static io.keyvalueserve.postgres.system.Functions.lenient;
import static io.keyvalueserve.postgres.system.Functions.number;
import static io.keyvalueserve.postgres.system.Functions.strict;
import static io.keyvalueserve.postgres.system.Functions.text;

import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.types.PgVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Functions on text and arrays. */
final class TextFunctions {
  private static final Pattern PLAIN_NAME = Pattern.compile("[a-z_][a-z0-9_$]*");

  private TextFunctions() {}

  static void addTo(Map<String, Functions.Function> all) {
    all.put("lower", strict(1, PgType.TEXT, (_, a) -> text(a, 0).toLowerCase(Locale.ROOT)));
    all.put("upper", strict(1, PgType.TEXT, (_, a) -> text(a, 0).toUpperCase(Locale.ROOT)));
    for (String name : List.of("length", "char_length", "octet_length")) {
      all.put(name, strict(1, PgType.INT4, (_, a) -> (long) text(a, 0).length()));
    }
    all.put("replace", strict(3, PgType.TEXT, TextFunctions::replaced));
    for (String name : List.of("trim", "btrim")) {
      all.put(name, strict(1, 2, PgType.TEXT, (_, a) -> text(a, 0).strip()));
    }
    all.put("ltrim", strict(1, 2, PgType.TEXT, (_, a) -> text(a, 0).stripLeading()));
    all.put("rtrim", strict(1, 2, PgType.TEXT, (_, a) -> text(a, 0).stripTrailing()));
    for (String name : List.of("substring", "substr")) {
      all.put(name, strict(2, 3, PgType.TEXT, TextFunctions::substring));
    }
    all.put(
        "left",
        strict(2, PgType.TEXT, (_, a) -> part(text(a, 0), 0, number(a, 1), number(a, 1) < 0)));
    all.put("position", strict(2, PgType.INT4, (_, a) -> 1L + text(a, 1).indexOf(text(a, 0))));
    all.put("strpos", strict(2, PgType.INT4, (_, a) -> 1L + text(a, 0).indexOf(text(a, 1))));
    all.put("starts_with", strict(2, PgType.BOOL, (_, a) -> text(a, 0).startsWith(text(a, 1))));
    all.put("split_part", strict(3, PgType.TEXT, TextFunctions::splitPart));
    all.put(
        "concat",
        lenient(
            1,
            50,
            PgType.TEXT,
            (_, a) -> {
              StringBuilder joined = new StringBuilder();
              for (int i = 0; i < a.size(); i++) {
                joined.append(text(a, i));
              }
              return Operators.bounded(joined.toString());
            }));
    all.put("quote_ident", strict(1, PgType.TEXT, (_, a) -> quotedName(text(a, 0))));
    all.put("quote_literal", strict(1, PgType.TEXT, (_, a) -> quoted(text(a, 0))));
    all.put(
        "quote_nullable",
        lenient(1, 1, PgType.TEXT, (_, a) -> a.getFirst() == null ? "NULL" : quoted(text(a, 0))));
    all.put("format", lenient(1, 50, PgType.TEXT, TextFunctions::formatted));
    all.put(
        "regexp_replace",
        strict(
            3,
            4,
            PgType.TEXT,
            (run, a) ->
                Patterns.replaced(
                    run,
                    text(a, 0),
                    text(a, 1),
                    text(a, 2),
                    a.size() > 3 && text(a, 3).contains("g"))));
    all.put("array_to_string", lenient(2, 3, PgType.TEXT, TextFunctions::joined));
    all.put(
        "string_to_array",
        strict(
            2,
            PgType.TEXT_ARRAY,
            (_, a) -> Arrays.asList(text(a, 0).split(Pattern.quote(text(a, 1)), -1))));
    for (String name : List.of("array_length", "array_upper")) {
      all.put(name, strict(2, PgType.INT4, (_, a) -> upper(a.getFirst())));
    }
    all.put("cardinality", strict(1, PgType.INT4, (_, a) -> (long) list(a.getFirst()).size()));
    all.put(
        "array_lower",
        strict(
            2,
            PgType.INT4,
            (_, a) ->
                list(a.getFirst()).isEmpty()
                    ? null
                    : (Object) (a.getFirst() instanceof PgVector ? 0L : 1L)));
    all.put("array_position", strict(2, 3, PgType.INT4, TextFunctions::position));
    all.put(
        "array_append",
        lenient(
            2,
            2,
            PgType.UNKNOWN,
            (run, a) -> {
              List<@Nullable Object> longer = new ArrayList<>(list(a.get(0)));
              longer.add(a.get(1));
              run.keeps(longer.size());
              return longer;
            }));
    for (String name : List.of("to_json", "to_jsonb", "row_to_json", "array_to_json")) {
      all.put(name, strict(1, 2, PgType.JSON, (_, a) -> Json.of(a.getFirst())));
    }
    for (String name : List.of("json_build_object", "jsonb_build_object")) {
      all.put(name, lenient(0, 100, PgType.JSON, TextFunctions::object));
    }
    all.put("abs", strict(1, PgType.UNKNOWN, (_, a) -> Math.abs(number(a, 0))));
    all.put("md5", strict(1, PgType.TEXT, (_, a) -> md5(text(a, 0))));
    all.put("ascii", strict(1, PgType.INT4, (_, a) -> ascii(text(a, 0))));
  }

  private static String replaced(Run run, List<@Nullable Object> a) {
    String text = text(a, 0);
    String from = text(a, 1);
    String to = text(a, 2);
    if (from.isEmpty()) {
      return text;
    }
    long times = Math.min(text.length(), text.length() / from.length());
    if (times * to.length() > 1 << 20) {
      throw new io.keyvalueserve.postgres.wire.PostgresException(
          "54000", "a text is too long in a query on system catalogues");
    }
    run.step();
    return text.replace(from, to);
  }

  private static long ascii(String text) {
    return text.isEmpty() ? 0 : text.codePointAt(0);
  }

  private static String md5(String text) {
    try {
      return java.util.HexFormat.of()
          .formatHex(
              java.security.MessageDigest.getInstance("MD5")
                  .digest(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  private static @Nullable Object upper(@Nullable Object array) {
    int size = list(array).size();
    return size == 0 ? null : (Object) (long) (array instanceof PgVector ? size - 1 : size);
  }

  private static @Nullable Object position(Run run, List<@Nullable Object> a) {
    List<?> list = list(a.get(0));
    Object wanted = a.get(1);
    for (int i = 0; i < list.size(); i++) {
      run.step();
      Object each = list.get(i);
      if (each != null && wanted != null && Datum.equal(each, wanted)) {
        return (long) (a.get(0) instanceof PgVector ? i : i + 1);
      }
    }
    return null;
  }

  private static String part(String text, long from, long length, boolean isFromEnd) {
    long to = isFromEnd ? text.length() + length : from + length;
    return text.substring(
        Math.clamp(from, 0, text.length()),
        Math.clamp(to, Math.clamp(from, 0, text.length()), text.length()));
  }

  private static @Nullable Object substring(Run run, List<@Nullable Object> a) {
    String text = text(a, 0);
    if (!(a.get(1) instanceof Number)) {
      var matcher = Pattern.compile(Pattern.quote(text(a, 1))).matcher(text);
      run.step();
      return matcher.find() ? matcher.group() : null;
    }
    long from = number(a, 1) - 1;
    long to = a.size() > 2 ? Math.addExact(from, number(a, 2)) : text.length();
    long begin = Math.clamp(from, 0, text.length());
    return text.substring((int) begin, (int) Math.clamp(to, begin, text.length()));
  }

  private static String splitPart(Run run, List<@Nullable Object> a) {
    run.step();
    String[] parts = text(a, 0).split(Pattern.quote(text(a, 1)), -1);
    long index = number(a, 2);
    return index < 1 || index > parts.length ? "" : parts[(int) index - 1];
  }

  /** Returns a name as it is written in a statement. */
  static String quotedName(String name) {
    boolean isPlain =
        PLAIN_NAME.matcher(name).matches()
            && !ExprParser.RESERVED.contains(name)
            && !name.equals("user")
            && !name.equals("table");
    return isPlain ? name : "\"" + name.replace("\"", "\"\"") + "\"";
  }

  static String quoted(String text) {
    return (text.contains("\\") ? "E'" : "'") + text.replace("\\", "\\\\").replace("'", "''") + "'";
  }

  private static String formatted(Run run, List<@Nullable Object> a) {
    String format = text(a, 0);
    StringBuilder text = new StringBuilder();
    int next = 1;
    for (int i = 0; i < format.length(); i++) {
      run.step();
      char c = format.charAt(i);
      if (c != '%' || i + 1 == format.length()) {
        text.append(c);
        continue;
      }
      char kind = format.charAt(++i);
      if (kind == '%') {
        text.append('%');
      } else {
        String value = next < a.size() ? text(a, next++) : "";
        text.append(
            switch (kind) {
              case 'I' -> quotedName(value);
              case 'L' -> quoted(value);
              default -> value;
            });
      }
      String _ = Operators.bounded(text.length() > 1 << 20 ? text.toString() : "");
    }
    return text.toString();
  }

  private static @Nullable Object joined(Run run, List<@Nullable Object> a) {
    if (a.get(0) == null || a.get(1) == null) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    boolean isFirst = true;
    for (Object each : list(a.get(0))) {
      run.step();
      Object shown = each == null && a.size() > 2 ? a.get(2) : each;
      if (shown != null) {
        text.append(isFirst ? "" : text(a, 1)).append(Datum.text(shown));
        isFirst = false;
        String _ = Operators.bounded(text.length() > 1 << 20 ? text.toString() : "");
      }
    }
    return text.toString();
  }

  private static String object(Run run, List<@Nullable Object> a) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i + 1 < a.size(); i += 2) {
      run.step();
      text.append(i > 0 ? ", " : "").append(Json.of(text(a, i))).append(" : ");
      text.append(Json.of(a.get(i + 1)));
    }
    return Operators.bounded(text.append('}').toString());
  }
}
