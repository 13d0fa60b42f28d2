package io.keyvalueserve.grid.space;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.ExpireCondition;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.ValueMatch;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.CollectionType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Key commands between members: a byte that says which, then its parts in the record's order. */
final class CommandCodec {
  private static final int READ = 1;
  private static final int PROBE = 2;
  private static final int WRITE = 3;
  private static final int REMOVE = 4;
  private static final int EXPIRE = 5;
  private static final int READ_AND_EXPIRE = 6;
  private static final int INCREMENT = 7;
  private static final int INCREMENT_DECIMAL = 8;
  private static final int APPEND = 9;
  private static final int OVERWRITE = 10;
  private static final int WRITE_IF = 11;
  private static final int REMOVE_IF = 12;
  private static final int ON_COLLECTION = 13;
  private static final int OPERATE = 14;
  private static final int WRITE_COLLECTION = 15;

  /** Room is made for so many elements before they have come. */
  private static final int MOST_PREPARED = 1024;

  private CommandCodec() {}

  static void write(ObjectDataOutput out, KeyCommand command) throws IOException {
    switch (command) {
      case KeyCommand.Read read -> head(out, READ, read);
      case KeyCommand.Probe probe -> {
        head(out, PROBE, probe);
        out.writeBoolean(probe.access());
      }
      case KeyCommand.Write write -> {
        head(out, WRITE, write);
        out.writeByteArray(write.value());
        out.writeLong(write.expireAtMillis());
        out.writeByte(code(write.condition()));
        out.writeBoolean(write.returnPrevious());
      }
      case KeyCommand.Remove remove -> {
        head(out, REMOVE, remove);
        out.writeBoolean(remove.returnPrevious());
      }
      case KeyCommand.Expire expire -> {
        head(out, EXPIRE, expire);
        out.writeLong(expire.expireAtMillis());
        out.writeByte(code(expire.condition()));
      }
      case KeyCommand.ReadAndExpire read -> {
        head(out, READ_AND_EXPIRE, read);
        out.writeLong(read.expireAtMillis());
      }
      case KeyCommand.Increment increment -> {
        head(out, INCREMENT, increment);
        out.writeLong(increment.delta());
      }
      case KeyCommand.IncrementDecimal increment -> {
        head(out, INCREMENT_DECIMAL, increment);
        out.writeString(increment.delta());
      }
      case KeyCommand.Append append -> {
        head(out, APPEND, append);
        out.writeByteArray(append.suffix());
        out.writeInt(append.mostBytes());
      }
      case KeyCommand.Overwrite overwrite -> {
        head(out, OVERWRITE, overwrite);
        out.writeInt(overwrite.offset());
        out.writeByteArray(overwrite.bytes());
        out.writeInt(overwrite.mostBytes());
      }
      case KeyCommand.WriteIf write -> {
        head(out, WRITE_IF, write);
        out.writeByteArray(write.value());
        out.writeLong(write.expireAtMillis());
        write(out, write.match());
      }
      case KeyCommand.RemoveIf remove -> {
        head(out, REMOVE_IF, remove);
        write(out, remove.match());
      }
      case KeyCommand.OnCollection on -> {
        head(out, ON_COLLECTION, on);
        out.writeByte(on.operation().type().code());
        out.writeShort(on.operation().code());
        write(out, on.arguments());
        out.writeInt(on.mostBytes());
      }
      case KeyCommand.Operate operate -> {
        head(out, OPERATE, operate);
        OperationCodec.write(out, operate.operation());
      }
      case KeyCommand.WriteCollection write -> {
        head(out, WRITE_COLLECTION, write);
        out.writeByte(write.type().code());
        out.writeByteArray(write.packed());
        out.writeLong(write.expireAtMillis());
        out.writeByte(code(write.condition()));
      }
    }
  }

  static KeyCommand read(ObjectDataInput in) throws IOException {
    int code = in.readByte();
    byte[] key = bytes(in);
    return switch (code) {
      case READ -> new KeyCommand.Read(key);
      case PROBE -> new KeyCommand.Probe(key, in.readBoolean());
      case WRITE ->
          new KeyCommand.Write(
              key, bytes(in), in.readLong(), writeCondition(in.readByte()), in.readBoolean());
      case REMOVE -> new KeyCommand.Remove(key, in.readBoolean());
      case EXPIRE -> new KeyCommand.Expire(key, in.readLong(), expireCondition(in.readByte()));
      case READ_AND_EXPIRE -> new KeyCommand.ReadAndExpire(key, in.readLong());
      case INCREMENT -> new KeyCommand.Increment(key, in.readLong());
      case INCREMENT_DECIMAL ->
          new KeyCommand.IncrementDecimal(key, present(in.readString(), "a decimal's text"));
      case APPEND -> new KeyCommand.Append(key, bytes(in), in.readInt());
      case OVERWRITE -> new KeyCommand.Overwrite(key, in.readInt(), bytes(in), in.readInt());
      case WRITE_IF -> new KeyCommand.WriteIf(key, bytes(in), in.readLong(), match(in));
      case REMOVE_IF -> new KeyCommand.RemoveIf(key, match(in));
      case ON_COLLECTION ->
          new KeyCommand.OnCollection(key, operation(in), arguments(in), in.readInt());
      case OPERATE -> new KeyCommand.Operate(key, OperationCodec.read(in));
      case WRITE_COLLECTION ->
          new KeyCommand.WriteCollection(
              key, type(in), bytes(in), in.readLong(), writeCondition(in.readByte()));
      default -> throw new IOException("no such command: code=" + code);
    };
  }

  private static void head(ObjectDataOutput out, int code, KeyCommand command) throws IOException {
    out.writeByte(code);
    out.writeByteArray(command.key());
  }

  private static CollectionOperation operation(ObjectDataInput in) throws IOException {
    int typeCode = in.readByte();
    int code = in.readShort();
    CollectionType type = CollectionType.ofCode(typeCode);
    CollectionOperation operation = type == null ? null : type.operation(code);
    return present(operation, "an operation on a collection: type=" + typeCode + " code=" + code);
  }

  private static CollectionType type(ObjectDataInput in) throws IOException {
    int code = in.readByte();
    return present(CollectionType.ofCode(code), "a type of collections: code=" + code);
  }

  private static void write(ObjectDataOutput out, Arguments arguments) throws IOException {
    out.writeInt(arguments.count());
    for (byte[] text : arguments.texts()) {
      out.writeByteArray(text);
    }
    out.writeLongArray(arguments.numbers());
  }

  private static Arguments arguments(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    List<byte[]> texts = listOf(count);
    for (int i = 0; i < count; i++) {
      texts.add(bytes(in));
    }
    return new Arguments(texts, integers(in));
  }

  private static void write(ObjectDataOutput out, ValueMatch match) throws IOException {
    out.writeByte(
        switch (match.kind()) {
          case ANY -> 0;
          case ABSENT -> 1;
          case PRESENT -> 2;
          case TAGGED -> 3;
        });
    out.writeByteArray(match.tags());
  }

  private static ValueMatch match(ObjectDataInput in) throws IOException {
    int code = in.readByte();
    ValueMatch.Kind kind =
        switch (code) {
          case 0 -> ValueMatch.Kind.ANY;
          case 1 -> ValueMatch.Kind.ABSENT;
          case 2 -> ValueMatch.Kind.PRESENT;
          case 3 -> ValueMatch.Kind.TAGGED;
          default -> throw new IOException("no such match of a value: code=" + code);
        };
    return new ValueMatch(kind, bytes(in));
  }

  private static int code(WriteCondition condition) {
    return switch (condition) {
      case ALWAYS -> 0;
      case IF_ABSENT -> 1;
      case IF_PRESENT -> 2;
    };
  }

  private static WriteCondition writeCondition(int code) throws IOException {
    return switch (code) {
      case 0 -> WriteCondition.ALWAYS;
      case 1 -> WriteCondition.IF_ABSENT;
      case 2 -> WriteCondition.IF_PRESENT;
      default -> throw new IOException("no such condition of a write: code=" + code);
    };
  }

  private static int code(ExpireCondition condition) {
    return switch (condition) {
      case ALWAYS -> 0;
      case IF_NONE -> 1;
      case IF_SOME -> 2;
      case IF_LATER -> 3;
      case IF_EARLIER -> 4;
      case IF_SOME_AND_EARLIER -> 5;
    };
  }

  private static ExpireCondition expireCondition(int code) throws IOException {
    return switch (code) {
      case 0 -> ExpireCondition.ALWAYS;
      case 1 -> ExpireCondition.IF_NONE;
      case 2 -> ExpireCondition.IF_SOME;
      case 3 -> ExpireCondition.IF_LATER;
      case 4 -> ExpireCondition.IF_EARLIER;
      case 5 -> ExpireCondition.IF_SOME_AND_EARLIER;
      default -> throw new IOException("no such condition of an expiry: code=" + code);
    };
  }

  static byte[] bytes(ObjectDataInput in) throws IOException {
    return present(in.readByteArray(), "a byte string");
  }

  /**
   * Returns an empty list for a number of parts that was read. Its first capacity is bounded,
   * because a damaged number may be any.
   *
   * @throws IOException if the number is below 0
   */
  static <T> List<T> listOf(int count) throws IOException {
    return new ArrayList<>(Math.min(count(count), MOST_PREPARED));
  }

  /**
   * Returns a number of parts that was read.
   *
   * @throws IOException if it is below 0
   */
  static int count(int count) throws IOException {
    if (count < 0) {
      throw new IOException("a number of parts is below 0: count=" + count);
    }
    return count;
  }

  /**
   * Reads an array of integers. It grows as they come, because a damaged number of them may be any.
   */
  static long[] integers(ObjectDataInput in) throws IOException {
    int count = count(in.readInt());
    long[] integers = new long[Math.min(count, MOST_PREPARED)];
    for (int i = 0; i < count; i++) {
      if (i == integers.length) {
        integers = Arrays.copyOf(integers, (int) Math.min(2L * i, count));
      }
      integers[i] = in.readLong();
    }
    return integers;
  }

  static <T> T present(@Nullable T part, String what) throws IOException {
    if (part == null) {
      throw new IOException(what + " is missing");
    }
    return part;
  }
}
