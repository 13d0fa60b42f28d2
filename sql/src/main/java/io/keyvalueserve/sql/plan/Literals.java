package io.keyvalueserve.sql.plan;

import io.keyvalueserve.sql.expr.Casts;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.util.Objects;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/** Values of literals, and literals of values. */
final class Literals {
  private Literals() {}

  /** Returns the value of a literal, of the class of its type. */
  static @Nullable Object value(RexLiteral literal, ZoneId zone) {
    if (literal.isNull()) {
      return null;
    }
    Object raw =
        switch (literal.getTypeName()) {
          case BOOLEAN -> literal.getValueAs(Boolean.class);
          case CHAR, VARCHAR -> literal.getValueAs(String.class);
          case BINARY, VARBINARY ->
              Objects.requireNonNull(literal.getValueAs(ByteString.class)).getBytes();
          case DATE -> LocalDate.parse(text(literal, DateString.class));
          case TIME, TIME_WITH_LOCAL_TIME_ZONE -> LocalTime.parse(text(literal, TimeString.class));
          case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
              LocalDateTime.parse(text(literal, TimestampString.class).replace(' ', 'T'));
          case SYMBOL -> literal.getValue();
          case DOUBLE, FLOAT, REAL -> literal.getValueAs(Double.class);
          case DECIMAL, TINYINT, SMALLINT, INTEGER, BIGINT -> literal.getValueAs(BigDecimal.class);
          default -> interval(literal);
        };
    if (raw == null
        || literal.getTypeName() == SqlTypeName.SYMBOL
        || Types.isInterval(literal.getType())) {
      return raw;
    }
    Object value = Casts.cast(raw, Types.fieldType(literal.getType()), zone);
    boolean isWide = literal.getType().getPrecision() >= Types.DIGITS;
    return value instanceof BigDecimal decimal && isWide ? shortened(decimal) : value;
  }

  /** Returns a number without zeros that its type, not the statement, has added. */
  private static BigDecimal shortened(BigDecimal decimal) {
    BigDecimal stripped = decimal.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  private static String text(RexLiteral literal, Class<?> type) {
    return Objects.requireNonNull((Object) literal.getValueAs(type)).toString();
  }

  private static @Nullable Object interval(RexLiteral literal) {
    if (!Types.isInterval(literal.getType())) {
      return literal.getValue();
    }
    BigDecimal units = Objects.requireNonNull(literal.getValueAs(BigDecimal.class));
    return isMonths(literal.getType())
        ? Period.ofMonths(units.intValueExact())
        : Duration.ofMillis(units.longValueExact());
  }

  /** Returns whether an interval counts months, not milliseconds. */
  static boolean isMonths(RelDataType type) {
    return SqlTypeName.YEAR_INTERVAL_TYPES.contains(type.getSqlTypeName());
  }

  /** Returns the literal of a value; null if there is no plain one. */
  static @Nullable RexNode literal(RexBuilder builder, @Nullable Object value, RelDataType type) {
    if (value == null) {
      return builder.makeNullLiteral(type);
    }
    return switch (type.getSqlTypeName()) {
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, VARCHAR ->
          builder.makeLiteral(value, type, true);
      case DATE -> builder.makeLiteral(new DateString(value.toString()), type, true);
      case TIMESTAMP ->
          value instanceof LocalDateTime time && time.getYear() > 0 && time.getYear() < 10_000
              ? builder.makeLiteral(
                  new TimestampString(Objects.requireNonNull(Casts.toText(value))), type, true)
              : null;
      default -> null;
    };
  }
}
