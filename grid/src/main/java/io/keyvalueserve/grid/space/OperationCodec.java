package io.keyvalueserve.grid.space;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.ValueOperation;
import io.keyvalueserve.engine.ValueOperation.Describe.Fact;
import io.keyvalueserve.engine.value.BitField;
import io.keyvalueserve.engine.value.BitRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Operations on values between members: a byte that says which, then its parts in the record's
 * order.
 */
final class OperationCodec {
  private static final int SET_BIT = 1;
  private static final int GET_BIT = 2;
  private static final int COUNT_BITS = 3;
  private static final int FIND_BIT = 4;
  private static final int RUN_FIELDS = 5;
  private static final int ADD_TO_SKETCH = 6;
  private static final int COUNT_SKETCH = 7;
  private static final int READ_SKETCH = 8;
  private static final int MERGE_SKETCH = 9;
  private static final int DESCRIBE = 10;
  private static final int EXPORT = 11;

  private OperationCodec() {}

  static void write(ObjectDataOutput out, ValueOperation operation) throws IOException {
    switch (operation) {
      case ValueOperation.SetBit set -> {
        out.writeByte(SET_BIT);
        out.writeLong(set.offset());
        out.writeBoolean(set.on());
      }
      case ValueOperation.GetBit get -> {
        out.writeByte(GET_BIT);
        out.writeLong(get.offset());
      }
      case ValueOperation.CountBits count -> {
        out.writeByte(COUNT_BITS);
        write(out, count.range());
      }
      case ValueOperation.FindBit find -> {
        out.writeByte(FIND_BIT);
        out.writeBoolean(find.wanted());
        write(out, find.range());
        out.writeBoolean(find.isEndGiven());
      }
      case ValueOperation.RunFields run -> {
        out.writeByte(RUN_FIELDS);
        out.writeInt(run.steps().size());
        for (BitField step : run.steps()) {
          write(out, step);
        }
      }
      case ValueOperation.AddToSketch add -> {
        out.writeByte(ADD_TO_SKETCH);
        out.writeInt(add.elements().size());
        for (byte[] element : add.elements()) {
          out.writeByteArray(element);
        }
      }
      case ValueOperation.CountSketch _ -> out.writeByte(COUNT_SKETCH);
      case ValueOperation.ReadSketch _ -> out.writeByte(READ_SKETCH);
      case ValueOperation.MergeSketch merge -> {
        out.writeByte(MERGE_SKETCH);
        out.writeByteArray(merge.registers());
        out.writeBoolean(merge.dense());
      }
      case ValueOperation.Describe describe -> {
        out.writeByte(DESCRIBE);
        out.writeByte(code(describe.fact()));
      }
      case ValueOperation.Export _ -> out.writeByte(EXPORT);
    }
  }

  static ValueOperation read(ObjectDataInput in) throws IOException {
    int code = in.readByte();
    return switch (code) {
      case SET_BIT -> new ValueOperation.SetBit(in.readLong(), in.readBoolean());
      case GET_BIT -> new ValueOperation.GetBit(in.readLong());
      case COUNT_BITS -> new ValueOperation.CountBits(range(in));
      case FIND_BIT -> new ValueOperation.FindBit(in.readBoolean(), range(in), in.readBoolean());
      case RUN_FIELDS -> new ValueOperation.RunFields(fields(in));
      case ADD_TO_SKETCH -> new ValueOperation.AddToSketch(elements(in));
      case COUNT_SKETCH -> new ValueOperation.CountSketch();
      case READ_SKETCH -> new ValueOperation.ReadSketch();
      case MERGE_SKETCH -> new ValueOperation.MergeSketch(CommandCodec.bytes(in), in.readBoolean());
      case DESCRIBE -> new ValueOperation.Describe(fact(in.readByte()));
      case EXPORT -> new ValueOperation.Export();
      default -> throw new IOException("no such operation on a value: code=" + code);
    };
  }

  private static void write(ObjectDataOutput out, BitRange range) throws IOException {
    out.writeLong(range.start());
    out.writeLong(range.end());
    out.writeBoolean(range.inBits());
  }

  private static BitRange range(ObjectDataInput in) throws IOException {
    return new BitRange(in.readLong(), in.readLong(), in.readBoolean());
  }

  private static void write(ObjectDataOutput out, BitField field) throws IOException {
    out.writeByte(
        switch (field.action()) {
          case GET -> 0;
          case SET -> 1;
          case INCREMENT -> 2;
        });
    out.writeByte(
        switch (field.overflow()) {
          case WRAP -> 0;
          case SATURATE -> 1;
          case FAIL -> 2;
        });
    out.writeBoolean(field.signed());
    out.writeByte(field.bits());
    out.writeLong(field.offset());
    out.writeLong(field.operand());
  }

  private static List<BitField> fields(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    List<BitField> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int action = in.readByte();
      int overflow = in.readByte();
      fields.add(
          new BitField(
              switch (action) {
                case 0 -> BitField.Action.GET;
                case 1 -> BitField.Action.SET;
                case 2 -> BitField.Action.INCREMENT;
                default -> throw new IOException("no such action on a bit field: code=" + action);
              },
              switch (overflow) {
                case 0 -> BitField.Overflow.WRAP;
                case 1 -> BitField.Overflow.SATURATE;
                case 2 -> BitField.Overflow.FAIL;
                default -> throw new IOException("no such overflow: code=" + overflow);
              },
              in.readBoolean(),
              in.readByte(),
              in.readLong(),
              in.readLong()));
    }
    return fields;
  }

  private static List<byte[]> elements(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    List<byte[]> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      elements.add(CommandCodec.bytes(in));
    }
    return elements;
  }

  private static int code(Fact fact) {
    return switch (fact) {
      case FORM -> 0;
      case IDLE_MILLIS -> 1;
      case STORED_BYTES -> 2;
    };
  }

  private static Fact fact(int code) throws IOException {
    return switch (code) {
      case 0 -> Fact.FORM;
      case 1 -> Fact.IDLE_MILLIS;
      case 2 -> Fact.STORED_BYTES;
      default -> throw new IOException("no such fact about an entry: code=" + code);
    };
  }
}
