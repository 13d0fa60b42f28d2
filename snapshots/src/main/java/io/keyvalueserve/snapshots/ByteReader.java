package io.keyvalueserve.snapshots;

import java.util.Arrays;

/** A reader of what {@link ByteWriter} writes. It believes no length and reads within its bytes. */
final class ByteReader {
  private final byte[] bytes;
  private final int end;
  private final String subject;
  private int at;

  /**
   * Creates a reader.
   *
   * @param subject the thing that is read, for messages
   */
  ByteReader(String subject, byte[] bytes, int from, int end) {
    this.subject = subject;
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  int remaining() {
    return end - at;
  }

  int position() {
    return at;
  }

  int readByte() {
    need(1);
    return bytes[at++] & 0xff;
  }

  int readInt() {
    need(4);
    int value = 0;
    for (int i = 0; i < 4; i++) {
      value = value << 8 | (bytes[at++] & 0xff);
    }
    return value;
  }

  long readLong() {
    long number = readUnsigned();
    return (number >>> 1) ^ -(number & 1);
  }

  long readUnsigned() {
    long number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = readByte();
      if (shift == 63 && next > 1) {
        break;
      }
      number |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return number;
      }
    }
    throw damaged("has a number that is too long");
  }

  /** Reads an unsigned number that is at most a limit. */
  int readCount(int most) {
    long count = readUnsigned();
    if (count < 0 || count > most) {
      throw damaged("has a count that cannot be");
    }
    return (int) count;
  }

  byte[] readBytes() {
    int length = readCount(remaining());
    need(length);
    byte[] read = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return read;
  }

  void expectEnd() {
    if (at != end) {
      throw damaged("has more bytes than its content");
    }
  }

  SnapshotException damaged(String why) {
    return SnapshotException.damaged(subject + " " + why + ": it is damaged; use another snapshot");
  }

  private void need(int count) {
    if (end - at < count) {
      throw damaged("is cut off");
    }
  }
}
