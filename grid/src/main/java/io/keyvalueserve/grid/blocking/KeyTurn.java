package io.keyvalueserve.grid.blocking;

import com.hazelcast.config.Config;
import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.util.UUIDSerializationUtil;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.blocking.WaitQueues.Ticket;
import io.keyvalueserve.maps.message.MemberMessage;
import java.io.IOException;
import java.util.UUID;

/** Tells another member of a turn at a key: that it has come, or what became of it. */
public final class KeyTurn extends MemberMessage {
  /** The factory's number in a member's configuration: "kvw" in ASCII. */
  static final int FACTORY_ID = 0x6b7677;

  /** The number of the class of {@link KeyJoin} in the factory. */
  static final int JOIN = 2;

  /** The things that are told. */
  enum Kind {
    /** Says to the one that waits that it has the turn. */
    COME(1),
    /** Says to the owner that it waits no more. */
    LEFT(2),
    /** Says to the owner that it took nothing, and waits on. */
    GIVEN_BACK(3),
    /** Says to the owner that it took something, and waits no more. */
    TAKEN(4);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    private static Kind of(int code) throws IOException {
      return switch (code) {
        case 1 -> COME;
        case 2 -> LEFT;
        case 3 -> GIVEN_BACK;
        case 4 -> TAKEN;
        default -> throw new IOException("nothing that members say about turns: kind=" + code);
      };
    }
  }

  private Kind kind = Kind.COME;
  private UUID owner = new UUID(0, 0);
  private AwaitedKey key = new AwaitedKey("", new HeapData(), 0);
  private Ticket ticket = new Ticket(0, new UUID(0, 0), 0);

  /** Creates an empty message for deserialization. */
  public KeyTurn() {
    super(FACTORY_ID);
  }

  /**
   * @param owner the member with the queue
   */
  KeyTurn(Kind kind, UUID owner, AwaitedKey key, Ticket ticket) {
    super(FACTORY_ID);
    this.kind = kind;
    this.owner = owner;
    this.key = key;
    this.ticket = ticket;
  }

  /** Makes a member understand these messages; before it starts. */
  public static void register(Config config) {
    register(config, FACTORY_ID, KeyTurn::new, KeyJoin::new);
  }

  @Override
  public void run() {
    KeyWaits waits = KeyWaits.of(getNodeEngine());
    switch (kind) {
      case COME -> waits.turnCame(owner, key, ticket);
      case LEFT -> waits.queues().leave(key, ticket, false);
      case TAKEN -> waits.queues().leave(key, ticket, true);
      case GIVEN_BACK -> waits.queues().goOn(key, ticket);
    }
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeByte(kind.code);
    UUIDSerializationUtil.writeUUID(out, owner);
    out.writeString(key.map());
    IOUtil.writeData(out, key.key());
    out.writeInt(key.type());
    KeyJoin.write(out, ticket);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    kind = Kind.of(in.readByte());
    UUID told = UUIDSerializationUtil.readUUID(in);
    String map = text(in);
    Data data = IOUtil.readData(in);
    if (told == null || data == null) {
      throw new IOException("a turn without an owner or a key");
    }
    owner = told;
    key = new AwaitedKey(map, data, in.readInt());
    ticket = KeyJoin.read(in);
  }
}
