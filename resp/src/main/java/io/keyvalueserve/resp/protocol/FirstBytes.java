package io.keyvalueserve.resp.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Recognises clients of other protocols by the first bytes of a connection. Reads nothing: the
 * bytes stay for the decoder. One connection's, one thread at a time.
 */
public final class FirstBytes {
  /** The protocol that a connection speaks, as far as its first bytes tell. */
  public enum Protocol {
    /** Redis' protocol, or too few bytes to tell. */
    RESP,
    /** The protocol of Hazelcast clients, which begins with {@code CP2}. */
    HAZELCAST_CLIENT,
    /** TLS, which begins with a handshake record of version 3. */
    TLS
  }

  private static final int ENOUGH = 3;
  private static final int HAZELCAST_CLIENT = 'C' << 16 | 'P' << 8 | '2';
  private static final int TLS_HANDSHAKE = 0x1603;

  private int bytes; // the first one is the most significant
  private int count;

  /** Creates an instance to which nothing has come yet. */
  public FirstBytes() {}

  /** Returns whether enough bytes have come to tell the protocol. Further bytes change nothing. */
  public boolean isKnown() {
    return count == ENOUGH;
  }

  /** Looks at bytes that have just come. */
  public Protocol look(ByteBuf in) {
    for (int i = in.readerIndex(); i < in.writerIndex() && count < ENOUGH; i++) {
      bytes = bytes << 8 | (in.getByte(i) & 0xff);
      count++;
    }
    if (count == ENOUGH && bytes == HAZELCAST_CLIENT) {
      return Protocol.HAZELCAST_CLIENT;
    }
    if (count == ENOUGH && bytes >> 8 == TLS_HANDSHAKE) {
      return Protocol.TLS;
    }
    return Protocol.RESP;
  }
}
