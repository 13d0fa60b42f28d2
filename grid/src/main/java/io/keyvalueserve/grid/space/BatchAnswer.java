package io.keyvalueserve.grid.space;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.keyvalueserve.engine.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The outcomes of the first commands of a batch, in order. The rest was not carried out. */
final class BatchAnswer implements IdentifiedDataSerializable {
  private List<Outcome> outcomes;
  private long stamp;

  BatchAnswer() {
    this(new ArrayList<>());
  }

  BatchAnswer(List<Outcome> outcomes) {
    this(outcomes, 0);
  }

  /**
   * @param stamp the partition's when all was read: see {@link ReadTogether}
   */
  BatchAnswer(List<Outcome> outcomes, long stamp) {
    this.outcomes = outcomes;
    this.stamp = stamp;
  }

  /** Returns the partition's stamp when all was read; void if something was written. */
  long stamp() {
    return stamp;
  }

  void stamp(long next) {
    stamp = next;
  }

  void add(Outcome outcome) {
    outcomes.add(outcome);
  }

  List<Outcome> outcomes() {
    return outcomes;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.BATCH_ANSWER;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeLong(stamp);
    out.writeInt(outcomes.size());
    for (Outcome outcome : outcomes) {
      OutcomeCodec.write(out, outcome);
    }
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    stamp = in.readLong();
    int count = in.readInt();
    outcomes = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      outcomes.add(OutcomeCodec.read(in));
    }
  }
}
