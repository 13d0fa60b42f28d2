package io.keyvalueserve.journal;

import java.util.Optional;

/**
 * A chunk that is to be read at recovery.
 *
 * @param entry its numbers and sizes
 * @param end where its frames end; what is not a frame before that is damage
 * @param trailer its trailer, if it was sealed
 * @param damaged whether its header already is not what it should be
 */
record ChunkPlan(Manifest.Entry entry, long end, Optional<ChunkTrailer> trailer, boolean damaged) {
  long chunk() {
    return entry.chunk();
  }

  int blockBytes() {
    return entry.blockBytes();
  }
}
