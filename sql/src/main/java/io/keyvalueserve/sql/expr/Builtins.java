package io.keyvalueserve.sql.expr;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.expr.Builtin.Body;
import io.keyvalueserve.sql.expr.Builtin.Result;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The functions of PostgreSQL and Hazelcast that Calcite does not know, or knows otherwise. */
public final class Builtins {
  private static final int MANY = 100;
  private static final List<Builtin> ALL = new ArrayList<>();

  static {
    texts();
    numbers();
    times();
    conditions();
  }

  private Builtins() {}

  /** Returns all functions. */
  public static List<Builtin> all() {
    return Collections.unmodifiableList(ALL);
  }

  private static void add(String name, int min, int max, FieldType type, Body body) {
    ALL.add(new Builtin(name, min, max, new Result(type, false), true, body));
  }

  private static String text(@Nullable Object[] arguments, int index) {
    return Casts.toText(Objects.requireNonNull(arguments[index]));
  }

  private static long number(@Nullable Object[] arguments, int index) {
    Object value = Casts.cast(arguments[index], FieldType.BIGINT, ZoneOffset.UTC);
    return (long) Objects.requireNonNull(value);
  }

  private static Object value(@Nullable Object[] arguments, int index) {
    return Objects.requireNonNull(arguments[index]);
  }

  private static void texts() {
    FieldType text = FieldType.VARCHAR;
    add(
        "LENGTH",
        1,
        1,
        FieldType.INTEGER,
        (a, _) ->
            value(a, 0) instanceof byte[] bytes
                ? bytes.length
                : text(a, 0).codePointCount(0, text(a, 0).length()));
    add("LEFT", 2, 2, text, (a, _) -> Texts.left(text(a, 0), number(a, 1)));
    add("RIGHT", 2, 2, text, (a, _) -> Texts.right(text(a, 0), number(a, 1)));
    add(
        "SUBSTR",
        2,
        3,
        text,
        (a, _) ->
            Texts.substring(
                text(a, 0), number(a, 1), a.length > 2 ? number(a, 2) : Long.MAX_VALUE));
    add("STRPOS", 2, 2, FieldType.INTEGER, (a, _) -> Texts.position(text(a, 1), text(a, 0)));
    add(
        "LPAD",
        2,
        3,
        text,
        (a, _) -> Texts.pad(text(a, 0), number(a, 1), a.length > 2 ? text(a, 2) : " ", true));
    add(
        "RPAD",
        2,
        3,
        text,
        (a, _) -> Texts.pad(text(a, 0), number(a, 1), a.length > 2 ? text(a, 2) : " ", false));
    add(
        "LTRIM",
        1,
        2,
        text,
        (a, _) -> Texts.trim(text(a, 0), a.length > 1 ? text(a, 1) : " ", true, false));
    add(
        "RTRIM",
        1,
        2,
        text,
        (a, _) -> Texts.trim(text(a, 0), a.length > 1 ? text(a, 1) : " ", false, true));
    add(
        "BTRIM",
        1,
        2,
        text,
        (a, _) -> Texts.trim(text(a, 0), a.length > 1 ? text(a, 1) : " ", true, true));
    add("REPLACE", 3, 3, text, (a, _) -> Texts.replace(text(a, 0), text(a, 1), text(a, 2)));
    add("REPEAT", 2, 2, text, (a, _) -> Texts.repeat(text(a, 0), number(a, 1)));
    add("REVERSE", 1, 1, text, (a, _) -> new StringBuilder(text(a, 0)).reverse().toString());
    add("INITCAP", 1, 1, text, (a, _) -> Texts.capitalized(text(a, 0)));
    add("SPLIT_PART", 3, 3, text, (a, _) -> Texts.part(text(a, 0), text(a, 1), number(a, 2)));
    add("STARTS_WITH", 2, 2, FieldType.BOOLEAN, (a, _) -> text(a, 0).startsWith(text(a, 1)));
    add(
        "REGEXP_REPLACE",
        3,
        4,
        text,
        (a, _) ->
            Texts.replaceRegex(text(a, 0), text(a, 1), text(a, 2), a.length > 3 ? text(a, 3) : ""));
    add(
        "REGEXP_LIKE",
        2,
        3,
        FieldType.BOOLEAN,
        (a, _) ->
            Texts.matches(
                Texts.regex(text(a, 1), a.length > 2 && text(a, 2).contains("i")), text(a, 0)));
    add(
        "ASCII",
        1,
        1,
        FieldType.INTEGER,
        (a, _) -> text(a, 0).isEmpty() ? 0 : text(a, 0).codePointAt(0));
    add("CHR", 1, 1, text, (a, _) -> character(number(a, 0)));
    add("MD5", 1, 1, text, (a, _) -> Digests.md5(bytes(value(a, 0))));
    add("TO_HEX", 1, 1, text, (a, _) -> Long.toHexString(number(a, 0)));
    add("ENCODE", 2, 2, text, (a, _) -> Digests.encode(bytes(value(a, 0)), text(a, 1)));
    add("DECODE", 2, 2, FieldType.VARBINARY, (a, _) -> Digests.decode(text(a, 0), text(a, 1)));
    add("QUOTE_IDENT", 1, 1, text, (a, _) -> quotedName(text(a, 0)));
    add("QUOTE_LITERAL", 1, 1, text, (a, _) -> "'" + text(a, 0).replace("'", "''") + "'");
    ALL.add(
        new Builtin("CONCAT", 1, MANY, new Result(text, false), false, (a, _) -> joined(a, 0, "")));
    ALL.add(
        new Builtin(
            "CONCAT_WS",
            2,
            MANY,
            new Result(text, false),
            false,
            (a, _) -> a[0] == null ? null : joined(a, 1, text(a, 0))));
  }

  private static byte[] bytes(Object value) {
    return value instanceof byte[] bytes
        ? bytes
        : Casts.toText(value).getBytes(StandardCharsets.UTF_8);
  }

  private static String quotedName(String name) {
    return name.matches("[a-z_][a-z0-9_]*") ? name : "\"" + name.replace("\"", "\"\"") + "\"";
  }

  private static String character(long code) {
    if (code < 1 || code > Character.MAX_CODE_POINT) {
      throw new SqlFailure(SqlState.BAD_ARGUMENT, "there is no character of the code " + code);
    }
    return Character.toString((int) code);
  }

  private static String joined(@Nullable Object[] arguments, int from, String separator) {
    StringBuilder text = new StringBuilder();
    boolean isFirst = true;
    for (int i = from; i < arguments.length; i++) {
      if (arguments[i] != null) {
        text.append(isFirst ? "" : separator).append(text(arguments, i));
        isFirst = false;
        Texts.requireLength(text.length());
      }
    }
    return text.toString();
  }

  private static void numbers() {
    add(
        "TRUNC",
        1,
        2,
        FieldType.DECIMAL,
        (a, _) -> Maths.truncate((BigDecimal) decimal(a, 0), a.length > 1 ? number(a, 1) : 0));
    add(
        "LOG",
        1,
        2,
        FieldType.DOUBLE,
        (a, _) ->
            a.length == 1 ? Maths.log10(real(a, 0)) : Maths.ln(real(a, 1)) / Maths.ln(real(a, 0)));
    add(
        "RANDOM",
        0,
        0,
        FieldType.DOUBLE,
        (_, _) -> java.util.concurrent.ThreadLocalRandom.current().nextDouble());
    add(
        "GCD",
        2,
        2,
        FieldType.BIGINT,
        (a, _) ->
            java.math.BigInteger.valueOf(number(a, 0))
                .gcd(java.math.BigInteger.valueOf(number(a, 1)))
                .longValue());
  }

  private static Object decimal(@Nullable Object[] arguments, int index) {
    return Objects.requireNonNull(Casts.cast(arguments[index], FieldType.DECIMAL, ZoneOffset.UTC));
  }

  private static double real(@Nullable Object[] arguments, int index) {
    Object value = Casts.cast(arguments[index], FieldType.DOUBLE, ZoneOffset.UTC);
    return (double) Objects.requireNonNull(value);
  }

  private static void times() {
    ALL.add(
        new Builtin(
            "DATE_TRUNC",
            2,
            2,
            new Result(null, false),
            true,
            (a, env) -> Times.truncate(text(a, 0), value(a, 1), env.zone())));
    add(
        "DATE_PART",
        2,
        2,
        FieldType.DOUBLE,
        (a, env) -> ((Number) Times.extract(text(a, 0), value(a, 1), env.zone())).doubleValue());
    add(
        "TO_CHAR",
        2,
        2,
        FieldType.VARCHAR,
        (a, env) -> Times.format(value(a, 0), text(a, 1), env.zone()));
    add("NOW", 0, 0, FieldType.TIMESTAMP_WITH_TIME_ZONE, (_, env) -> env.now());
    add("TRANSACTION_TIMESTAMP", 0, 0, FieldType.TIMESTAMP_WITH_TIME_ZONE, (_, env) -> env.now());
    add("STATEMENT_TIMESTAMP", 0, 0, FieldType.TIMESTAMP_WITH_TIME_ZONE, (_, env) -> env.now());
    add(
        "CLOCK_TIMESTAMP",
        0,
        0,
        FieldType.TIMESTAMP_WITH_TIME_ZONE,
        (_, env) -> OffsetDateTime.now(env.zone()));
    add(
        "TO_TIMESTAMP",
        1,
        1,
        FieldType.TIMESTAMP_WITH_TIME_ZONE,
        (a, env) ->
            value(a, 0) instanceof Number seconds
                ? ofSeconds(seconds, env)
                : Casts.cast(a[0], FieldType.TIMESTAMP_WITH_TIME_ZONE, env.zone()));
    add(
        "TO_TIMESTAMP_TZ",
        1,
        1,
        FieldType.TIMESTAMP_WITH_TIME_ZONE,
        (a, env) -> Instant.ofEpochMilli(number(a, 0)).atZone(env.zone()).toOffsetDateTime());
    add(
        "TO_EPOCH_MILLIS",
        1,
        1,
        FieldType.BIGINT,
        (a, env) ->
            ((OffsetDateTime)
                    Objects.requireNonNull(
                        Casts.cast(a[0], FieldType.TIMESTAMP_WITH_TIME_ZONE, env.zone())))
                .toInstant()
                .toEpochMilli());
    add("TO_DATE", 1, 1, FieldType.DATE, (a, env) -> Casts.cast(a[0], FieldType.DATE, env.zone()));
    add("MAKE_DATE", 3, 3, FieldType.DATE, (a, _) -> date(a));
  }

  private static Object ofSeconds(Number seconds, Env env) {
    BigDecimal exact = Values.decimal(seconds);
    if (exact.abs().compareTo(BigDecimal.valueOf(1L << 42)) > 0) {
      throw new SqlFailure(SqlState.OUT_OF_RANGE, "a time is out of its range");
    }
    Duration since =
        Duration.ofNanos(0)
            .plusSeconds(exact.longValue())
            .plusNanos(exact.remainder(BigDecimal.ONE).movePointRight(9).longValue());
    return Instant.EPOCH.plus(since).atZone(env.zone()).toOffsetDateTime();
  }

  private static LocalDate date(@Nullable Object[] a) {
    try {
      return LocalDate.of((int) number(a, 0), (int) number(a, 1), (int) number(a, 2));
    } catch (java.time.DateTimeException e) {
      throw new SqlFailure(
          "22008",
          "there is no such date: " + number(a, 0) + "-" + number(a, 1) + "-" + number(a, 2));
    }
  }

  private static void conditions() {
    ALL.add(new Builtin("GREATEST", 1, MANY, Result.COMMON, false, (a, _) -> extreme(a, 1)));
    ALL.add(new Builtin("LEAST", 1, MANY, Result.COMMON, false, (a, _) -> extreme(a, -1)));
    ALL.add(
        new Builtin("IFNULL", 2, 2, Result.COMMON, false, (a, _) -> a[0] != null ? a[0] : a[1]));
    ALL.add(new Builtin("NVL", 2, 2, Result.COMMON, false, (a, _) -> a[0] != null ? a[0] : a[1]));
    for (String name : List.of("CLASS", "TYPE", "PROC", "NAMESPACE", "ROLE")) {
      add("TO_REG" + name, 1, 1, FieldType.OBJECT, (a, _) -> a[0]);
    }
    add("VERSION", 0, 0, FieldType.VARCHAR, (_, _) -> "PostgreSQL 16.0 (KeyValueServe)");
    add("CURRENT_DATABASE", 0, 0, FieldType.VARCHAR, (_, env) -> env.caller().tenant().value());
    add("CURRENT_SCHEMA", 0, 0, FieldType.VARCHAR, (_, _) -> "public");
    add(
        "TYPEOF",
        1,
        1,
        FieldType.VARCHAR,
        (a, _) -> Casts.typeName(value(a, 0)).toLowerCase(Locale.ROOT));
    add("JSON_TEXT", 2, 2, FieldType.VARCHAR, (a, _) -> JsonValues.member(text(a, 0), text(a, 1)));
    add("HEX", 1, 1, FieldType.VARCHAR, (a, _) -> HexFormat.of().formatHex(bytes(value(a, 0))));
    add("ARRAY_TO_STRING", 2, 3, FieldType.VARCHAR, (a, _) -> joinedArray(a));
  }

  private static String joinedArray(@Nullable Object[] a) {
    if (!(value(a, 0) instanceof List<?> list)) {
      throw new SqlFailure(SqlState.TYPE_MISMATCH, "ARRAY_TO_STRING takes an array");
    }
    @Nullable Object[] items = list.toArray();
    if (a.length > 2) {
      for (int i = 0; i < items.length; i++) {
        items[i] = items[i] == null ? a[2] : items[i];
      }
    }
    return joined(items, 0, text(a, 1));
  }

  private static @Nullable Object extreme(@Nullable Object[] values, int sign) {
    Object best = null;
    for (Object value : values) {
      if (value != null && (best == null || Values.compare(value, best) * sign > 0)) {
        best = value;
      }
    }
    return best;
  }
}
