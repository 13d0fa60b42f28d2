package io.keyvalueserve.grid.space;

import com.hazelcast.core.HazelcastInstance;

/**
 * The shortcuts that a member takes. Answers do not depend on them.
 *
 * @param direct whether entries of its own are read and written without an operation
 * @param coalescing whether what many clients ask of another member goes there in few messages
 * @param channels how many of these may be under way to one member at the same time: 1 to {@value
 *     #MOST_CHANNELS}
 */
public record FastPath(boolean direct, boolean coalescing, int channels) {
  /** More would be no fewer than without coalescing. */
  public static final int MOST_CHANNELS = 64;

  /** All of them. */
  public static final FastPath ON = new FastPath(true, true, 2);

  /** None. */
  public static final FastPath OFF = new FastPath(false, false, 1);

  /** Under which a member's configuration has it in its user context. */
  public static final String KEY = "io.keyvalueserve.fast-path";

  /** Those that a member's configuration has, else all. */
  public static FastPath of(HazelcastInstance member) {
    return member.getUserContext().get(KEY) instanceof FastPath configured ? configured : ON;
  }

  public FastPath {
    if (channels < 1 || channels > MOST_CHANNELS) {
      throw new IllegalArgumentException(
          "channels are 1 to " + MOST_CHANNELS + ": channels=" + channels);
    }
  }
}
