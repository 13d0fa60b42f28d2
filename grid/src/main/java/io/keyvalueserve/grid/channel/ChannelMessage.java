package io.keyvalueserve.grid.channel;

import com.hazelcast.config.Config;
import com.hazelcast.internal.util.UUIDSerializationUtil;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.hazelcast.spi.impl.NodeEngineImpl;
import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.engine.channel.ChannelQuestion;
import io.keyvalueserve.maps.message.MemberMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tells another member about channels, or asks it. Its answer comes later. */
public final class ChannelMessage extends MemberMessage implements AllowedDuringPassiveState {
  /** The factory's number in a member's configuration: "kvp" in ASCII. */
  static final int FACTORY_ID = 0x6b7670;

  /** The number of the class of {@link ChannelAnswers} in the factory. */
  static final int ANSWERS = 2;

  private static final byte PUBLISHED = 1;
  private static final byte INTEREST = 2;
  private static final byte QUESTION = 3;

  private byte kind;
  private List<Part> parts = List.of();
  private @Nullable Interest interest;
  private int tenant;
  private @Nullable ChannelQuestion question;

  /** A published message. */
  record Part(int tenant, boolean sharded, byte[] channel, byte[] payload) {}

  /**
   * The tenants with subscribers at a member.
   *
   * @param member the member that tells it
   * @param number rises with each message of the member
   * @param isWhole whether these are all tenants with subscribers there; else what has changed
   * @param listening the numbers of tenants that have subscribers there
   * @param silent the numbers of those that have none any more
   */
  record Interest(UUID member, long number, boolean isWhole, int[] listening, int[] silent) {}

  /** Creates an empty message for deserialization. */
  public ChannelMessage() {
    super(FACTORY_ID);
  }

  /** Messages that clients have published; answered by {@link ChannelAnswers}. */
  static ChannelMessage published(List<Part> parts) {
    ChannelMessage message = new ChannelMessage();
    message.kind = PUBLISHED;
    message.parts = parts;
    return message;
  }

  /** The tenants with subscribers; answered by one of {@link GridChannelBus.Heard}. */
  static ChannelMessage of(Interest interest) {
    ChannelMessage message = new ChannelMessage();
    message.kind = INTEREST;
    message.interest = interest;
    return message;
  }

  /** A question about a tenant's subscriptions; answered as {@link CountCodec} has it. */
  static ChannelMessage of(int tenant, ChannelQuestion question) {
    ChannelMessage message = new ChannelMessage();
    message.kind = QUESTION;
    message.tenant = tenant;
    message.question = question;
    return message;
  }

  /** A member's node extension, as far as it takes these messages. */
  public interface Receiver {
    /** Returns the bus of this member; null while the member starts. */
    @Nullable GridChannelBus channels();
  }

  /** Makes a member understand these messages; before it starts. */
  public static void register(Config config) {
    register(config, FACTORY_ID, ChannelMessage::new, ChannelAnswers::new);
  }

  @Override
  public void run() {
    NodeEngineImpl nodeEngine = (NodeEngineImpl) getNodeEngine();
    GridChannelBus bus = ((Receiver) nodeEngine.getNode().getNodeExtension()).channels();
    switch (kind) {
      case PUBLISHED -> {
        if (bus == null) {
          sendResponse(new ChannelAnswers(new long[parts.size()]));
        } else {
          bus.deliver(parts, this::sendResponse);
        }
      }
      case INTEREST ->
          sendResponse(
              bus == null || interest == null
                  ? GridChannelBus.Heard.LATER.code()
                  : bus.hear(interest).code());
      default -> {
        ChannelQuestion asked = question;
        if (bus == null || asked == null) {
          sendResponse(CountCodec.encode(List.of()));
        } else {
          bus.answer(tenant, asked, this::sendResponse);
        }
      }
    }
  }

  @Override
  public boolean returnsResponse() {
    return false; // it comes later
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeByte(kind);
    Interest told = interest;
    ChannelQuestion asked = question;
    if (told != null) {
      UUIDSerializationUtil.writeUUID(out, told.member());
      out.writeLong(told.number());
      out.writeBoolean(told.isWhole());
      out.writeIntArray(told.listening());
      out.writeIntArray(told.silent());
    } else if (asked != null) {
      out.writeInt(tenant);
      out.writeByte(asked.kind().code());
      out.writeByteArray(asked.pattern());
      out.writeInt(asked.names().size());
      for (byte[] name : asked.names()) {
        out.writeByteArray(name);
      }
    } else {
      out.writeInt(parts.size());
      for (Part part : parts) {
        out.writeInt(part.tenant());
        out.writeBoolean(part.sharded());
        out.writeByteArray(part.channel());
        out.writeByteArray(part.payload());
      }
    }
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    kind = in.readByte();
    switch (kind) {
      case INTEREST ->
          interest =
              new Interest(
                  UUIDSerializationUtil.readUUID(in),
                  in.readLong(),
                  in.readBoolean(),
                  numbers(in),
                  numbers(in));
      case QUESTION -> {
        tenant = in.readInt();
        ChannelKind asked = ChannelKind.ofCode(in.readByte());
        byte[] pattern = in.readByteArray();
        int count = in.readInt();
        List<byte[]> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          names.add(bytes(in));
        }
        question = new ChannelQuestion(asked, pattern, names);
      }
      case PUBLISHED -> {
        int count = in.readInt();
        parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          parts.add(new Part(in.readInt(), in.readBoolean(), bytes(in), bytes(in)));
        }
      }
      default -> throw new IOException("nothing that members say about channels: kind=" + kind);
    }
  }

  private static int[] numbers(ObjectDataInput in) throws IOException {
    int[] read = in.readIntArray();
    return read == null ? new int[0] : read;
  }

  private static byte[] bytes(ObjectDataInput in) throws IOException {
    byte[] read = in.readByteArray();
    return read == null ? new byte[0] : read;
  }
}
