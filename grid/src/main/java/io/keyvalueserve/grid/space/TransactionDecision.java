package io.keyvalueserve.grid.space;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The outcome of a transaction: nothing, or the changes of all its partitions. */
final class TransactionDecision implements IdentifiedDataSerializable {
  private static final int ABORTED = 0;
  private static final int COMMITTED = 1;
  private static final int COMMITTED_APART = 2;

  private boolean committed;
  private boolean apart;
  private long decidedMillis;
  private List<Part> parts = List.of();

  /** Creates the decision that nothing is done, and one for deserialization. */
  TransactionDecision() {}

  /**
   * @param decidedMillis when it is decided, in milliseconds since 1970
   */
  TransactionDecision(List<Part> parts, long decidedMillis) {
    this(parts, decidedMillis, false);
  }

  /**
   * @param apart whether some parts are, or were, recorded apart from the others
   */
  TransactionDecision(List<Part> parts, long decidedMillis, boolean apart) {
    this.committed = true;
    this.decidedMillis = decidedMillis;
    this.apart = apart;
    this.parts = parts;
  }

  /**
   * The changes in one partition of a map.
   *
   * @param tenant the number of who changes it
   */
  record Part(KeyGroup group, int tenant, List<KeyChange> changes) {}

  boolean isCommitted() {
    return committed;
  }

  /**
   * Returns when it was decided, by the coordinator's clock, in milliseconds since 1970: the time
   * of all changes; 0 if the transaction was aborted.
   */
  long decidedMillis() {
    return decidedMillis;
  }

  /** Returns whether some parts are, or were, recorded apart: see {@link TransactionDecisions}. */
  boolean isApart() {
    return apart;
  }

  List<Part> parts() {
    return parts;
  }

  /** Returns the groups with their parts. */
  Map<KeyGroup, Part> byGroup() {
    Map<KeyGroup, Part> byGroup = new TreeMap<>();
    parts.forEach(part -> byGroup.put(part.group(), part));
    return byGroup;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.TRANSACTION_DECISION;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeByte(committed ? (apart ? COMMITTED_APART : COMMITTED) : ABORTED);
    out.writeLong(decidedMillis);
    List<String> maps = parts.stream().map(part -> part.group().map()).distinct().toList();
    Map<String, Integer> numbers = HashMap.newHashMap(maps.size());
    out.writeInt(maps.size());
    for (String map : maps) {
      numbers.put(map, numbers.size());
      out.writeString(map);
    }
    out.writeInt(parts.size());
    for (Part part : parts) {
      out.writeInt(numbers.getOrDefault(part.group().map(), 0));
      out.writeInt(part.group().partition());
      out.writeInt(part.tenant());
      out.writeInt(part.changes().size());
      for (KeyChange change : part.changes()) {
        change.write(out);
      }
    }
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    int outcome = in.readByte();
    committed = outcome != ABORTED;
    apart = outcome == COMMITTED_APART;
    decidedMillis = in.readLong();
    int names = in.readInt();
    List<String> maps = CommandCodec.listOf(names);
    for (int i = 0; i < names; i++) {
      maps.add(CommandCodec.present(in.readString(), "a map's name"));
    }
    int count = in.readInt();
    parts = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      int map = in.readInt();
      if (map < 0 || map >= maps.size()) {
        throw new IOException("a decision has no such map: number=" + map);
      }
      KeyGroup group = new KeyGroup(maps.get(map), in.readInt());
      int tenant = in.readInt();
      int size = in.readInt();
      List<KeyChange> changes = CommandCodec.listOf(size);
      for (int j = 0; j < size; j++) {
        changes.add(KeyChange.read(in));
      }
      parts.add(new Part(group, tenant, changes));
    }
  }
}
