package io.keyvalueserve.journal;

/**
 * The results of scrubbing since the log was opened.
 *
 * @param bytesRead bytes of chunks and blobs that were read, also in passes that have not ended
 * @param damaged damaged places that were found, missing files among them, also by compaction
 * @param renewed records that were written anew because the log had lost them
 * @param lost records of these that could be had from nowhere
 * @param passes how often the whole log was read
 * @param lastPassMillis when it was last read to its end, in milliseconds since 1970; 0 for never
 * @param open damaged files that still are a part of the log: what they lack is being written anew
 */
public record ScrubFigures(
    long bytesRead,
    long damaged,
    long renewed,
    long lost,
    long passes,
    long lastPassMillis,
    int open) {
  /** The figures if nothing was read. */
  public static final ScrubFigures NONE = new ScrubFigures(0, 0, 0, 0, 0, 0, 0);
}
