package io.keyvalueserve.resp.channel;

import java.util.Arrays;

/** The name of a channel, or a pattern, as a key of maps. The bytes must not change. */
final class ChannelName {
  private final byte[] bytes;
  private final int hash;

  ChannelName(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  /** Returns the bytes, which must not be changed. */
  byte[] bytes() {
    return bytes;
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChannelName name
        && hash == name.hash
        && Arrays.equals(bytes, name.bytes);
  }
}
