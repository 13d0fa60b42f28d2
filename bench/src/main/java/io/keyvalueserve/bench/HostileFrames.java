package io.keyvalueserve.bench;

import com.hazelcast.client.impl.protocol.ClientMessage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Changes valid messages of the protocol of Hazelcast clients: lengths, flags, types, counts,
 * nesting and order of their frames.
 *
 * <pre>
 *   frame   length (4), flags (2), content          little-endian
 * </pre>
 */
final class HostileFrames {
  private static final int HEAD = ClientMessage.SIZE_OF_FRAME_LENGTH_AND_FLAGS;

  private HostileFrames() {}

  /** Returns the message, most often changed. */
  static HostileInput change(String name, byte[] message, HostileDice dice) {
    List<byte[]> frames = frames(message);
    int some = dice.below(frames.size());
    String kind =
        switch (dice.below(14)) {
          case 0 -> {
            number(frames.get(some)).putInt(0, dice.edge());
            yield "/frame-length";
          }
          case 1 -> {
            number(frames.get(some)).putShort(4, (short) dice.below(1 << 16));
            yield "/flags";
          }
          case 2 -> {
            frames.remove(some);
            yield "/frame-missing";
          }
          case 3 -> {
            frames.add(some, frames.get(some));
            yield "/frame-twice";
          }
          case 4 -> {
            Collections.swap(frames, some, dice.below(frames.size()));
            yield "/frame-order";
          }
          case 5 -> {
            int type = dice.chance(0.5) ? dice.below(1 << 10) << 8 : dice.edge();
            number(frames.getFirst()).putInt(HEAD, type);
            yield "/type";
          }
          case 6 -> {
            count(frames.get(some), dice);
            yield "/count";
          }
          case 7 -> {
            nest(frames, some, dice);
            yield "/nesting";
          }
          case 8 -> {
            // begins and goes on, but is never the last of its fragments
            number(frames.getFirst()).putShort(4, (short) ClientMessage.BEGIN_FRAGMENT_FLAG);
            yield "/fragment";
          }
          case 9 -> {
            frames.set(some, dice.flipped(frames.get(some)));
            yield "/bytes";
          }
          default -> "/valid";
        };
    return new HostileInput(name + kind, join(frames));
  }

  private static void count(byte[] frame, HostileDice dice) {
    int room = frame.length - HEAD - Integer.BYTES;
    if (room >= 0) {
      number(frame).putInt(HEAD + dice.below(room + 1), dice.edge());
    }
  }

  private static void nest(List<byte[]> frames, int at, HostileDice dice) {
    byte[] begin = new byte[HEAD];
    number(begin).putInt(0, HEAD).putShort(4, (short) ClientMessage.BEGIN_DATA_STRUCTURE_FLAG);
    frames.addAll(at, Collections.nCopies(dice.below(100 * dice.force().depth()), begin));
  }

  private static List<byte[]> frames(byte[] message) {
    List<byte[]> frames = new ArrayList<>();
    ByteBuffer in = number(message);
    while (in.hasRemaining()) {
      byte[] frame = new byte[in.getInt(in.position())];
      in.get(frame);
      frames.add(frame);
    }
    return frames;
  }

  private static byte[] join(List<byte[]> frames) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    frames.forEach(out::writeBytes);
    return out.toByteArray();
  }

  private static ByteBuffer number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
