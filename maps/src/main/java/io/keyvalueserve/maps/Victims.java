package io.keyvalueserve.maps;

import com.hazelcast.internal.util.TimeStripUtil;
import io.keyvalueserve.gates.reclaim.RecordScore;
import io.keyvalueserve.gates.reclaim.VictimSample;
import io.keyvalueserve.store.Records;
import java.util.function.LongPredicate;

/**
 * Finds the records of a partition that are worth least to their tenant, among some that are taken
 * at random. One thread; to be called with a guard open.
 */
final class Victims {
  private static final int SAMPLED = 64;
  private static final int PART = 8;

  /** The score of an entry that has expired: it goes before all others. */
  private static final float DEAD = -1;

  private final VictimSample sample = new VictimSample(SAMPLED / PART);

  /** Looks at some of the records that are wanted; {@link #record} has the worst then. */
  int find(NativeEntries entries, LongPredicate wanted) {
    long nowMillis = System.currentTimeMillis();
    int now = TimeStripUtil.stripBaseTime(nowMillis);
    sample.clear();
    entries.sample(
        SAMPLED,
        record -> {
          if (wanted.test(record)) {
            sample.offer(record, Records.expiresAt(record) < nowMillis ? DEAD : score(record, now));
          }
        });
    return sample.size();
  }

  private static float score(long record, int now) {
    int written = Math.max(Records.lastUpdateSeconds(record), Records.creationSeconds(record));
    int last = Math.max(Records.lastAccessSeconds(record), written);
    return RecordScore.of(Records.frequency(record), now - last);
  }

  /** One of those that were found last. */
  long record(int index) {
    return sample.record(index);
  }
}
