package io.keyvalueserve.grid.channel;

import io.keyvalueserve.engine.channel.ChannelCount;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Counts of subscriptions as bytes, in which they travel between members. */
final class CountCodec {
  private static final int TOO_LONG = -1;

  private CountCodec() {}

  static byte[] encode(List<ChannelCount> counts) {
    return encode(counts, Integer.MAX_VALUE);
  }

  /** Encodes counts, or that they have more bytes than a number. */
  static byte[] encode(List<ChannelCount> counts, int mostBytes) {
    long length = Integer.BYTES;
    for (ChannelCount each : counts) {
      length += Integer.BYTES + each.name().length + Long.BYTES;
    }
    if (length > mostBytes) {
      return ByteBuffer.allocate(Integer.BYTES).putInt(TOO_LONG).array();
    }
    ByteBuffer out = ByteBuffer.allocate((int) length).putInt(counts.size());
    for (ChannelCount each : counts) {
      out.putInt(each.name().length).put(each.name()).putLong(each.subscriptions());
    }
    return out.array();
  }

  /** Returns whether the bytes say that the counts have too many. */
  static boolean isTooLong(byte[] bytes) {
    return bytes.length == Integer.BYTES && ByteBuffer.wrap(bytes).getInt() == TOO_LONG;
  }

  /** Reads counts; none if the bytes are no counts. */
  static List<ChannelCount> decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    List<ChannelCount> counts = new ArrayList<>();
    try {
      int count = in.getInt();
      for (int i = 0; i < count; i++) {
        byte[] name = new byte[Math.min(in.getInt(), in.remaining())];
        in.get(name);
        counts.add(new ChannelCount(name, in.getLong()));
      }
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      return List.of();
    }
    return counts;
  }
}
