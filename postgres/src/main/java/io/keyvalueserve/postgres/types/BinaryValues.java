package io.keyvalueserve.postgres.types;

import io.keyvalueserve.engine.query.JsonText;
import io.keyvalueserve.postgres.wire.MessageBody;
import io.keyvalueserve.postgres.wire.MessageWriter;
import io.keyvalueserve.postgres.wire.PostgresException;
import io.keyvalueserve.postgres.wire.ProtocolException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values in the binary form of PostgreSQL's protocol. Thread-safe. */
public final class BinaryValues {
  private static final LocalDate EPOCH = LocalDate.of(2000, 1, 1);
  private static final Instant EPOCH_INSTANT = EPOCH.atStartOfDay().toInstant(ZoneOffset.UTC);
  private static final LocalDateTime EPOCH_START = EPOCH.atStartOfDay();
  private static final long NANOS_OF_MICRO = 1000;
  private static final long MICROS_OF_DAY = 86_400_000_000L;
  private static final int JSONB_VERSION = 1;
  private static final int MOST_ELEMENTS = 100_000;

  private BinaryValues() {}

  /**
   * Writes a value of a type, without its length.
   *
   * @param value of a class that fits the type; of another one it is written as text where text is
   *     the binary form too
   */
  public static void write(MessageWriter out, PgType type, Object value, ZoneId zone) {
    try {
      writeAs(out, type, value, zone);
    } catch (ClassCastException | ArithmeticException e) {
      throw new PostgresException(
          "22P03", "a value cannot be sent in the binary form of type " + type.sqlName());
    }
  }

  private static void writeAs(MessageWriter out, PgType type, Object value, ZoneId zone) {
    switch (type) {
      case BOOL -> out.int8((Boolean) value ? 1 : 0);
      case INT2 -> out.int16(((Number) value).shortValue());
      case INT4 -> out.int32(((Number) value).intValue());
      case INT8 -> out.int64(((Number) value).longValue());
      case OID, XID, REGPROC, REGCLASS, REGTYPE, REGNAMESPACE -> out.int32((int) oid(value));
      case FLOAT4 -> out.int32(Float.floatToIntBits(((Number) value).floatValue()));
      case FLOAT8 -> out.int64(Double.doubleToLongBits(((Number) value).doubleValue()));
      case NUMERIC -> Numerics.write(out, decimal(value));
      case BYTEA -> out.bytes((byte[]) value);
      case DATE -> out.int32(Math.toIntExact(ChronoUnit.DAYS.between(EPOCH, (LocalDate) value)));
      case TIME -> out.int64(((LocalTime) value).toNanoOfDay() / NANOS_OF_MICRO);
      case TIMESTAMP -> out.int64(micros((LocalDateTime) value));
      case TIMESTAMPTZ ->
          out.int64(ChronoUnit.MICROS.between(EPOCH_INSTANT, ((OffsetDateTime) value).toInstant()));
      case JSONB -> out.int8(JSONB_VERSION).bytes(utf8(TextValues.of(value, zone)));
      case UUID -> {
        UUID id = (UUID) value;
        out.int64(id.getMostSignificantBits()).int64(id.getLeastSignificantBits());
      }
      case VOID -> {}
      default -> {
        PgType element = type.element();
        if (element != null && value instanceof List<?> list) {
          writeList(out, element, list, zone);
        } else {
          out.bytes(utf8(TextValues.of(value, zone)));
        }
      }
    }
  }

  private static long oid(Object value) {
    return value instanceof Number number ? number.longValue() : Long.parseLong(value.toString());
  }

  private static BigDecimal decimal(Object value) {
    return value instanceof BigDecimal number ? number : new BigDecimal(value.toString());
  }

  private static long micros(LocalDateTime moment) {
    return ChronoUnit.MICROS.between(EPOCH_START, moment);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void writeList(MessageWriter out, PgType element, List<?> list, ZoneId zone) {
    boolean hasNull = list.stream().anyMatch(each -> each == null);
    out.int32(list.isEmpty() ? 0 : 1).int32(hasNull ? 1 : 0).int32(element.oid());
    if (!list.isEmpty()) {
      out.int32(list.size()).int32(1);
    }
    for (Object each : list) {
      if (each == null) {
        out.int32(-1);
      } else {
        int begin = out.beginValue();
        writeAs(out, element, each, zone);
        out.endValue(begin);
      }
    }
  }

  /**
   * Reads a value of a type.
   *
   * @throws PostgresException {@code 22P03} if the bytes are none
   */
  public static Object read(PgType type, byte[] bytes) {
    try {
      MessageBody in = new MessageBody(bytes);
      Object value = readFrom(type, in);
      in.end();
      return value;
    } catch (ProtocolException | java.time.DateTimeException | ArithmeticException e) {
      throw new PostgresException(
          "22P03", "a parameter of type " + type.sqlName() + " is malformed in its binary form");
    }
  }

  private static Object readFrom(PgType type, MessageBody in) {
    return switch (type) {
      case BOOL -> in.int8() != 0;
      case INT2 -> in.int16();
      case INT4 -> in.int32();
      case INT8 -> int64(in);
      case OID, XID, REGPROC, REGCLASS, REGTYPE, REGNAMESPACE -> Integer.toUnsignedLong(in.int32());
      case FLOAT4 -> Float.intBitsToFloat(in.int32());
      case FLOAT8 -> Double.longBitsToDouble(int64(in));
      case NUMERIC -> Numerics.read(in);
      case BYTEA -> in.rest();
      case DATE -> EPOCH.plusDays(in.int32());
      case TIME -> time(int64(in));
      case TIMESTAMP -> EPOCH_START.plus(int64(in), ChronoUnit.MICROS);
      case TIMESTAMPTZ -> EPOCH_INSTANT.plus(int64(in), ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
      case JSON -> new JsonText(text(in));
      case JSONB -> {
        if (in.int8() != JSONB_VERSION) {
          throw new ProtocolException("the version of a jsonb is not known");
        }
        yield new JsonText(text(in));
      }
      case UUID -> new UUID(int64(in), int64(in));
      default -> {
        PgType element = type.element();
        yield element == null ? text(in) : readList(in);
      }
    };
  }

  private static LocalTime time(long micros) {
    if (micros < 0 || micros >= MICROS_OF_DAY) {
      throw new ProtocolException("a time of day is out of its range");
    }
    return LocalTime.ofNanoOfDay(micros * NANOS_OF_MICRO);
  }

  private static List<@Nullable Object> readList(MessageBody in) {
    int dimensions = in.int32();
    int _ = in.int32();
    PgType element = PgType.ofOid(in.int32());
    if (dimensions == 0) {
      return List.of();
    }
    int count = in.int32();
    int _ = in.int32();
    if (dimensions != 1 || element == null || element.element() != null) {
      throw new ProtocolException("only arrays of one dimension are known");
    }
    if (count < 0 || count > MOST_ELEMENTS || (long) count * 4 > in.remaining()) {
      throw new ProtocolException("an array is shorter than its count says");
    }
    List<@Nullable Object> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte[] value = in.value();
      values.add(value == null ? null : read(element, value));
    }
    return values;
  }

  private static long int64(MessageBody in) {
    return (long) in.int32() << 32 | Integer.toUnsignedLong(in.int32());
  }

  private static String text(MessageBody in) {
    byte[] bytes = in.rest();
    return MessageBody.utf8(bytes, 0, bytes.length);
  }
}
