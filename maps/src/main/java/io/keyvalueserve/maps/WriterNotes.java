package io.keyvalueserve.maps;

import com.hazelcast.config.Config;
import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import io.keyvalueserve.maps.message.MemberMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tells a copy of a partition which tenants wrote entries of a map that it has: Hazelcast's own
 * backups and replicas do not say that. Follows them, in order, and says the same however often it
 * is told; what it says of an entry that is not there is void.
 */
public final class WriterNotes extends MemberMessage implements AllowedDuringPassiveState {
  /** The factory's number in a member's configuration: "kvn" in ASCII. */
  private static final int FACTORY_ID = 0x6b766e;

  private String map;
  private final List<Data> keys = new ArrayList<>();
  private int[] numbers = new int[8];

  /** Creates an empty operation for deserialization. */
  WriterNotes() {
    this("");
  }

  WriterNotes(String map) {
    super(FACTORY_ID);
    this.map = map;
  }

  /** Makes a member understand this; before it starts. */
  public static void register(Config config) {
    register(config, FACTORY_ID, WriterNotes::new);
  }

  void add(Data key, int number) {
    if (keys.size() == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * numbers.length);
    }
    numbers[keys.size()] = number;
    keys.add(key);
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  /** The same for another copy. */
  WriterNotes copy() {
    WriterNotes copy = new WriterNotes(map);
    copy.keys.addAll(keys);
    copy.numbers = numbers;
    return copy;
  }

  String map() {
    return map;
  }

  @Override
  public void run() {
    NativeRecordStore store =
        KvsMapService.mapsOf(getNodeEngine()).partitions().store(map, getPartitionId());
    if (store == null) {
      return;
    }
    for (int i = 0; i < keys.size(); i++) {
      store.noteWriter(keys.get(i), numbers[i]);
    }
  }

  @Override
  public String getServiceName() {
    return MapService.SERVICE_NAME;
  }

  @Override
  public boolean returnsResponse() {
    return false;
  }

  @Override
  public boolean validatesTarget() {
    return false;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeString(map);
    out.writeInt(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      IOUtil.writeData(out, keys.get(i));
      out.writeInt(numbers[i]);
    }
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    map = text(in);
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      add(IOUtil.readData(in), in.readInt());
    }
  }
}
