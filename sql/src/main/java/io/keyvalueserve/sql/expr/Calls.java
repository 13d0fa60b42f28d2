package io.keyvalueserve.sql.expr;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAmount;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The functions of the standard, by their names. Arguments are not null. */
public final class Calls {
  private static final Map<String, Exprs.StrictBody> ALL = new HashMap<>();

  static {
    texts();
    numbers();
    others();
  }

  private Calls() {}

  /** Returns a function; null if there is none of the name, in upper case. */
  public static Exprs.@Nullable StrictBody find(String name) {
    return ALL.get(name);
  }

  private static String text(Object[] arguments, int index) {
    return Casts.toText(arguments[index]);
  }

  private static long number(Object[] arguments, int index) {
    Object value = Casts.cast(arguments[index], FieldType.BIGINT, ZoneOffset.UTC);
    return (long) Objects.requireNonNull(value);
  }

  private static double real(Object[] arguments, int index) {
    Object value = Casts.cast(arguments[index], FieldType.DOUBLE, ZoneOffset.UTC);
    return (double) Objects.requireNonNull(value);
  }

  private static void texts() {
    ALL.put("UPPER", (a, _) -> text(a, 0).toUpperCase(Locale.ROOT));
    ALL.put("LOWER", (a, _) -> text(a, 0).toLowerCase(Locale.ROOT));
    Exprs.StrictBody length = (a, _) -> text(a, 0).codePointCount(0, text(a, 0).length());
    ALL.put("CHAR_LENGTH", length);
    ALL.put("CHARACTER_LENGTH", length);
    ALL.put(
        "OCTET_LENGTH",
        (a, _) ->
            a[0] instanceof byte[] bytes
                ? bytes.length
                : text(a, 0).getBytes(StandardCharsets.UTF_8).length);
    ALL.put("POSITION", (a, _) -> Texts.position(text(a, 0), text(a, 1)));
    ALL.put(
        "SUBSTRING",
        (a, _) ->
            Texts.substring(
                text(a, 0), number(a, 1), a.length > 2 ? number(a, 2) : Long.MAX_VALUE));
    ALL.put("OVERLAY", (a, _) -> overlay(a));
    ALL.put("||", (a, _) -> concat(a[0], a[1]));
  }

  private static String overlay(Object[] a) {
    String text = text(a, 0);
    long from = number(a, 2);
    long length = a.length > 3 ? number(a, 3) : text(a, 1).codePointCount(0, text(a, 1).length());
    return Texts.substring(text, 1, Math.max(0, from - 1))
        + text(a, 1)
        + Texts.substring(text, from + length, Long.MAX_VALUE);
  }

  private static Object concat(Object a, Object b) {
    if (a instanceof byte[] x && b instanceof byte[] y) {
      byte[] both = new byte[Math.addExact(x.length, y.length)];
      System.arraycopy(x, 0, both, 0, x.length);
      System.arraycopy(y, 0, both, x.length, y.length);
      return both;
    }
    String x = Casts.toText(a);
    String y = Casts.toText(b);
    Texts.requireLength((long) x.length() + y.length());
    return x + y;
  }

  private static void numbers() {
    ALL.put("ABS", (a, _) -> a[0] instanceof Duration duration ? duration.abs() : Maths.abs(a[0]));
    ALL.put("CEIL", (a, _) -> Maths.ceil(a[0]));
    ALL.put("FLOOR", (a, _) -> Maths.floor(a[0]));
    ALL.put("ROUND", (a, _) -> Maths.round(a[0], a.length > 1 ? number(a, 1) : 0));
    ALL.put(
        "MOD",
        (a, _) -> Arithmetic.compute(Arithmetic.Operation.MOD, a[0], a[1], FieldType.OBJECT));
    ALL.put("SIGN", (a, _) -> Maths.sign(a[0]));
    ALL.put("POWER", (a, _) -> Maths.power(real(a, 0), real(a, 1)));
    ALL.put("PI", (_, _) -> Math.PI);
    ALL.put("ATAN2", (a, _) -> Math.atan2(real(a, 0), real(a, 1)));
    ALL.put("RAND", (_, _) -> ThreadLocalRandom.current().nextDouble());
    of("SQRT", Maths::sqrt);
    of("CBRT", Math::cbrt);
    of("LN", Maths::ln);
    of("LOG10", Maths::log10);
    of("EXP", Maths::exp);
    of("SIN", Math::sin);
    of("COS", Math::cos);
    of("TAN", Math::tan);
    of("COT", x -> 1 / Math.tan(x));
    of("ASIN", Math::asin);
    of("ACOS", Math::acos);
    of("ATAN", Math::atan);
    of("DEGREES", Math::toDegrees);
    of("RADIANS", Math::toRadians);
  }

  private static void of(String name, DoubleUnaryOperator function) {
    ALL.put(name, (a, _) -> function.applyAsDouble(real(a, 0)));
  }

  private static void others() {
    ALL.put("CURRENT_DATE", (_, env) -> env.localNow().toLocalDate());
    ALL.put("LOCALTIMESTAMP", (_, env) -> env.localNow());
    ALL.put("CURRENT_TIMESTAMP", (_, env) -> env.now());
    ALL.put("LOCALTIME", (_, env) -> env.localNow().toLocalTime());
    ALL.put("CURRENT_TIME", (_, env) -> env.localNow().toLocalTime());
    Exprs.StrictBody user = (_, env) -> env.caller().tenant().value();
    ALL.put("CURRENT_USER", user);
    ALL.put("USER", user);
    ALL.put("SESSION_USER", user);
    ALL.put("CARDINALITY", (a, _) -> ((List<?>) a[0]).size());
    ALL.put("DATETIME_PLUS", (a, _) -> Times.plus(a[0], a[1], 1));
    ALL.put("+", (a, _) -> Times.plus(a[0], a[1], 1));
    ALL.put("-", (a, _) -> minus(a[0], a[1]));
    ALL.put("MINUS_DATE", (a, _) -> minus(a[0], a[1]));
  }

  private static Object minus(Object a, Object b) {
    boolean isInterval = b instanceof TemporalAmount;
    return !isInterval && a instanceof Temporal ? Times.between(a, b) : Times.plus(a, b, -1);
  }

  /** {@code TRIM}. */
  public static String trim(Object text, Object characters, boolean atStart, boolean atEnd) {
    return Texts.trim(Casts.toText(text), Casts.toText(characters), atStart, atEnd);
  }

  /** {@code EXTRACT}. */
  public static @Nullable Object extract(String unit, Object value, FieldType type, ZoneId zone) {
    Object part = Times.extract(unit, value, zone);
    return Casts.cast(part, type, zone);
  }

  /** {@code FLOOR(time TO unit)}. */
  public static Object floor(String unit, Object value, ZoneId zone) {
    return Times.truncate(unit, value, zone);
  }

  /** Returns an item of an array, from 1; null if there is none. */
  public static @Nullable Object item(Object array, Object index) {
    if (array instanceof List<?> list && index instanceof Number number) {
      long place = number.longValue();
      return place >= 1 && place <= list.size() ? list.get((int) place - 1) : null;
    }
    throw new SqlFailure(SqlState.TYPE_MISMATCH, "only arrays have items: this is " + shown(array));
  }

  private static String shown(Object value) {
    return value instanceof Period ? "an interval" : Casts.typeName(value);
  }
}
