package io.keyvalueserve.grid.quorum;

import com.hazelcast.config.Config;
import com.hazelcast.internal.cluster.impl.operations.JoinOperation;
import com.hazelcast.internal.util.UUIDSerializationUtil;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.NodeEngineImpl;
import io.keyvalueserve.maps.message.MemberMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Carries a {@link QuorumAsk}, a {@link QuorumAnswer} or a {@link QuorumStarting}. Nobody waits for
 * it; it may be lost. It also passes between members that are in each other's list no longer, as a
 * request to join does.
 */
public final class QuorumMessage extends MemberMessage implements JoinOperation {
  /** The factory's number in a member's configuration: "kvv" in ASCII. */
  private static final int FACTORY_ID = 0x6b7676;

  private static final byte ASK = 1;
  private static final byte ANSWER = 2;
  private static final byte STARTING = 3;
  private static final int MOST_VOTERS = 10_000;

  private @Nullable Record said;

  /** Creates an empty message for deserialization. */
  public QuorumMessage() {
    super(FACTORY_ID);
  }

  /**
   * @param said a {@link QuorumAsk}, a {@link QuorumAnswer} or a {@link QuorumStarting}
   */
  QuorumMessage(Record said) {
    this();
    this.said = said;
  }

  /** A member's node extension, as far as it takes these messages. */
  public interface Receiver {
    /** Returns what takes them in. */
    QuorumKeeper quorum();
  }

  /** Makes a member understand these messages; before it starts. */
  public static void register(Config config) {
    register(config, FACTORY_ID, QuorumMessage::new);
  }

  @Override
  public void run() {
    NodeEngineImpl nodeEngine = (NodeEngineImpl) getNodeEngine();
    Receiver receiver = (Receiver) nodeEngine.getNode().getNodeExtension();
    if (said != null) {
      receiver.quorum().hear(said, getCallerAddress());
    }
  }

  @Override
  public boolean returnsResponse() {
    return false;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    switch (said) {
      case QuorumAsk ask -> {
        out.writeByte(ASK);
        write(ask.standing(), out);
        out.writeLong(ask.sentNanos());
        MembersView.Stamp promise = ask.promise();
        out.writeBoolean(promise != null);
        if (promise != null) {
          out.writeLong(promise.version());
          UUIDSerializationUtil.writeUUID(out, promise.master());
        }
      }
      case QuorumAnswer answer -> {
        out.writeByte(ANSWER);
        write(answer.standing(), out);
        out.writeLong(answer.askedNanos());
        out.writeBoolean(answer.isMember());
        out.writeBoolean(answer.grants());
        out.writeLong(answer.label());
        out.writeBoolean(answer.passed());
      }
      case QuorumStarting _ -> out.writeByte(STARTING);
      case null, default -> throw new IOException("nothing that members say: " + said);
    }
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    byte kind = in.readByte();
    said =
        switch (kind) {
          case ASK -> new QuorumAsk(readStanding(in), in.readLong(), readPromise(in));
          case ANSWER ->
              new QuorumAnswer(
                  readStanding(in),
                  in.readLong(),
                  in.readBoolean(),
                  in.readBoolean(),
                  in.readLong(),
                  in.readBoolean());
          case STARTING -> new QuorumStarting();
          default -> throw new IOException("nothing that members say: kind=" + kind);
        };
  }

  private static MembersView.@Nullable Stamp readPromise(ObjectDataInput in) throws IOException {
    return in.readBoolean() ? new MembersView.Stamp(in.readLong(), readUuid(in)) : null;
  }

  private static void write(Standing standing, ObjectDataOutput out) throws IOException {
    UUIDSerializationUtil.writeUUID(out, standing.member());
    VoterSet set = standing.set();
    out.writeBoolean(set != null);
    if (set != null) {
      write(set, out);
    }
    out.writeLong(standing.view());
    UUIDSerializationUtil.writeUUID(out, standing.master());
    out.writeString(standing.masterAddress());
    out.writeInt(standing.members());
    out.writeBoolean(standing.leases());
    out.writeBoolean(standing.fresh());
    out.writeBoolean(standing.leaving());
    out.writeInt(standing.silent().size());
    for (UUID silent : standing.silent()) {
      UUIDSerializationUtil.writeUUID(out, silent);
    }
  }

  private static Standing readStanding(ObjectDataInput in) throws IOException {
    return new Standing(
        readUuid(in),
        in.readBoolean() ? readSet(in) : null,
        in.readLong(),
        readUuid(in),
        text(in),
        in.readInt(),
        in.readBoolean(),
        in.readBoolean(),
        in.readBoolean(),
        readSilent(in));
  }

  private static Set<UUID> readSilent(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > MOST_VOTERS) {
      throw new IOException("0 to " + MOST_VOTERS + " members can be silent: " + count);
    }
    Set<UUID> silent = new HashSet<>();
    for (int i = 0; i < count; i++) {
      silent.add(readUuid(in));
    }
    return silent;
  }

  private static void write(VoterSet set, ObjectDataOutput out) throws IOException {
    UUIDSerializationUtil.writeUUID(out, set.origin());
    out.writeLong(set.term());
    out.writeLong(set.view());
    out.writeLong(set.number());
    UUIDSerializationUtil.writeUUID(out, set.proposer());
    out.writeBoolean(set.consistent());
    out.writeInt(set.voters().size());
    for (Map.Entry<UUID, String> voter : set.voters().entrySet()) {
      UUIDSerializationUtil.writeUUID(out, voter.getKey());
      out.writeString(voter.getValue());
    }
    out.writeInt(set.forgotten().size());
    for (UUID member : set.forgotten()) {
      UUIDSerializationUtil.writeUUID(out, member);
    }
  }

  private static VoterSet readSet(ObjectDataInput in) throws IOException {
    UUID origin = readUuid(in);
    long term = in.readLong();
    long view = in.readLong();
    long number = in.readLong();
    UUID proposer = readUuid(in);
    boolean consistent = in.readBoolean();
    int count = in.readInt();
    if (count < 1 || count > MOST_VOTERS) {
      throw new IOException("a set has 1 to " + MOST_VOTERS + " voters: " + count);
    }
    TreeMap<UUID, String> voters = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      voters.put(readUuid(in), text(in));
    }
    return new VoterSet(
        origin, term, view, number, proposer, consistent, voters, readForgotten(in));
  }

  private static List<UUID> readForgotten(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > VoterSet.MOST_FORGOTTEN) {
      throw new IOException(
          "0 to " + VoterSet.MOST_FORGOTTEN + " members can be forgotten: " + count);
    }
    List<UUID> forgotten = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      forgotten.add(readUuid(in));
    }
    return forgotten;
  }

  private static UUID readUuid(ObjectDataInput in) throws IOException {
    UUID read = UUIDSerializationUtil.readUUID(in);
    if (read == null) {
      throw new IOException("an id is missing");
    }
    return read;
  }
}
