package io.keyvalueserve.engine;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The operations on a map that can be done at once, on the caller's thread. There is no hop to
 * another thread or member and no waiting, and the methods that take ranges of bytes allocate
 * nothing.
 *
 * <p>Every method may decline. Then nothing was done, and the command has to go through {@link
 * KeyMap#submit}, which never declines; why does not matter and may be otherwise the next moment
 * (the key is another member's, its partition moves or is busy, it is locked, the map has an
 * external store, listeners or indexes, ...). The answer is that of the command of the same name,
 * with the same checks and the same effects.
 *
 * <p>A read that begins after a write was acknowledged, to whomever, sees it. Thread-safe. The
 * ranges are read during the call only.
 */
public interface DirectMap {
  /** The result if there is no such key. */
  int MISSING = -1;

  /** Declined. */
  int NOT_NOW = -2;

  /** The map that always declines. */
  DirectMap NONE =
      new DirectMap() {
        @Override
        public int read(byte[] bytes, int keyOffset, int keyLength, ValueSink sink) {
          return NOT_NOW;
        }

        @Override
        public int length(byte[] bytes, int keyOffset, int keyLength) {
          return NOT_NOW;
        }

        @Override
        public long expireAt(byte[] bytes, int keyOffset, int keyLength) {
          return NOT_NOW;
        }

        @Override
        public boolean write(
            byte[] bytes,
            int keyOffset,
            int keyLength,
            int valueOffset,
            int valueLength,
            long expireAtMillis) {
          return false;
        }

        @Override
        public @Nullable Outcome execute(KeyCommand command) {
          return null;
        }
      };

  /**
   * Told that these keys will be asked for next, one after the other. Changes nothing but how long
   * that takes: an implementation may bring their entries near, all at once, or do nothing.
   */
  default void anticipate(KeyRanges keys) {}

  /**
   * Reads a value, as {@link KeyCommand.Read}. A value that is not a byte string or a string is
   * declined.
   *
   * @param bytes has the key
   * @param sink is asked for room once if there is a value, or is lent it, and has it when this
   *     returns; what it has is void if this returns {@link #NOT_NOW}
   * @return the value's length in bytes, {@link #MISSING} or {@link #NOT_NOW}
   */
  int read(byte[] bytes, int keyOffset, int keyLength, ValueSink sink);

  /**
   * Returns a number that moves on before a transaction changes several keys. Who reads several
   * keys sees no half of a transaction if none of the reads was declined, and the number is the
   * same before the first and behind the last.
   */
  default long stamp() {
    return 0;
  }

  /**
   * The length of a value, as {@link KeyCommand.Probe} without counting as a use. A value that is
   * not a byte string or a string is declined.
   *
   * @return in bytes, or {@link #MISSING} or {@link #NOT_NOW}
   */
  int length(byte[] bytes, int keyOffset, int keyLength);

  /**
   * Returns the time when a key expires, as {@link KeyCommand.Probe} without counting as a use.
   *
   * @return in milliseconds since 1970, {@link Expiry#NONE}, {@link #MISSING} or {@link #NOT_NOW}
   */
  long expireAt(byte[] bytes, int keyOffset, int keyLength);

  /**
   * Writes a value in any case, as {@link KeyCommand.Write} with {@link WriteCondition#ALWAYS} and
   * without returning the value before. When this returns, it is written, and so are its backups if
   * there are to be any.
   *
   * @param bytes has the key and the value
   * @param expireAtMillis {@link Expiry#NONE} or a time to come; {@link Expiry#KEEP} and times that
   *     have passed are declined
   * @return whether it wrote; false is {@link #NOT_NOW}
   */
  boolean write(
      byte[] bytes,
      int keyOffset,
      int keyLength,
      int valueOffset,
      int valueLength,
      long expireAtMillis);

  /**
   * Makes room for a value that is to be {@linkplain #write(byte[], StagedValue, long) written}
   * when all of it has come. Changes nothing that anybody sees; what may not be written is found
   * out then.
   *
   * @param valueLength in bytes
   * @param expires whether it will be written with a time
   * @return null if it declines
   */
  default @Nullable StagedValue stage(byte[] key, int valueLength, boolean expires) {
    return null;
  }

  /**
   * Writes a value that has come as a whole, as {@link #write(byte[], int, int, int, int, long)}.
   *
   * @param value that {@link #stage} made room for; it is the map's if this returns true, else it
   *     stays as it is
   */
  default boolean write(byte[] key, StagedValue value, long expireAtMillis) {
    return false;
  }

  /**
   * Does what a value needs before it can be written, and the caller must not wait for, on another
   * thread: the disk may have to have it. To be asked when {@link #write(byte[], StagedValue,
   * long)} has declined, at most once for each value, with the same arguments.
   *
   * @param value is no longer the caller's unless this returns null
   * @return gets, always, the value that is to be written in its place; null if there is nothing to
   *     be done
   */
  default @Nullable CompletionStage<StagedValue> prepare(
      byte[] key, StagedValue value, long expireAtMillis) {
    return null;
  }

  /**
   * Carries out any command.
   *
   * @return null if it declines
   */
  @Nullable Outcome execute(KeyCommand command);

  /**
   * Lists some keys, as {@link KeyMap#scan} does with the same cursors.
   *
   * @param cursor 0, or what this or {@link KeyMap#scan} returned
   * @param count after so many keys it stops, at the latest at the next key of another position; it
   *     may stop before
   * @param sink gets the keys; those of this call are void if this returns {@link #NOT_NOW}
   * @return where to go on, 0 at the end, or {@link #NOT_NOW}
   */
  default long scan(long cursor, int count, KeySink sink) {
    return NOT_NOW;
  }

  /** Takes keys that are listed. */
  @FunctionalInterface
  interface KeySink {
    /** The next key: a range of bytes that is to be read during the call only. */
    void key(byte[] bytes, int offset, int length);

    /** Returns whether the listing stops before the next key of another position. */
    default boolean isFull() {
      return false;
    }
  }

  /** The receiver of a value. Used by one call at a time. */
  interface ValueSink {
    /**
     * Makes room for a value of this length; asked once for each value, before {@link #offset}.
     *
     * @return the array to put it in
     */
    byte[] room(int length);

    /** Returns the offset in the array at which the value goes. */
    int offset();

    /** Values of so many bytes and more may be {@link #lend lent}, and are not copied then. */
    default int leastLent() {
      return Integer.MAX_VALUE;
    }

    /**
     * Takes a value that is lent, in the place of {@link #room} and {@link #offset}; to be given
     * back, also if it is void.
     */
    default void lend(LentValue value) {
      throw new IllegalStateException("values of any length are to be copied");
    }
  }
}
