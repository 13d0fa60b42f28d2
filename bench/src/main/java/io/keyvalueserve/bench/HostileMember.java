package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Inputs for the member port, from a peer without the cluster secret: the handshake of members,
 * packets as Hazelcast's members send them, and what other protocols begin with.
 *
 * <pre>
 *   handshake   nonce (32), proof (32)
 *   packets     "HZC", then each: version (1), flags (2), partition (4), length (4), content
 * </pre>
 */
final class HostileMember implements HostileGrammar {
  private static final int PROOF = 64;
  private static final byte VERSION = 4;
  private static final List<String> BEGINNINGS =
      List.of(
          "HZC",
          "HZX",
          "CP2",
          "TLS",
          "GET / HTTP/1.1\r\n\r\n",
          "POST /hazelcast/rest/",
          "\u0016\u0003\u0001");

  @Override
  public HostileDoor door() {
    return HostileDoor.MEMBER;
  }

  @Override
  public HostileInput draw(HostileDice dice, boolean known) {
    return switch (dice.below(6)) {
      case 0 -> new HostileInput("handshake/forged", dice.bytes(PROOF));
      case 1 -> new HostileInput("handshake/zero", new byte[PROOF]);
      case 2 -> new HostileInput("handshake/short", dice.bytes(dice.below(PROOF)));
      case 3 -> new HostileInput("handshake/then-packets", join(dice.bytes(PROOF), packets(dice)));
      case 4 -> new HostileInput("packets/without-handshake", packets(dice));
      default ->
          new HostileInput(
              "beginning",
              join(dice.pick(BEGINNINGS).getBytes(ISO_8859_1), dice.bytes(dice.below(200))));
    };
  }

  private static byte[] packets(HostileDice dice) {
    ByteBuffer out = ByteBuffer.allocate(8_192);
    out.put("HZC".getBytes(ISO_8859_1));
    for (int left = 1 + dice.below(20); left > 0; left--) {
      byte[] content = dice.bytes(dice.below(300));
      out.put(dice.chance(0.9) ? VERSION : (byte) dice.below(256));
      out.putShort((short) dice.below(1 << 16));
      out.putInt(dice.chance(0.5) ? -1 : dice.edge());
      out.putInt(dice.chance(0.5) ? content.length : dice.edge());
      out.put(content);
    }
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }

  private static byte[] join(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }
}
