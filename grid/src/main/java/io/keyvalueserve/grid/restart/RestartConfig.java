package io.keyvalueserve.grid.restart;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * The settings by which a member outlives its process.
 *
 * @param directory where it keeps what it has; its own
 * @param durability of maps that nothing else is said of
 * @param policy when a cluster that starts again goes on without all its members
 * @param patience how long it waits for them, more than nothing
 * @param chunkBytes how long a chunk of the log is, a multiple of 1 MiB
 * @param whileLoading what requests meet while it loads
 * @param first which maps are loaded before others, by their names in the grid
 * @param keysFirstBelowBytes a member whose log is smaller knows all its keys before it serves, in
 *     bytes; one whose log is not serves before, and knows a partition's when it is asked for it
 * @param scrubEach in which time all of the log is read once to find damage; zero for never
 */
public record RestartConfig(
    Path directory,
    Durability durability,
    RestartPolicy policy,
    Duration patience,
    long chunkBytes,
    WhileLoading whileLoading,
    Predicate<String> first,
    long keysFirstBelowBytes,
    Duration scrubEach) {
  /** The usual length of a chunk, in bytes. */
  public static final long CHUNK_BYTES = 64L << 20;

  /** Keys of a smaller log are known before the member serves, unless told otherwise; in bytes. */
  public static final long KEYS_FIRST_BELOW_BYTES = 256L << 20;

  /** The time in which the log is read once, unless set otherwise. */
  public static final Duration SCRUB_EACH = Duration.ofDays(7);

  /** The time that a start waits for members, unless set otherwise. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A member that outlives its process, with the usual settings. */
  public static RestartConfig in(Path directory, Durability durability) {
    return new RestartConfig(
        directory,
        durability,
        RestartPolicy.COMPLETE,
        PATIENCE,
        CHUNK_BYTES,
        WhileLoading.WAIT,
        map -> false,
        KEYS_FIRST_BELOW_BYTES,
        SCRUB_EACH);
  }
}
