package io.keyvalueserve.journal;

/**
 * The parts of a stream's chunks that are kept for different uses when the disk has no room for
 * another chunk.
 *
 * <pre>
 *   the tail                                                      the end of the last spare chunk
 *   +------------------------------+----------------+--------------------------------------------+
 *   | removes                      | ends of maps   | the compactor: a chunk and a quarter       |
 *   +------------------------------+----------------+--------------------------------------------+
 * </pre>
 *
 * <p>The compactor can rewrite any chunk in its part, however much of it is alive: frames are not
 * packed as closely as before, and a sync fills a block of the disk. Each chunk that it ends gives
 * back more than was taken, so removes are taken again.
 *
 * <p>There is a spare chunk more for each {@value #CHUNKS_EACH} chunks of a stream. Removes that
 * use up their part leave at least that share dead in some chunk, if a remove is no longer than
 * what it removes. {@link VictimChoice} takes chunks with a smaller share.
 *
 * @param chunkBytes a chunk's size
 * @param blockBytes a block's size
 */
record DiskReserve(long chunkBytes, int blockBytes) {
  private static final int LEAST_SPARES = 3;
  private static final int CHUNKS_EACH = 64;

  /** Returns how many spare chunks a stream keeps beside the one that it takes next. */
  static int spares(int chunksOfStream) {
    return LEAST_SPARES + chunksOfStream / CHUNKS_EACH;
  }

  /** Returns the bytes that removes leave. */
  long removesLeave() {
    return endsLeave() + chunkBytes / 4;
  }

  /** Returns the bytes that ends of maps leave. */
  long endsLeave() {
    return chunkBytes + chunkBytes / 4;
  }

  /** Returns the bytes that compacting a chunk may append. */
  long toCompact(long liveBytes) {
    return liveBytes + chunkBytes / 8 + blockBytes / 8;
  }
}
