package io.keyvalueserve.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.gateway.protocol.ReplyWriter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Keys as the bulk strings that a client will get: for many keys some arrays of bytes, which cost a
 * garbage collector next to nothing, where objects would be as many as keys.
 *
 * <p>What comes is added when {@link #keep} says so. One thread.
 */
final class EncodedKeys implements DirectMap.KeySink {
  private static final int FIRST_BYTES = 512;

  /** Far less than what a collector takes for huge. */
  private static final int CHUNK_BYTES = 16 * 1024;

  private final GlobPattern match;
  private final boolean isAny;
  private final Deque<Chunk> chunks = new ArrayDeque<>();
  private byte[] staged = new byte[FIRST_BYTES];
  private int stagedBytes;
  private int stagedCount;
  private int looked;
  private int count;
  private long bytes;

  /** Bytes of whole bulk strings. */
  private static final class Chunk {
    byte[] bytes;
    int length;

    Chunk(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  /**
   * @param match which keys are taken
   */
  EncodedKeys(GlobPattern match) {
    this.match = match;
    this.isAny = match.matchesAll();
  }

  /** Begins anew with what is to be kept, or not. */
  void begin() {
    stagedBytes = 0;
    stagedCount = 0;
    looked = 0;
  }

  @Override
  public void key(byte[] key, int offset, int length) {
    looked++;
    if (!isAny && !match.matches(key, offset, length)) {
      return;
    }
    byte[] digits = Integer.toString(length).getBytes(US_ASCII);
    int room = 1 + digits.length + 2 + length + 2;
    if (stagedBytes + room > staged.length) {
      staged = Arrays.copyOf(staged, Math.max(2 * staged.length, stagedBytes + room));
    }
    int at = stagedBytes;
    staged[at++] = '$';
    System.arraycopy(digits, 0, staged, at, digits.length);
    at = lineEnd(at + digits.length);
    System.arraycopy(key, offset, staged, at, length);
    stagedBytes = lineEnd(at + length);
    stagedCount++;
  }

  private int lineEnd(int at) {
    staged[at] = '\r';
    staged[at + 1] = '\n';
    return at + 2;
  }

  /** How many keys came since {@link #begin}, whether they match or not. */
  int looked() {
    return looked;
  }

  /** Keeps what came since {@link #begin}. */
  void keep() {
    Chunk last = chunks.peekLast();
    int needed = (last == null ? 0 : last.length) + stagedBytes;
    if (last == null || (needed > last.bytes.length && last.bytes.length >= CHUNK_BYTES)) {
      last = new Chunk(Arrays.copyOf(staged, stagedBytes));
      chunks.add(last);
    } else {
      if (needed > last.bytes.length) {
        last.bytes = Arrays.copyOf(last.bytes, Math.max(needed, CHUNK_BYTES));
      }
      System.arraycopy(staged, 0, last.bytes, last.length, stagedBytes);
    }
    last.length += stagedBytes;
    count += stagedCount;
    bytes += stagedBytes;
    begin();
  }

  /** How many keys are kept. */
  int count() {
    return count;
  }

  /** How many bytes they are on their way. */
  long bytes() {
    return bytes;
  }

  /**
   * Writes some of the keys that were kept, and forgets them.
   *
   * @return whether there are more
   */
  boolean writeNext(ReplyWriter writer) {
    Chunk next = chunks.poll();
    if (next != null) {
      int _ = writer.mark();
      writer.encoded(next.bytes, next.length);
    }
    return !chunks.isEmpty();
  }
}
