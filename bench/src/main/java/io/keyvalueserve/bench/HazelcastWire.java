package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.hazelcast.client.impl.protocol.AuthenticationStatus;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessageReader;
import com.hazelcast.client.impl.protocol.ClientMessageWriter;
import com.hazelcast.client.impl.protocol.codec.ClientAuthenticationCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.instance.BuildInfoProvider;
import com.hazelcast.internal.nio.ConnectionType;
import com.hazelcast.internal.nio.Protocols;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.util.HashUtil;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.UUID;

/**
 * The protocol of Hazelcast clients, on one map. Messages are encoded once by Hazelcast's own
 * codecs; of a copy only correlation id, partition id and key are changed:
 *
 * <pre>
 * | length 4 | flags 2 | type 4 | correlation 8 | partition 4 | ... |   the first frame of a request
 * | length 4 | flags 2 | content                                    |   each further frame
 * </pre>
 *
 * All numbers are little-endian.
 */
final class HazelcastWire implements Wire {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int FLAGS = Integer.BYTES;
  private static final int CONTENT = ClientMessage.SIZE_OF_FRAME_LENGTH_AND_FLAGS;
  private static final int TYPE = CONTENT + ClientMessage.TYPE_FIELD_OFFSET;
  private static final int CORRELATION = CONTENT + ClientMessage.CORRELATION_ID_FIELD_OFFSET;
  private static final int PARTITION = CONTENT + ClientMessage.PARTITION_ID_FIELD_OFFSET;
  private static final int REPLY_HEAD =
      CONTENT + ClientMessage.RESPONSE_BACKUP_ACKS_FIELD_OFFSET + 1;
  private static final String USUAL_MAP = "bench";
  private static final int THREAD = 1;
  private static final byte SINGLE_MEMBER = 0;

  private final Login login;
  private final Template get;
  private final Template set;
  private final int hit;
  private final int[] hashes;
  private final int[] partitions;
  private int partitionCount;

  /**
   * That of the map {@code bench}.
   *
   * @param entries how many keys there are
   * @param valueBytes the size of a value
   */
  HazelcastWire(Login login, int entries, int valueBytes) {
    this(login, USUAL_MAP, entries, valueBytes);
  }

  /**
   * @param map its name, as the client says it
   * @param entries how many keys there are
   * @param valueBytes the size of a value
   */
  HazelcastWire(Login login, String map, int entries, int valueBytes) {
    this.login = login;
    InternalSerializationService serialization = new DefaultSerializationServiceBuilder().build();
    Data key = serialization.toData(Load.key(0));
    Data value = serialization.toData(Load.text(valueBytes).getBytes(US_ASCII));
    byte[] getBytes = encode(MapGetCodec.encodeRequest(map, key, THREAD));
    byte[] setBytes = encode(MapSetCodec.encodeRequest(map, key, value, THREAD, -1));
    get = new Template(getBytes, getBytes.length);
    set = new Template(setBytes, setBytes.length - CONTENT - value.toByteArray().length);
    hit = REPLY_HEAD + CONTENT + value.toByteArray().length;
    hashes = new int[entries];
    for (int i = 0; i < entries; i++) {
      hashes[i] = serialization.toData(Load.key(i)).getPartitionHash();
    }
    partitions = new int[entries];
    serialization.dispose();
  }

  @Override
  public byte[] greeting() {
    byte[] protocol = Protocols.CLIENT_BINARY.getBytes(US_ASCII);
    boolean known = !login.user().isEmpty();
    byte[] request =
        encode(
            ClientAuthenticationCodec.encodeRequest(
                login.cluster(),
                known ? login.user() : null,
                known ? login.password() : null,
                UUID.randomUUID(),
                ConnectionType.JAVA_CLIENT,
                InternalSerializationService.VERSION_1,
                BuildInfoProvider.getBuildInfo().getVersion(),
                "raw",
                List.of(),
                SINGLE_MEMBER,
                false));
    return ByteBuffer.allocate(protocol.length + request.length).put(protocol).put(request).array();
  }

  @Override
  public int greeted(byte[] in, int from, int to) {
    ByteBuffer bytes = ByteBuffer.wrap(in, from, to - from);
    ClientMessageReader reader = new ClientMessageReader(Integer.MAX_VALUE);
    if (!reader.readFrom(bytes, true)) {
      return 0;
    }
    ClientMessage answer = reader.getClientMessage();
    refuseError(answer);
    ClientAuthenticationCodec.ResponseParameters parameters =
        ClientAuthenticationCodec.decodeResponse(answer);
    AuthenticationStatus status = AuthenticationStatus.getById(parameters.status);
    if (status != AuthenticationStatus.AUTHENTICATED) {
      throw new BenchException("the member refused the client: " + status);
    }
    spread(parameters.partitionCount);
    return bytes.position() - from;
  }

  /** Tells keys their partitions. All connections hear of the same number. */
  private void spread(int count) {
    if (count == partitionCount) {
      return;
    }
    partitionCount = count;
    for (int i = 0; i < hashes.length; i++) {
      partitions[i] = HashUtil.hashToIndex(hashes[i], count);
    }
  }

  @Override
  public int longestRequest() {
    return set.length();
  }

  @Override
  public int longestReply() {
    return hit;
  }

  @Override
  public int put(byte[] out, int at, int key, boolean read, long sequence) {
    int end = (read ? get : set).put(out, at, key);
    LONG.set(out, at + CORRELATION, sequence + 1);
    INT.set(out, at + PARTITION, partitions[key]);
    return end;
  }

  @Override
  public int reply(byte[] in, int from, int to) {
    int there = to - from;
    if (there < REPLY_HEAD) {
      return 0;
    }
    int type = (int) INT.get(in, from + TYPE);
    if (type == MapSetCodec.RESPONSE_MESSAGE_TYPE) {
      return REPLY_HEAD;
    }
    if (type != MapGetCodec.RESPONSE_MESSAGE_TYPE) {
      throw wrong(in, from, to);
    }
    if (there < REPLY_HEAD + CONTENT) {
      return 0;
    }
    int second = from + REPLY_HEAD;
    if (((short) SHORT.get(in, second + FLAGS) & ClientMessage.IS_NULL_FLAG) != 0) {
      throw new BenchException("a key was missing on the server");
    }
    if ((int) INT.get(in, second) != hit - REPLY_HEAD) {
      throw new BenchException("the server returned a value of another size");
    }
    return there < hit ? 0 : hit;
  }

  /**
   * The length of the message that is there, whatever it says, in bytes; 0 if it is not all there.
   */
  static int length(byte[] in, int from, int to) {
    ByteBuffer bytes = ByteBuffer.wrap(in, from, to - from);
    return new ClientMessageReader(Integer.MAX_VALUE).readFrom(bytes, true)
        ? bytes.position() - from
        : 0;
  }

  private static BenchException wrong(byte[] in, int from, int to) {
    ClientMessageReader reader = new ClientMessageReader(Integer.MAX_VALUE);
    if (reader.readFrom(ByteBuffer.wrap(in, from, to - from), true)) {
      refuseError(reader.getClientMessage());
    }
    return new BenchException(
        "the server sent a message of type " + Integer.toHexString((int) INT.get(in, from + TYPE)));
  }

  private static void refuseError(ClientMessage message) {
    if (message.getMessageType() == ErrorsCodec.EXCEPTION_MESSAGE_TYPE) {
      var first = ErrorsCodec.decode(message).getFirst();
      throw new BenchException(
          "the server answered: " + first.getClassName() + ": " + first.getMessage());
    }
  }

  static byte[] encode(ClientMessage message) {
    ByteBuffer bytes = ByteBuffer.allocate(message.getFrameLength());
    new ClientMessageWriter().writeTo(bytes, message);
    return bytes.array();
  }
}
