package io.keyvalueserve.grid.restart;

import com.hazelcast.config.Config;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.NodeEngineImpl;
import io.keyvalueserve.maps.CopiedEntry;
import io.keyvalueserve.maps.CopiedKey;
import io.keyvalueserve.maps.message.MemberMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks a member for what its copy of a partition has: entries of some keys, or all, page by page.
 */
final class CopyQuestion extends MemberMessage {
  /** The factory's number in a member's configuration: "kvh" in ASCII. */
  private static final int FACTORY_ID = 0x6b7668;

  private static final int REPLY = 2;

  private int partition;
  private boolean all;
  private String map = "";
  private long cursor;
  private Collection<CopiedKey> keys = List.of();
  private Reply reply = Reply.NOT_READY;

  /** Creates an empty question for deserialization. */
  CopyQuestion() {
    super(FACTORY_ID);
  }

  /** Asks for some of all entries, from a place on. */
  CopyQuestion(int partition, String map, long cursor) {
    this();
    this.partition = partition;
    this.all = true;
    this.map = map;
    this.cursor = cursor;
  }

  /** Asks for the entries of some keys. */
  CopyQuestion(int partition, Collection<CopiedKey> keys) {
    this();
    this.partition = partition;
    this.keys = keys;
  }

  /** The same question, to be asked anew. */
  CopyQuestion again() {
    CopyQuestion same = new CopyQuestion(partition, keys);
    same.all = all;
    same.map = map;
    same.cursor = cursor;
    return same;
  }

  /** Makes a member understand questions. */
  static void register(Config config) {
    register(config, FACTORY_ID, CopyQuestion::new, Reply::new);
  }

  @Override
  public void run() {
    NodeEngineImpl nodeEngine = (NodeEngineImpl) getNodeEngine();
    HotRestart restart = ((RestartedNode) nodeEngine.getNode().getNodeExtension()).hotRestart();
    if (restart != null) {
      reply = all ? restart.copyOf(partition, map, cursor) : restart.copyOf(partition, keys);
    }
  }

  @Override
  public Object getResponse() {
    return reply;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeInt(partition);
    out.writeBoolean(all);
    out.writeString(map);
    out.writeLong(cursor);
    writeKeys(out, keys);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    partition = in.readInt();
    all = in.readBoolean();
    map = text(in);
    cursor = in.readLong();
    keys = readKeys(in);
  }

  private static void writeKeys(ObjectDataOutput out, Collection<CopiedKey> keys)
      throws IOException {
    out.writeInt(keys.size());
    for (CopiedKey key : keys) {
      writeKey(out, key);
    }
  }

  private static Set<CopiedKey> readKeys(ObjectDataInput in) throws IOException {
    Set<CopiedKey> keys = new HashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      boolean _ = keys.add(readKey(in));
    }
    return keys;
  }

  private static void writeKey(ObjectDataOutput out, CopiedKey key) throws IOException {
    out.writeString(key.map());
    out.writeByteArray(key.bytes());
    out.writeByte(key.form());
  }

  private static CopiedKey readKey(ObjectDataInput in) throws IOException {
    return new CopiedKey(text(in), bytes(in), in.readByte());
  }

  private static byte[] bytes(ObjectDataInput in) throws IOException {
    byte[] read = in.readByteArray();
    return Objects.requireNonNullElse(read, new byte[0]);
  }

  /**
   * Tells what a copy has.
   *
   * <p>The copy may lack what its log had of keys that are {@code unsure}, and of all keys if it is
   * {@code blind}.
   */
  static final class Reply implements IdentifiedDataSerializable {
    /** The member has not loaded what it has. */
    static final Reply NOT_READY = new Reply();

    private boolean ready;
    private boolean blind;
    private Set<CopiedKey> unsure = Set.of();
    private List<CopiedEntry> entries = List.of();
    private @Nullable String nextMap;
    private long nextCursor;

    Reply() {}

    Reply(
        boolean blind,
        Set<CopiedKey> unsure,
        List<CopiedEntry> entries,
        @Nullable String nextMap,
        long nextCursor) {
      this.ready = true;
      this.blind = blind;
      this.unsure = unsure;
      this.entries = entries;
      this.nextMap = nextMap;
      this.nextCursor = nextCursor;
    }

    boolean isReady() {
      return ready;
    }

    boolean isBlind() {
      return blind;
    }

    /** Returns whether the copy certainly has what its log had of a key. */
    boolean isSureOf(CopiedKey key) {
      return !blind && !unsure.contains(key);
    }

    List<CopiedEntry> entries() {
      return entries;
    }

    @Nullable String nextMap() {
      return nextMap;
    }

    long nextCursor() {
      return nextCursor;
    }

    @Override
    public int getFactoryId() {
      return FACTORY_ID;
    }

    @Override
    public int getClassId() {
      return REPLY;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
      out.writeBoolean(ready);
      out.writeBoolean(blind);
      writeKeys(out, unsure);
      out.writeInt(entries.size());
      for (CopiedEntry entry : entries) {
        writeKey(out, entry.key());
        out.writeInt(entry.version());
        out.writeByteArray(entry.image());
      }
      out.writeString(nextMap);
      out.writeLong(nextCursor);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
      ready = in.readBoolean();
      blind = in.readBoolean();
      unsure = readKeys(in);
      int count = in.readInt();
      List<CopiedEntry> read = new ArrayList<>();
      for (int left = count; left > 0; left--) {
        read.add(new CopiedEntry(readKey(in), in.readInt(), bytes(in)));
      }
      entries = read;
      nextMap = in.readString();
      nextCursor = in.readLong();
    }
  }
}
