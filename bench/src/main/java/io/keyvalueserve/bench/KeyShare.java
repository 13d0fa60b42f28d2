package io.keyvalueserve.bench;

import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The keys that one writer owns. As nobody else writes them, the order of what is written to each
 * is known.
 *
 * @param all histories of the keys of all writers, by their numbers
 * @param writer which writer, from 0
 * @param writers how many there are
 */
record KeyShare(List<KeyHistory> all, int writer, int writers) {
  private static final int ATTEMPTS = 32;

  /** Draws a key that does not rest; none if hardly any is left. */
  @Nullable KeyHistory draw(SplittableRandom random) {
    int mine = (all.size() - writer - 1) / writers + 1;
    for (int i = 0; i < ATTEMPTS; i++) {
      KeyHistory key = all.get(writer + writers * random.nextInt(mine));
      if (!key.rests()) {
        return key;
      }
    }
    return null;
  }
}
