package io.keyvalueserve.resp;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.GlobMatcher;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import java.util.Arrays;

/**
 * Keys as the bulk strings that a client will get. What comes is added when {@link #keep} says so.
 * One thread.
 */
final class EncodedKeys implements DirectMap.KeySink {
  private static final int FIRST_BYTES = 512;

  private final GlobMatcher matcher;
  private final EncodedReplies kept;
  private byte[] staged = new byte[FIRST_BYTES];
  private int stagedBytes;
  private int stagedCount;
  private int looked;
  private int count;

  /**
   * @param match which keys are taken
   * @param free of the event loop
   */
  EncodedKeys(GlobPattern match, ReplyChunks free) {
    this.kept = new EncodedReplies(free);
    this.matcher = new GlobMatcher(match);
  }

  /** Begins anew with what is to be kept, or not. */
  void begin() {
    stagedBytes = 0;
    stagedCount = 0;
    looked = 0;
    matcher.beginSlice();
  }

  /** Matches keys as they come. */
  GlobMatcher matcher() {
    return matcher;
  }

  @Override
  public boolean isFull() {
    return matcher.isSliceOver();
  }

  @Override
  public void key(byte[] key, int offset, int length) {
    looked++;
    if (matcher.matches(key, offset, length)) {
      add(key, offset, length);
    }
  }

  /** Adds a key that matches. */
  void add(byte[] key, int offset, int length) {
    int room = EncodedReplies.frameBytes(length) + length;
    if (stagedBytes + room > staged.length) {
      staged = Arrays.copyOf(staged, Math.max(2 * staged.length, stagedBytes + room));
    }
    int at = EncodedReplies.putHead(staged, stagedBytes, length);
    System.arraycopy(key, offset, staged, at, length);
    stagedBytes = EncodedReplies.putLineEnd(staged, at + length);
    stagedCount++;
  }

  /** Returns the number of keys that came since {@link #begin}, whether they match or not. */
  int looked() {
    return looked;
  }

  /** Keeps what came since {@link #begin}. */
  void keep() {
    kept.add(staged, stagedBytes);
    count += stagedCount;
    begin();
  }

  /** Returns the number of keys that are kept. */
  int count() {
    return count;
  }

  /** Returns the bytes that they take on their way. */
  long bytes() {
    return kept.bytes();
  }

  /**
   * Writes some of the keys that were kept, and forgets them.
   *
   * @return whether there are more
   */
  boolean writeNext(ReplyWriter writer) {
    return kept.writeNext(writer);
  }
}
