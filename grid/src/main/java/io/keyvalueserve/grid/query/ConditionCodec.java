package io.keyvalueserve.grid.query;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Conditions and fields as members send them to each other. */
final class ConditionCodec {
  private static final byte CONSTANT = 0;
  private static final byte AND = 1;
  private static final byte OR = 2;
  private static final byte NOT = 3;
  private static final byte COMPARE = 4;
  private static final byte IN = 5;
  private static final byte LIKE = 6;
  private static final byte REGEX = 7;
  private static final byte IS_NULL = 8;
  private static final byte INSTANCE_OF = 9;

  /** Deeper conditions are refused before they are sent. */
  private static final int MOST_DEPTH = 1_000;

  private ConditionCodec() {}

  static void write(ObjectDataOutput out, Field field) throws IOException {
    out.writeBoolean(field.ofKey());
    out.writeString(field.path());
    out.writeString(field.type().name());
  }

  static Field readField(ObjectDataInput in) throws IOException {
    boolean ofKey = in.readBoolean();
    String path = ValueCodec.text(in);
    return new Field(ofKey, path, FieldType.valueOf(ValueCodec.text(in)));
  }

  static void writeFields(ObjectDataOutput out, List<Field> fields) throws IOException {
    out.writeInt(fields.size());
    for (Field field : fields) {
      write(out, field);
    }
  }

  static List<Field> readFields(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.add(readField(in));
    }
    return fields;
  }

  static void write(ObjectDataOutput out, Condition condition) throws IOException {
    switch (condition) {
      case Condition.Constant it -> {
        out.writeByte(CONSTANT);
        out.writeBoolean(it.value());
      }
      case Condition.And it -> writeParts(out, AND, it.parts());
      case Condition.Or it -> writeParts(out, OR, it.parts());
      case Condition.Not it -> {
        out.writeByte(NOT);
        write(out, it.part());
      }
      case Condition.Compare it -> {
        out.writeByte(COMPARE);
        write(out, it.field());
        out.writeString(it.comparison().name());
        ValueCodec.write(out, it.value());
      }
      case Condition.In it -> {
        out.writeByte(IN);
        write(out, it.field());
        out.writeInt(it.values().size());
        for (Object value : it.values()) {
          ValueCodec.write(out, value);
        }
      }
      case Condition.Like it -> {
        out.writeByte(LIKE);
        write(out, it.field());
        out.writeString(it.pattern());
        out.writeInt(it.escape());
        out.writeBoolean(it.ignoresCase());
      }
      case Condition.Regex it -> {
        out.writeByte(REGEX);
        write(out, it.field());
        out.writeString(it.pattern());
      }
      case Condition.IsNull it -> {
        out.writeByte(IS_NULL);
        write(out, it.field());
      }
      case Condition.InstanceOf it -> {
        out.writeByte(INSTANCE_OF);
        out.writeString(it.className());
      }
    }
  }

  private static void writeParts(ObjectDataOutput out, byte kind, List<Condition> parts)
      throws IOException {
    out.writeByte(kind);
    out.writeInt(parts.size());
    for (Condition part : parts) {
      write(out, part);
    }
  }

  static Condition read(ObjectDataInput in) throws IOException {
    return read(in, 0);
  }

  private static Condition read(ObjectDataInput in, int depth) throws IOException {
    if (depth > MOST_DEPTH) {
      throw new IOException("a condition is too deep: most=" + MOST_DEPTH);
    }
    byte kind = in.readByte();
    return switch (kind) {
      case CONSTANT -> new Condition.Constant(in.readBoolean());
      case AND -> new Condition.And(readParts(in, depth));
      case OR -> new Condition.Or(readParts(in, depth));
      case NOT -> new Condition.Not(read(in, depth + 1));
      case COMPARE -> compare(in);
      case IN -> new Condition.In(readField(in), values(in));
      case LIKE ->
          new Condition.Like(readField(in), ValueCodec.text(in), in.readInt(), in.readBoolean());
      case REGEX -> new Condition.Regex(readField(in), ValueCodec.text(in));
      case IS_NULL -> new Condition.IsNull(readField(in));
      case INSTANCE_OF -> new Condition.InstanceOf(ValueCodec.text(in));
      default -> throw new IOException("no kind of condition: " + kind);
    };
  }

  private static Condition compare(ObjectDataInput in) throws IOException {
    Field field = readField(in);
    Condition.Comparison comparison = Condition.Comparison.valueOf(ValueCodec.text(in));
    Object value = ValueCodec.read(in);
    if (value == null) {
      throw new IOException("a comparison has a value");
    }
    return new Condition.Compare(field, comparison, value);
  }

  private static Set<@Nullable Object> values(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    Set<@Nullable Object> values = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      values.add(ValueCodec.read(in));
    }
    return values;
  }

  private static List<Condition> readParts(ObjectDataInput in, int depth) throws IOException {
    int count = in.readInt();
    List<Condition> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(read(in, depth + 1));
    }
    return parts;
  }
}
