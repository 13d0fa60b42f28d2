package io.keyvalueserve.grid.space;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.keyvalueserve.grid.link.Answers;
import java.io.IOException;
import java.util.List;

/** The outcome of each part of a {@link MemberBatch}, in order. */
final class MemberBatchAnswer implements Answers<BatchAnswer>, IdentifiedDataSerializable {
  private List<BatchAnswer> parts;

  /** Creates an empty answer for deserialization. */
  MemberBatchAnswer() {
    this(List.of());
  }

  MemberBatchAnswer(List<BatchAnswer> parts) {
    this.parts = parts;
  }

  @Override
  public BatchAnswer of(int index) {
    return parts.get(index);
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.MEMBER_ANSWER;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeInt(parts.size());
    for (BatchAnswer part : parts) {
      part.writeData(out);
    }
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    parts = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      BatchAnswer part = new BatchAnswer();
      part.readData(in);
      parts.add(part);
    }
  }
}
