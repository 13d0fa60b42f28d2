package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.Table;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: entries that a reader makes, without the partition's lock, while their map begins to be
 * logged or ceases to be, are logged or not as those that were there.
 */
final class LateEntriesTest {
  private static final Data KEY = Entries.data("key");

  private final NativeHeap heap = NativeHeap.open(HeapConfig.dram(16 << 20), 1);
  private final PartitionLock lock = new PartitionLock();
  private final CountingLog log = new CountingLog();

  /** What holds of the map, what its entries were made with, and how often they wrote. */
  private static final class CountingLog extends NoLog {
    private boolean wanted;
    private boolean keeps;
    private long written;

    @Override
    public boolean keepsRecords() {
      return keeps;
    }

    @Override
    public boolean isWanted() {
      return wanted;
    }

    @Override
    public void keepRecords(boolean keep) {
      keeps = keep;
    }

    @Override
    public long written(long record) {
      return ++written;
    }

    @Override
    public long removing(long record) {
      return ++written;
    }

    @Override
    public long clearing() {
      return ++written;
    }
  }

  @AfterEach
  void close() {
    heap.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theFirstWriteLooksWhatHoldsByThen(boolean wanted) {
    log.keeps = !wanted;
    NativeEntries entries =
        new NativeEntries(
            departures -> new Table(heap, 0, 7, !wanted, departures),
            () -> new Table(heap, 0, 7, true, (position, length) -> {}),
            heap.epochs(),
            lock,
            new LongAdder(),
            Charges.none(),
            log,
            null,
            null,
            null);
    log.wanted = wanted;
    lock.enter();
    long record = entries.put(KEY, Entries.data("value"), new Attributes());
    assertThat(Records.isLogged(record)).isEqualTo(wanted);
    assertThat(log.written).isEqualTo(wanted ? 1 : 0);
    entries.remove(entries.find(KEY));
    assertThat(log.written).isEqualTo(wanted ? 2 : 0);

    log.wanted = !wanted; // which is told to entries that were seen
    entries.setLogged(!wanted);
    assertThat(entries.isLogged()).isEqualTo(!wanted);
    log.wanted = wanted;
    record = entries.put(KEY, Entries.data("value"), new Attributes());
    assertThat(Records.isLogged(record)).isEqualTo(!wanted);
    entries.close();
    lock.exit();
  }
}
