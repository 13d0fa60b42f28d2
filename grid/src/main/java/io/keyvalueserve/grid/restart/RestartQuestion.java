package io.keyvalueserve.grid.restart;

import com.hazelcast.cluster.Address;
import com.hazelcast.config.Config;
import com.hazelcast.internal.partition.PartitionTableView;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.NodeEngineImpl;
import io.keyvalueserve.maps.message.MemberMessage;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Asks a member how to begin, and what it has itself. */
final class RestartQuestion extends MemberMessage {
  /** The factory's number in a member's configuration: "kvr" in ASCII. */
  private static final int FACTORY_ID = 0x6b7672;

  private static final int REPLY = 2;

  private @Nullable RestartClaim claim;
  private boolean together;
  private @Nullable Reply reply;

  /** Creates an empty question for deserialization. */
  RestartQuestion() {
    super(FACTORY_ID);
  }

  /**
   * @param together whether the member that is asked has to start again, so that all begin with
   *     what they have together
   */
  RestartQuestion(RestartClaim claim, boolean together) {
    this();
    this.claim = claim;
    this.together = together;
  }

  /** Makes a member understand questions. */
  static void register(Config config) {
    register(config, FACTORY_ID, RestartQuestion::new, Reply::new);
  }

  @Override
  public void run() {
    NodeEngineImpl nodeEngine = (NodeEngineImpl) getNodeEngine();
    RestartClaim asking = claim;
    if (asking == null) {
      throw new IllegalStateException("a question without a claim");
    }
    HotRestart restart = ((RestartedNode) nodeEngine.getNode().getNodeExtension()).hotRestart();
    reply =
        restart == null
            ? new Reply(
                new RestartAnswer.Refused(
                    "the cluster's master keeps nothing on its disk; give all members --data, or"
                        + " none"),
                Set.of(),
                null)
            : restart.answer(asking, together);
  }

  @Override
  public @Nullable Object getResponse() {
    return reply;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    RestartClaim asking = claim;
    if (asking == null) {
      throw new IllegalStateException("a question without a claim");
    }
    writeClaim(out, asking);
    out.writeBoolean(together);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    claim = readClaim(in);
    together = in.readBoolean();
  }

  private static void writeClaim(ObjectDataOutput out, RestartClaim claim) throws IOException {
    writeUuid(out, claim.attempt());
    writeUuid(out, claim.member());
    out.writeString(claim.address().getHost());
    out.writeInt(claim.address().getPort());
    writeUuid(out, claim.history());
    writeTable(out, claim.table());
    out.writeString(claim.log().name());
    out.writeBoolean(claim.witness());
    writeUuids(out, claim.together());
    Forgotten forgotten = claim.forgotten();
    out.writeLong(forgotten.term());
    out.writeLong(forgotten.view());
    out.writeLong(forgotten.number());
    writeUuids(out, forgotten.members());
    writeUuids(out, claim.aliases());
  }

  private static RestartClaim readClaim(ObjectDataInput in) throws IOException {
    return new RestartClaim(
        required(readUuid(in)),
        required(readUuid(in)),
        new Address(required(in.readString()), in.readInt()),
        readUuid(in),
        readTable(in),
        state(required(in.readString())),
        in.readBoolean(),
        readUuids(in),
        new Forgotten(in.readLong(), in.readLong(), in.readLong(), readUuids(in)),
        readUuids(in));
  }

  private static LogState state(String name) throws IOException {
    try {
      return LogState.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new IOException("no state of a log: " + name, e);
    }
  }

  /**
   * An answer, whom else it is for if it is a decision, and what the member that answers has
   * itself, if it knows.
   */
  static final class Reply implements IdentifiedDataSerializable {
    private RestartAnswer answer = new RestartAnswer.Wait("");
    private Set<UUID> attempts = Set.of();
    private @Nullable RestartClaim own;

    Reply() {}

    Reply(RestartAnswer answer, Set<UUID> attempts, @Nullable RestartClaim own) {
      this.answer = answer;
      this.attempts = attempts;
      this.own = own;
    }

    RestartAnswer answer() {
      return answer;
    }

    Set<UUID> attempts() {
      return attempts;
    }

    @Nullable RestartClaim own() {
      return own;
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
      switch (answer) {
        case RestartAnswer.Wait wait -> {
          out.writeByte('w');
          out.writeString(wait.why());
        }
        case RestartAnswer.Check _ -> out.writeByte('c');
        case RestartAnswer.Refused refused -> {
          out.writeByte('x');
          out.writeString(refused.why());
        }
        case RestartAnswer.Running running -> {
          out.writeByte('r');
          writeUuid(out, running.history());
          out.writeBoolean(running.known());
        }
        case RestartAnswer.Begin begin -> {
          out.writeByte('b');
          writeUuid(out, begin.history());
          writeTable(out, begin.table());
        }
      }
      writeUuids(out, attempts);
      RestartClaim has = own;
      out.writeBoolean(has != null);
      if (has != null) {
        writeClaim(out, has);
      }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
      byte kind = in.readByte();
      answer =
          switch (kind) {
            case 'w' -> new RestartAnswer.Wait(required(in.readString()));
            case 'c' -> new RestartAnswer.Check();
            case 'x' -> new RestartAnswer.Refused(required(in.readString()));
            case 'r' -> new RestartAnswer.Running(required(readUuid(in)), in.readBoolean());
            case 'b' -> new RestartAnswer.Begin(required(readUuid(in)), tableOf(readTable(in)));
            default -> throw new IOException("no answer: " + kind);
          };
      attempts = readUuids(in);
      own = in.readBoolean() ? readClaim(in) : null;
    }
  }

  private static <T> T required(@Nullable T value) throws IOException {
    if (value == null) {
      throw new IOException("something is missing");
    }
    return value;
  }

  private static void writeUuid(ObjectDataOutput out, @Nullable UUID uuid) throws IOException {
    out.writeBoolean(uuid != null);
    if (uuid != null) {
      out.writeLong(uuid.getMostSignificantBits());
      out.writeLong(uuid.getLeastSignificantBits());
    }
  }

  private static @Nullable UUID readUuid(ObjectDataInput in) throws IOException {
    return in.readBoolean() ? new UUID(in.readLong(), in.readLong()) : null;
  }

  private static void writeUuids(ObjectDataOutput out, Set<UUID> uuids) throws IOException {
    out.writeInt(uuids.size());
    for (UUID each : uuids) {
      writeUuid(out, each);
    }
  }

  private static Set<UUID> readUuids(ObjectDataInput in) throws IOException {
    Set<UUID> read = new HashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      read.add(required(readUuid(in)));
    }
    return read;
  }

  private static void writeTable(ObjectDataOutput out, @Nullable KeptTable table)
      throws IOException {
    out.writeByteArray(table == null ? null : PartitionRows.encode(table));
  }

  private static void writeTable(ObjectDataOutput out, @Nullable PartitionTableView table)
      throws IOException {
    writeTable(out, table == null ? null : KeptTable.of(table));
  }

  private static @Nullable PartitionTableView tableOf(@Nullable KeptTable kept) {
    return kept == null ? null : kept.table();
  }

  private static @Nullable KeptTable readTable(ObjectDataInput in) throws IOException {
    byte[] bytes = in.readByteArray();
    if (bytes == null) {
      return null;
    }
    try (DataInputStream rows = new DataInputStream(new ByteArrayInputStream(bytes))) {
      return PartitionRows.read(rows);
    }
  }
}
