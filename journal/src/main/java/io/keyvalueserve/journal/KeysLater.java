package io.keyvalueserve.journal;

import java.util.function.Predicate;

/**
 * The keys that {@link Journal#openKeys} keeps back for {@link HeldKeys}. It then returns before it
 * has given them to the sink.
 *
 * @param maps whose; those of all others are given at once
 * @param leastLogBytes of a smaller log all keys are given at once
 * @param mostKeyBytes as much memory may be taken for keys that are kept back and cannot be left on
 *     the disk, in bytes
 * @param mostRecordBytes if the log has records of more, dead ones counted, all keys are given at
 *     once
 */
public record KeysLater(
    Predicate<String> maps, long leastLogBytes, long mostKeyBytes, long mostRecordBytes) {
  /** The choice that keeps nothing back. */
  public static final KeysLater NONE = new KeysLater(map -> false, Long.MAX_VALUE, 0, 0);

  /** Parts of the log that have no index may be one of so many, or two chunks. */
  private static final int UNINDEXED_PART = 4;

  private static final int UNINDEXED_CHUNKS = 2;

  /** Returns whether keys are kept back, for a log of these sizes in bytes. */
  boolean isFor(long log, long unindexed, long keys, long records, long chunk) {
    return log >= leastLogBytes
        && unindexed <= Math.max(log / UNINDEXED_PART, UNINDEXED_CHUNKS * chunk)
        && keys <= mostKeyBytes
        && records <= mostRecordBytes;
  }
}
