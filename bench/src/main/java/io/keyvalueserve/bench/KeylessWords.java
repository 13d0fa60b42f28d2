package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.hazelcast.client.impl.protocol.codec.ClientAuthenticationCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.internal.nio.Protocols;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Makes what peers without a key send to a door. Not thread-safe. */
final class KeylessWords {
  private static final int GARBAGE_BYTES = 64;
  private static final int SENT_OF_HALF = 100;
  private static final int GREAT_LENGTH = 16_000_000;
  private static final String WRONG_KEY = "kvs_" + "a".repeat(16) + "_" + "b".repeat(43);
  private static final int HALF_PROOF = 32;
  private static final int PROOF = 64;
  private static final byte PACKET_VERSION = 4;
  private static final int PACKET_HEADER = 11;
  private static final short FIRST_FRAME = (short) 0x8000;

  private final SplittableRandom random;
  private final byte[] protocol;
  private final Map<KeylessManner, byte[]> words = new EnumMap<>(KeylessManner.class);

  /**
   * Makes those for a door.
   *
   * @param login says the tenant that wrong keys are tried for
   */
  KeylessWords(HostileDoor door, Login login, SplittableRandom random) {
    this.random = random;
    protocol =
        door == HostileDoor.HAZELCAST ? text(Protocols.CLIENT_BINARY) : new byte[0]; // sent once
    switch (door) {
      case RESP -> resp(login.user());
      case HTTP -> http(login.user());
      case HAZELCAST -> hazelcast(login);
      case MEMBER -> member();
    }
  }

  private void resp(String tenant) {
    words.put(
        KeylessManner.HALF,
        text("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$" + GREAT_LENGTH + "\r\n" + "x".repeat(SENT_OF_HALF)));
    words.put(KeylessManner.WRONG_KEY, IsolationCommands.command("AUTH", tenant, WRONG_KEY));
    words.put(KeylessManner.UNASKED, IsolationCommands.command("GET", Load.key(0)));
  }

  private void http(String tenant) {
    String end = "\r\n";
    String host = " HTTP/1.1" + end + "Host: 127.0.0.1" + end;
    words.put(
        KeylessManner.HALF,
        text(
            ("PUT /api/v1/tenants/" + tenant + "/maps/default/entries/k" + host)
                + ("Content-Length: " + GREAT_LENGTH + end + end)
                + "x".repeat(SENT_OF_HALF)));
    words.put(
        KeylessManner.WRONG_KEY,
        text("GET /api/v1/me" + host + "Authorization: Bearer " + WRONG_KEY + end + end));
    words.put(
        KeylessManner.UNASKED,
        text("GET /api/v1/tenants/" + tenant + "/maps/default/entries/k" + host + end));
  }

  private void hazelcast(Login login) {
    ByteBuffer half = ByteBuffer.allocate(SENT_OF_HALF).order(ByteOrder.LITTLE_ENDIAN);
    half.putInt(GREAT_LENGTH).putShort(FIRST_FRAME);
    half.putInt(ClientAuthenticationCodec.REQUEST_MESSAGE_TYPE);
    words.put(KeylessManner.HALF, half.array());
    Login wrong = new Login(login.port(), login.cluster(), login.user(), WRONG_KEY);
    byte[] greeting = new HazelcastWire(wrong, 1, 1).greeting();
    byte[] request = new byte[greeting.length - protocol.length];
    System.arraycopy(greeting, protocol.length, request, 0, request.length);
    words.put(KeylessManner.WRONG_KEY, request);
    var serialization = new DefaultSerializationServiceBuilder().build();
    words.put(
        KeylessManner.UNASKED,
        HazelcastWire.encode(
            MapGetCodec.encodeRequest("bench", serialization.toData(Load.key(0)), 1)));
    serialization.dispose();
  }

  private void member() {
    words.put(KeylessManner.HALF, packet(HALF_PROOF));
    words.put(KeylessManner.WRONG_KEY, new byte[PROOF]);
    words.put(KeylessManner.UNASKED, packet(PROOF + SENT_OF_HALF));
  }

  /** A packet of Hazelcast's members, with its beginning only. */
  private static byte[] packet(int bytes) {
    ByteBuffer packet = ByteBuffer.allocate(bytes);
    packet.put(text(Protocols.CLUSTER)).put(PACKET_VERSION).putShort((short) 0).putInt(0);
    packet.putInt(packet.position() - PACKET_HEADER + GREAT_LENGTH);
    return packet.array();
  }

  private static byte[] text(String text) {
    return text.getBytes(ISO_8859_1);
  }

  /**
   * Returns what a peer of a manner sends; nothing if it is silent.
   *
   * @param first whether it has sent nothing yet
   */
  byte[] of(KeylessManner manner, boolean first) {
    byte[] said =
        switch (manner) {
          case SILENT -> new byte[0];
          case GARBAGE -> garbage();
          case DRIPS -> said(KeylessManner.UNASKED);
          case HALF, WRONG_KEY, UNASKED -> said(manner);
        };
    if (!first || protocol.length == 0 || !manner.speaksFirst() || isGarbage(manner)) {
      return said;
    }
    return ByteBuffer.allocate(protocol.length + said.length).put(protocol).put(said).array();
  }

  private static boolean isGarbage(KeylessManner manner) {
    return manner == KeylessManner.GARBAGE;
  }

  private byte[] said(KeylessManner manner) {
    byte[] known = words.get(manner);
    if (known == null) {
      throw new IllegalStateException("no words for peers that are " + manner);
    }
    return known;
  }

  private byte[] garbage() {
    byte[] bytes = new byte[GARBAGE_BYTES];
    random.nextBytes(bytes);
    return bytes;
  }
}
