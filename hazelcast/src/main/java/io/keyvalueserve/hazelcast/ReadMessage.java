package io.keyvalueserve.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.maps.LocalMap;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.Writers;
import io.keyvalueserve.maps.message.MemberMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads of any number of clients, of entries that one member has, in one message. What that member
 * cannot answer at once is not answered.
 */
final class ReadMessage extends MemberMessage {
  /** The factory's number in a member's configuration: "kvd" in ASCII. */
  private static final int FACTORY_ID = 0x6b7664;

  private String[] maps = {};
  private int[] mapOf = {};
  private int[] partitions = {};
  private boolean[] wantsValue = {};
  private byte[][] keys = {};
  private ReadAnswers answers = new ReadAnswers();

  /** Without reads; they are put in, or read. */
  private ReadMessage() {
    super(FACTORY_ID);
  }

  /** Makes a member understand it; before it starts. */
  static void register(Config config) {
    register(config, FACTORY_ID, ReadMessage::new, ReadAnswers::new);
  }

  static int factoryId() {
    return FACTORY_ID;
  }

  /** A message with these. */
  static ReadMessage of(List<RemoteRead> reads) {
    ReadMessage message = new ReadMessage();
    message.begin(reads.size());
    Map<String, Integer> numbers = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < reads.size(); i++) {
      RemoteRead read = reads.get(i);
      Integer number = numbers.putIfAbsent(read.map(), names.size());
      if (number == null) {
        number = names.size();
        names.add(read.map());
      }
      message.mapOf[i] = number;
      message.partitions[i] = read.partition();
      message.wantsValue[i] = read.wantsValue();
      message.keys[i] = read.key();
    }
    message.maps = names.toArray(String[]::new);
    return message;
  }

  private void begin(int count) {
    mapOf = new int[count];
    partitions = new int[count];
    wantsValue = new boolean[count];
    keys = new byte[count][];
  }

  @Override
  public void run() {
    NativeMaps member = KvsMapService.mapsOf(getNodeEngine());
    member.tenure().admit(this);
    LocalMap[] local = new LocalMap[maps.length];
    for (int i = 0; i < local.length; i++) {
      local[i] = member.local().of(maps[i], Writers.OWNER);
    }
    int count = getNodeEngine().getPartitionService().getPartitionCount();
    answers.begin(keys.length);
    for (int i = 0; i < keys.length; i++) {
      int partition = partitions[i];
      if (answers.isFull() || partition < 0 || partition >= count) {
        answers.add(LocalMap.NOT_NOW);
      } else if (wantsValue[i]) {
        answers.add(local[mapOf[i]].get(partition, keys[i], 0, keys[i].length, answers));
      } else {
        int is = local[mapOf[i]].contains(partition, keys[i], 0, keys[i].length);
        answers.add(is > 0 ? 0 : is);
      }
    }
  }

  @Override
  public Object getResponse() {
    return answers;
  }

  @Override
  public String getServiceName() {
    return MapService.SERVICE_NAME;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeStringArray(maps);
    out.writeInt(keys.length);
    for (int i = 0; i < keys.length; i++) {
      out.writeInt(mapOf[i]);
      out.writeInt(partitions[i]);
      out.writeBoolean(wantsValue[i]);
      out.writeByteArray(keys[i]);
    }
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    maps = present(in.readStringArray());
    begin(in.readInt());
    for (int i = 0; i < keys.length; i++) {
      mapOf[i] = in.readInt();
      partitions[i] = in.readInt();
      wantsValue[i] = in.readBoolean();
      keys[i] = present(in.readByteArray());
    }
  }

  private static <T> T present(@Nullable T read) throws IOException {
    if (read == null) {
      throw new IOException("a message of another member lacks a part");
    }
    return read;
  }
}
