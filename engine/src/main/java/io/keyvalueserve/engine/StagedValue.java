package io.keyvalueserve.engine;

import java.nio.ByteBuffer;

/**
 * Room for a value that is still to come, where it is to stay: whoever receives it fills the room,
 * and then has it {@linkplain DirectMap#write(byte[], StagedValue, long) written}, which copies
 * nothing. Until then nobody else sees it, and its memory is kept.
 *
 * <p>To be {@linkplain #discard discarded} unless it was written. One thread at a time.
 */
public interface StagedValue {
  /** Returns the length of the value, in bytes. */
  int length();

  /** The room, of {@link #length} bytes; not to be touched once it was written or discarded. */
  ByteBuffer room();

  /** Gives the room back. Idempotent, and nothing after it was written. */
  void discard();
}
