package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;

/**
 * A record of the log, looked at where it is in memory. The object is used again for the next
 * record: it and its addresses are valid during the call that it was given to, on that thread only.
 */
public final class Frame {
  private long address;
  private long position;
  private int map;
  private String mapName = "";
  private long payloadAddress;
  private int payloadBytes;
  private int keyOffset;
  private long keyAddress;

  Frame() {}

  /** A frame whose payload is behind its header. */
  Frame inline(long frame, long position) {
    this.address = frame;
    this.position = position;
    map = Frames.map(frame);
    payloadAddress = frame + Frames.HEADER_BYTES;
    payloadBytes = Frames.payloadLength(frame);
    keyOffset = Frames.keyOffset(frame);
    keyAddress = payloadAddress + keyOffset;
    return this;
  }

  /** A frame whose payload has been read from its blob. */
  Frame blob(long frame, long position, long payload) {
    blobKey(frame, position);
    payloadAddress = payload;
    keyAddress = payload + keyOffset;
    return this;
  }

  /** A frame whose payload is in a blob and not read; it has its key beside the reference. */
  Frame blobKey(long frame, long position) {
    inline(frame, Position.ofBlob(position));
    keyAddress = payloadAddress + Frames.keyOffset(frame);
    payloadAddress = 0;
    payloadBytes = Frames.blobLength(frame);
    keyOffset = Frames.blobKeyOffset(frame);
    return this;
  }

  /** An entry of a chunk's index. */
  Frame indexed(long entry, long position) {
    inline(entry, position);
    payloadAddress = 0;
    keyAddress = entry + Frames.HEADER_BYTES;
    return this;
  }

  /** The map's number here and its name, which need not be the chunk's own number. */
  Frame of(int number, String name) {
    map = number;
    mapName = name;
    return this;
  }

  long address() {
    return address;
  }

  /** Returns its position in the log. */
  public long position() {
    return position;
  }

  /** The partition it belongs to. */
  public int partition() {
    return Frames.partition(address);
  }

  /** The number of its map, as {@link Journal#map} gives it. */
  public int map() {
    return map;
  }

  /** The name of its map; empty for what belongs to a whole partition. */
  public String mapName() {
    return mapName;
  }

  /**
   * Returns the time when it expires, in milliseconds since 1970; 0 if never, and for all but puts.
   */
  public long expiresAt() {
    return Frames.type(address) == Frames.PUT ? Frames.instant(address) : 0;
  }

  /**
   * Returns the position before which records are gone, for a clear or drop. Nothing else is gone.
   */
  public long before() {
    return Frames.instant(address);
  }

  /** The key's form, 0 to 15; it is part of the key. */
  public int keyForm() {
    return Frames.flags(address) & Frames.MOST_KEY_FORM;
  }

  /** Returns the address of the key's bytes. */
  public long keyAddress() {
    return keyAddress;
  }

  /** Returns the number of bytes of the key. */
  public int keyBytes() {
    return Frames.keyLength(address);
  }

  /** A copy of the key. */
  public byte[] key() {
    byte[] key = new byte[keyBytes()];
    Memory.copy(keyAddress, key, 0, key.length);
    return key;
  }

  /**
   * Returns the address of the payload; 0 if only keys are being read and this one's payload was
   * not.
   */
  public long payloadAddress() {
    return payloadAddress;
  }

  /** Returns the number of bytes of the payload, whether it was read or not. */
  public int payloadBytes() {
    return payloadBytes;
  }

  /** Returns the offset of the key in the payload. */
  public int keyOffset() {
    return keyOffset;
  }

  /** A copy of the payload, which has to be there. */
  public byte[] payload() {
    if (payloadAddress == 0) {
      throw new IllegalStateException("the payload was not read: " + Position.text(position));
    }
    byte[] payload = new byte[payloadBytes];
    Memory.copy(payloadAddress, payload, 0, payload.length);
    return payload;
  }
}
