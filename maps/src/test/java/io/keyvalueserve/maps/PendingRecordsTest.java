package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Entries of which only the keys are in memory, against a plain map. */
final class PendingRecordsTest {
  private static final long SEED = 7;

  private final NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1);
  private final PartitionLock lock = new PartitionLock();
  private final LongAdder bytes = new LongAdder();
  private final FakeLog log = new FakeLog();
  private final NativeEntries entries = newEntries();
  private final Map<String, String> model = new HashMap<>();

  PendingRecordsTest() {
    lock.enter();
  }

  private NativeEntries newEntries() {
    return new NativeEntries(
        departures -> new Table(heap, 0, SEED, true, departures),
        () -> new Table(heap, 0, SEED, true, (position, length) -> {}),
        heap.epochs(),
        lock,
        bytes,
        Charges.none(),
        log,
        null,
        null,
        null);
  }

  @AfterEach
  void everythingIsGivenBack() {
    entries.close();
    assertThat(bytes.sum()).isZero();
    heap.close();
  }

  /** What is on the disk, and what of it is needed. */
  private static final class FakeLog extends NoLog {
    private final Map<Long, byte[]> images = new HashMap<>();
    private final Map<Long, Integer> live = new HashMap<>();
    private long next = 1;
    private boolean refusing;
    private int reads;

    @Override
    public boolean keepsRecords() {
      return true;
    }

    @Override
    public boolean isWanted() {
      return true;
    }

    @Override
    public void keepRecords(boolean keep) {
      assertThat(keep).isTrue();
    }

    @Override
    public long forget() {
      return next++;
    }

    @Override
    public long written(long record) {
      byte[] image = new byte[Records.bytes(record)];
      Memory.copy(record, image, 0, image.length);
      images.put(next, image);
      live.put(next, image.length);
      return next++;
    }

    @Override
    public long removing(long record) {
      return next++;
    }

    @Override
    public long clearing() {
      return next++;
    }

    @Override
    public void left(long position, int length) {
      assertThat(live.remove(position)).as("position %s", position).isEqualTo(length);
    }

    @Override
    public void requireReading() {
      if (refusing) {
        throw new LoadingException();
      }
    }

    @Override
    public void read(long position, int length, Image to) {
      byte[] image = images.get(position);
      if (image == null) {
        throw new LogUnreadableException("no such record");
      }
      reads++;
      with(image, to);
    }

    byte[] image(long position) {
      return Objects.requireNonNull(images.get(position));
    }

    static void with(byte[] image, Image to) {
      try (NativeHeap scratch = NativeHeap.open(HeapConfig.dram(4 << 20), 1)) {
        long address = scratch.allocate(0, image.length);
        Memory.copy(image, 0, address, image.length);
        to.at(address, image.length);
        scratch.free(0, address, image.length);
      }
    }
  }

  private static Data data(String text) {
    return Entries.data(text);
  }

  private void put(String key, String value) {
    long _ = entries.put(data(key), data(value), entries.attributes().clear());
    model.put(key, value);
  }

  /** As after a restart: all that the log has, of some of it only the keys. */
  private void restart(int count, Random random, int fullPercent) {
    for (int i = 0; i < count; i++) {
      put("key-" + i, "value-" + random.nextInt());
    }
    List<Long> positions = new ArrayList<>(log.live.keySet());
    entries.clear();
    for (long position : positions) {
      if (random.nextInt(positions.size()) == 0) {
        entries.restored().expect(1 + random.nextInt(8));
      }
      byte[] image = log.image(position);
      log.live.put(position, image.length);
      FakeLog.with(
          image,
          (address, length) -> {
            if (random.nextInt(100) < fullPercent) {
              entries.restored().put(address, length, position);
            } else {
              putKey(address, length, position);
            }
          });
    }
  }

  private void putKey(long image, int length, long position) {
    entries
        .restored()
        .putKey(
            Records.keyAddress(image),
            Records.keyLength(image),
            Records.keyForm(image),
            length,
            position);
  }

  private void assertSame() {
    assertThat(entries.size()).isEqualTo(model.size());
    Map<String, String> all = new HashMap<>();
    for (long cursor = 0; cursor >= 0; ) {
      cursor =
          entries.scan(
              cursor,
              record ->
                  all.put(
                      Entries.SERIALIZATION.toObject(DataForm.key(record)),
                      Entries.SERIALIZATION.toObject(DataForm.value(record))));
    }
    assertThat(all).isEqualTo(model);
    assertThat(log.live).hasSameSizeAs(model);
  }

  @Test
  void aKeyMayBeReplacedAndRemovedAndComeBackWhileTheLogIsRead() {
    put("other", "stays");
    List<byte[]> images = new ArrayList<>();
    List<Long> positions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      put("key", "value-" + i);
      positions.add(log.next - 1);
      images.add(log.image(log.next - 1));
    }
    long other = Collections.min(log.live.keySet());
    byte[] ofOther = log.image(other);
    entries.clear();
    log.live.put(other, ofOther.length);
    positions.forEach(position -> log.live.put(position, images.getFirst().length));
    FakeLog.with(ofOther, (address, length) -> putKey(address, length, other));
    for (int i = 0; i < 2; i++) {
      long position = positions.get(i);
      FakeLog.with(images.get(i), (address, length) -> putKey(address, length, position));
    }
    assertThat(log.live).containsOnlyKeys(other, positions.get(1), positions.get(2));
    FakeLog.with(
        images.getFirst(),
        (address, length) ->
            entries
                .restored()
                .remove(
                    Records.keyAddress(address),
                    Records.keyLength(address),
                    Records.keyForm(address)));
    assertThat(entries.size()).isEqualTo(1);
    assertThat(log.live).containsOnlyKeys(other, positions.get(2));
    assertThat(valueOf("key")).isNull();
    FakeLog.with(images.get(2), (address, length) -> putKey(address, length, positions.get(2)));
    assertThat(entries.size()).isEqualTo(2);
    assertThat(valueOf("key")).isEqualTo("value-2");
    assertThat(entries.isLoading()).isTrue();
    assertThat(valueOf("other")).isEqualTo("stays");
    assertThat(entries.isLoading()).isFalse();
    assertSame();
  }

  @RepeatedTest(20)
  void doesWhatAMapDoesWhileItLoads(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    int count = 1 + random.nextInt(300);
    restart(count, random, random.nextInt(100));
    List<Long> onDisk = new ArrayList<>(log.images.keySet());
    for (int step = 0; step < 600; step++) {
      String key = "key-" + random.nextInt(count + 20);
      switch (random.nextInt(8)) {
        case 0, 1 -> assertThat(valueOf(key)).isEqualTo(model.get(key));
        case 2 -> put(key, "changed-" + step);
        case 3 -> {
          long record = entries.find(data(key));
          if (record != 0) {
            entries.remove(record);
          }
          assertThat(model.remove(key) != null).isEqualTo(record != 0);
        }
        case 4 -> {
          long record = entries.find(data(key));
          if (record != 0) {
            long _ = entries.replaceValue(record, data("replaced-" + step), 0);
            model.put(key, "replaced-" + step);
          }
        }
        case 5, 6 -> { // what the loader reads, wanted or not
          long position = onDisk.get(random.nextInt(onDisk.size()));
          FakeLog.with(
              log.image(position),
              (address, length) -> entries.restored().loaded(address, length, position));
        }
        default -> assertThat(entries.size()).isEqualTo(model.size());
      }
      if (random.nextInt(400) == 0) {
        entries.clear();
        model.clear();
      }
    }
    entries.restored().loadEach(e -> assertThat(e).isNull());
    assertThat(entries.isLoading()).isFalse();
    assertSame();
  }

  private Object valueOf(String key) {
    return Entries.SERIALIZATION.toObject(entries.valueOf(data(key)));
  }

  @Test
  void whatIsAskedForIsReadOnceAndNothingElse() {
    restart(100, new Random(1), 0);
    assertThat(entries.isLoading()).isTrue();
    assertThat(entries.takesAtOnce(10, true)).isFalse();
    for (int i = 0; i < 3; i++) {
      assertThat(valueOf("key-7")).isEqualTo(model.get("key-7"));
      assertThat(valueOf("none")).isNull();
    }
    assertThat(log.reads).isEqualTo(1);
    assertThat(entries.size()).isEqualTo(100);
  }

  @Test
  void whoeverMayNotWaitIsTold() {
    restart(10, new Random(1), 0);
    log.refusing = true;
    assertThatThrownBy(() -> valueOf("key-1")).isInstanceOf(LoadingException.class);
    assertThatThrownBy(() -> put("key-1", "value")).isInstanceOf(LoadingException.class);
    assertThat(valueOf("none")).isNull();
    entries.restored().loadEach(e -> assertThat(e).isNull());
    assertThat(valueOf("key-1")).isEqualTo(model.get("key-1"));
  }

  @Test
  void allOfThemAreGoneOverOnlyWhenAllAreThere() {
    restart(10, new Random(1), 0);
    assertThatThrownBy(() -> entries.scan(0, record -> {}))
        .isInstanceOf(RetryableHazelcastException.class);
    entries.restored().loadEach(e -> assertThat(e).isNull());
    assertSame();
  }

  @Test
  void whatCannotBeReadIsToldAndGivenUp() {
    restart(10, new Random(1), 0);
    byte[] _ = log.images.remove(3L);
    List<String> told = new ArrayList<>();
    entries.restored().loadEach(e -> told.add(e.getMessage()));
    assertThat(told).containsExactly("no such record");
    assertThat(entries.size()).isEqualTo(9);
    assertThat(log.live).hasSize(9);
  }

  @Test
  void anOlderRecordOfAKeyIsNotTaken() {
    put("other", "stays");
    put("key", "old");
    long old = log.next - 1;
    put("key", "new");
    long fresh = log.next - 1;
    List<Long> positions = new ArrayList<>(log.live.keySet());
    assertThat(positions).hasSize(2).contains(fresh).doesNotContain(old);
    entries.clear();
    for (long position : positions) {
      byte[] image = log.image(position);
      log.live.put(position, image.length);
      FakeLog.with(image, (address, length) -> putKey(address, length, position));
    }
    FakeLog.with(
        log.image(old), (address, length) -> entries.restored().loaded(address, length, old));
    assertThat(entries.restored().size()).isEqualTo(2);
    FakeLog.with(
        log.image(fresh), (address, length) -> entries.restored().loaded(address, length, fresh));
    FakeLog.with(
        log.image(old), (address, length) -> entries.restored().loaded(address, length, old));
    assertThat(entries.restored().size()).isEqualTo(1);
    entries.restored().loadEach(e -> assertThat(e).isNull());
    assertSame();
  }

  @Test
  void whatIsExpectedHasRoomBeforeItComes() {
    restart(1_000, new Random(1), 0);
    entries.restored().close();
    assertThat(entries.size()).isZero();
    List<Long> positions = new ArrayList<>(log.live.keySet());
    long[] bytes = new long[1_000];
    for (int i = 0; i < positions.size(); i++) {
      long position = positions.get(i);
      FakeLog.with(log.image(position), (address, length) -> putKey(address, length, position));
      if (i == 99) {
        entries.restored().expect(10);
      }
      bytes[i] = entries.restored().bytes();
    }
    long early = bytes[110] - bytes[98];
    long late = bytes[999] - bytes[899];
    assertThat(early).as("grown at once").isGreaterThan(late);
    entries.restored().loadEach(e -> assertThat(e).isNull());
    assertSame();
  }

  @Test
  void recordsThatAreExpectedHaveRoomBeforeTheyComeAndNotForGood() {
    for (int i = 0; i < 1_000; i++) {
      put("key-" + i, "value");
    }
    List<Long> positions = new ArrayList<>(log.live.keySet());
    entries.clear();
    long[] bytes = new long[1_000];
    for (int i = 0; i < positions.size(); i++) {
      long position = positions.get(i);
      byte[] image = log.image(position);
      log.live.put(position, image.length);
      FakeLog.with(image, (address, length) -> entries.restored().put(address, length, position));
      if (i == 99) {
        entries.restored().expect(9);
      }
      bytes[i] = entries.bytes();
    }
    long early = bytes[110] - bytes[98];
    long late = bytes[999] - bytes[899];
    assertThat(early).as("grown at once").isGreaterThan(late);
    assertSame();
    entries.restored().expect(20); // far too many
    long expecting = entries.bytes();
    entries.restored().expectNoMore();
    assertThat(entries.bytes()).isLessThan(expecting - 10 * early);
    assertSame();
  }

  @Test
  void whatTheLogSaysLaterHoldsOverStubsToo() {
    restart(20, new Random(1), 50);
    entries.restored().clear(11); // those at 1 to 10
    assertThat(entries.size()).isEqualTo(10);
    Data key = data("key-15");
    byte[] payload = DataForm.payload(key);
    int form = DataForm.of(payload);
    int offset = DataForm.offset(form);
    byte[] bare = java.util.Arrays.copyOfRange(payload, offset, payload.length);
    try (NativeHeap scratch = NativeHeap.open(HeapConfig.dram(4 << 20), 1)) {
      long address = scratch.allocate(0, bare.length);
      Memory.copy(bare, 0, address, bare.length);
      entries.restored().remove(address, bare.length, form);
      scratch.free(0, address, bare.length);
    }
    assertThat(entries.size()).isEqualTo(9);
    assertThat(entries.contains(key)).isFalse();
    assertThat(log.live).hasSize(9);
    entries.restored().clear(Long.MAX_VALUE);
    assertThat(entries.size()).isZero();
    assertThat(entries.isLoading()).isFalse();
  }
}
