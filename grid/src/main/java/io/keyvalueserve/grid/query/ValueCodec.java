package io.keyvalueserve.grid.query;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.query.JsonText;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Values of fields as members send them to each other: a byte that names the class, and what the
 * class needs. Values of other classes go as Hazelcast serializes them.
 */
final class ValueCodec {
  private static final byte NULL = 0;
  private static final byte TRUE = 1;
  private static final byte FALSE = 2;
  private static final byte BYTE = 3;
  private static final byte SHORT = 4;
  private static final byte INTEGER = 5;
  private static final byte LONG = 6;
  private static final byte FLOAT = 7;
  private static final byte DOUBLE = 8;
  private static final byte DECIMAL = 9;
  private static final byte BIG_INTEGER = 10;
  private static final byte STRING = 11;
  private static final byte BYTES = 12;
  private static final byte DATE = 13;
  private static final byte TIME = 14;
  private static final byte TIMESTAMP = 15;
  private static final byte TIMESTAMP_WITH_ZONE = 16;
  private static final byte JSON = 17;
  private static final byte OBJECT = 18;
  private static final byte SERIALIZED = 19;

  private ValueCodec() {}

  static void write(ObjectDataOutput out, @Nullable Object value) throws IOException {
    switch (value) {
      case null -> out.writeByte(NULL);
      case Boolean it -> out.writeByte(it ? TRUE : FALSE);
      case Byte it -> {
        out.writeByte(BYTE);
        out.writeByte(it);
      }
      case Short it -> {
        out.writeByte(SHORT);
        out.writeShort(it);
      }
      case Integer it -> {
        out.writeByte(INTEGER);
        out.writeInt(it);
      }
      case Long it -> {
        out.writeByte(LONG);
        out.writeLong(it);
      }
      case Float it -> {
        out.writeByte(FLOAT);
        out.writeFloat(it);
      }
      case Double it -> {
        out.writeByte(DOUBLE);
        out.writeDouble(it);
      }
      case BigDecimal it -> {
        out.writeByte(DECIMAL);
        out.writeInt(it.scale());
        out.writeByteArray(it.unscaledValue().toByteArray());
      }
      case BigInteger it -> {
        out.writeByte(BIG_INTEGER);
        out.writeByteArray(it.toByteArray());
      }
      case String it -> {
        out.writeByte(STRING);
        out.writeString(it);
      }
      case byte[] it -> {
        out.writeByte(BYTES);
        out.writeByteArray(it);
      }
      case JsonText it -> {
        out.writeByte(JSON);
        out.writeString(it.text());
      }
      case Data it -> {
        out.writeByte(SERIALIZED);
        IOUtil.writeData(out, it);
      }
      case LocalDate _, LocalTime _, LocalDateTime _, OffsetDateTime _ -> writeTime(out, value);
      default -> {
        out.writeByte(OBJECT);
        out.writeObject(value);
      }
    }
  }

  private static void writeTime(ObjectDataOutput out, Object value) throws IOException {
    switch (value) {
      case LocalDate it -> {
        out.writeByte(DATE);
        out.writeLong(it.toEpochDay());
      }
      case LocalTime it -> {
        out.writeByte(TIME);
        out.writeLong(it.toNanoOfDay());
      }
      case LocalDateTime it -> {
        out.writeByte(TIMESTAMP);
        writeTimestamp(out, it);
      }
      case OffsetDateTime it -> {
        out.writeByte(TIMESTAMP_WITH_ZONE);
        writeTimestamp(out, it.toLocalDateTime());
        out.writeInt(it.getOffset().getTotalSeconds());
      }
      default -> throw new IllegalArgumentException("no time: " + value.getClass());
    }
  }

  private static void writeTimestamp(ObjectDataOutput out, LocalDateTime it) throws IOException {
    out.writeLong(it.toLocalDate().toEpochDay());
    out.writeLong(it.toLocalTime().toNanoOfDay());
  }

  static @Nullable Object read(ObjectDataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case NULL -> null;
      case TRUE -> true;
      case FALSE -> false;
      case BYTE -> in.readByte();
      case SHORT -> in.readShort();
      case INTEGER -> in.readInt();
      case LONG -> in.readLong();
      case FLOAT -> in.readFloat();
      case DOUBLE -> in.readDouble();
      case DECIMAL -> {
        int scale = in.readInt();
        yield new BigDecimal(new BigInteger(bytes(in)), scale);
      }
      case BIG_INTEGER -> new BigInteger(bytes(in));
      case STRING -> text(in);
      case BYTES -> bytes(in);
      case DATE -> LocalDate.ofEpochDay(in.readLong());
      case TIME -> LocalTime.ofNanoOfDay(in.readLong());
      case TIMESTAMP -> timestamp(in);
      case TIMESTAMP_WITH_ZONE -> {
        LocalDateTime local = timestamp(in);
        yield OffsetDateTime.of(local, ZoneOffset.ofTotalSeconds(in.readInt()));
      }
      case JSON -> new JsonText(text(in));
      case OBJECT -> in.readObject();
      case SERIALIZED -> IOUtil.readData(in);
      default -> throw new IOException("no kind of value: " + kind);
    };
  }

  private static LocalDateTime timestamp(ObjectDataInput in) throws IOException {
    LocalDate date = LocalDate.ofEpochDay(in.readLong());
    return LocalDateTime.of(date, LocalTime.ofNanoOfDay(in.readLong()));
  }

  static String text(ObjectDataInput in) throws IOException {
    return Objects.requireNonNullElse(in.readString(), "");
  }

  private static byte[] bytes(ObjectDataInput in) throws IOException {
    byte[] bytes = in.readByteArray();
    return bytes == null ? new byte[0] : bytes;
  }
}
