package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.CallStatus;
import com.hazelcast.spi.impl.operationservice.Offload;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.engine.KeyCommand;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Batches of any number of clients, for partitions of one member, in one message. There, each
 * command is carried out directly where that can be, and what is left of a part goes to its
 * partition as an operation, wherever that is by now. Answered when all parts are.
 *
 * <p>Never sent twice by itself: see {@link PartitionBatch#failedTogether}.
 */
final class MemberBatch extends Operation implements IdentifiedDataSerializable {
  private List<Part> parts;

  /** Creates an empty batch for deserialization. */
  MemberBatch() {
    this(List.of());
  }

  MemberBatch(List<Part> parts) {
    this.parts = parts;
  }

  /**
   * Commands on keys of one partition of a map, in order.
   *
   * @param tenant the number of who sends them
   */
  record Part(String map, int tenant, int partition, List<KeyCommand> commands, List<Data> keys) {}

  @Override
  public CallStatus call() {
    HazelcastEngine engine = HazelcastEngine.of(getNodeEngine());
    engine.tenure().admit(this);
    return new Offload(this) {
      @Override
      public void start() {
        new MemberBatchRun(engine, parts, this::answer).start();
      }

      private void answer(MemberBatchAnswer answer) {
        sendResponse(answer);
      }
    };
  }

  @Override
  public String getServiceName() {
    return MapService.SERVICE_NAME;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.MEMBER_BATCH;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    List<String> maps = parts.stream().map(Part::map).distinct().toList();
    Map<String, Integer> numbers = HashMap.newHashMap(maps.size());
    out.writeInt(maps.size());
    for (String map : maps) {
      numbers.put(map, numbers.size());
      out.writeString(map);
    }
    out.writeInt(parts.size());
    for (Part part : parts) {
      out.writeInt(numbers.getOrDefault(part.map(), 0));
      out.writeInt(part.tenant());
      out.writeInt(part.partition());
      out.writeInt(part.commands().size());
      for (KeyCommand command : part.commands()) {
        CommandCodec.write(out, command);
      }
    }
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    int names = in.readInt();
    List<String> maps = CommandCodec.listOf(names);
    for (int i = 0; i < names; i++) {
      maps.add(CommandCodec.present(in.readString(), "a map's name"));
    }
    int count = in.readInt();
    parts = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      parts.add(readPart(in, maps));
    }
  }

  private static Part readPart(ObjectDataInput in, List<String> maps) throws IOException {
    int number = in.readInt();
    if (number < 0 || number >= maps.size()) {
      throw new IOException("a batch has no such map: number=" + number);
    }
    String map = maps.get(number);
    int tenant = in.readInt();
    int partition = in.readInt();
    int count = in.readInt();
    List<KeyCommand> commands = CommandCodec.listOf(count);
    List<Data> keys = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      KeyCommand command = CommandCodec.read(in);
      commands.add(command);
      keys.add(KeyData.ofKey(command.key()));
    }
    return new Part(map, tenant, partition, commands, keys);
  }
}
