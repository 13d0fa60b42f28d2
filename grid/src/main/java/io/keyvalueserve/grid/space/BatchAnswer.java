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

  BatchAnswer() {
    this(new ArrayList<>());
  }

  BatchAnswer(List<Outcome> outcomes) {
    this.outcomes = outcomes;
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
    out.writeInt(outcomes.size());
    for (Outcome outcome : outcomes) {
      OutcomeCodec.write(out, outcome);
    }
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    outcomes = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      outcomes.add(OutcomeCodec.read(in));
    }
  }
}
