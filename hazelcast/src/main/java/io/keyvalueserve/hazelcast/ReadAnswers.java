package io.keyvalueserve.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.keyvalueserve.grid.link.Answers;
import io.keyvalueserve.maps.LocalMap;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of the reads of a {@link ReadMessage}, in order: the values one behind the other.
 * Filled by one thread.
 */
final class ReadAnswers
    implements Answers<ReadAnswers.Answer>, LocalMap.DataSink, IdentifiedDataSerializable {
  static final int CLASS_ID = 2;

  /** An answer that has grown to this many bytes ends; who has asked then asks for the rest. */
  private static final int MOST_BYTES = 1 << 20;

  private static final int FIRST_BYTES = 512;

  private int[] lengths = {};
  private int count;
  private byte[] bytes = {};
  private int end;

  /** The offsets at which the values begin. Used by the thread that reads the answers. */
  private int[] offsets = {};

  /**
   * The outcome of one read.
   *
   * @param length of the serialized value, 0 if it was not asked for; {@link LocalMap#MISSING} or
   *     {@link LocalMap#NOT_NOW}
   * @param value null if there is none
   */
  record Answer(int length, byte @Nullable [] value) {}

  /** Creates room for {@code answers} answers, and drops all earlier ones. */
  void begin(int answers) {
    lengths = new int[answers];
    count = 0;
    end = 0;
  }

  /** Returns whether the answers have so many bytes that the message should end. */
  boolean isFull() {
    return end >= MOST_BYTES;
  }

  /**
   * Adds an answer, whose value is where {@link #room} made room for it.
   *
   * @param length of the value, or what is said in its place
   */
  void add(int length) {
    lengths[count++] = length;
    end += Math.max(0, length);
  }

  @Override
  public byte[] room(int length) {
    int needed = Math.addExact(end, length);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(FIRST_BYTES, Math.max(needed, 2 * bytes.length)));
    }
    return bytes;
  }

  @Override
  public int offset() {
    return end;
  }

  @Override
  public Answer of(int index) {
    int length = lengths[index];
    int from = offsets[index];
    return new Answer(length, length > 0 ? Arrays.copyOfRange(bytes, from, from + length) : null);
  }

  @Override
  public int getFactoryId() {
    return ReadMessage.factoryId();
  }

  @Override
  public int getClassId() {
    return CLASS_ID;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeInt(count);
    for (int i = 0; i < count; i++) {
      out.writeInt(lengths[i]);
    }
    out.write(bytes, 0, end);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    count = in.readInt();
    lengths = new int[count];
    offsets = new int[count];
    for (int i = 0; i < count; i++) {
      lengths[i] = in.readInt();
      offsets[i] = end;
      end += Math.max(0, lengths[i]);
    }
    bytes = new byte[end];
    in.readFully(bytes);
  }
}
