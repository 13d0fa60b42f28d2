package io.keyvalueserve.grid.channel;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.keyvalueserve.grid.link.Answers;
import java.io.IOException;

/** The number of receivers of each message of a {@link ChannelMessage}, in order. */
final class ChannelAnswers implements Answers<Long>, IdentifiedDataSerializable {
  private long[] receivers;

  /** Creates an empty answer for deserialization. */
  ChannelAnswers() {
    this(new long[0]);
  }

  ChannelAnswers(long[] receivers) {
    this.receivers = receivers;
  }

  @Override
  public Long of(int index) {
    return receivers[index];
  }

  @Override
  public int getFactoryId() {
    return ChannelMessage.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return ChannelMessage.ANSWERS;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeLongArray(receivers);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    long[] read = in.readLongArray();
    receivers = read == null ? new long[0] : read;
  }
}
