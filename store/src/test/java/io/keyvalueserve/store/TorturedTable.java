package io.keyvalueserve.store;

import io.keyvalueserve.memory.Bytes;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A table under torture: one writer, any readers, and the history of every key. A value's length
 * and bytes follow from its key and version.
 */
final class TorturedTable {
  /**
   * What its keys are like.
   *
   * @param hot keys below this are written often, and may be there or not
   * @param stayers keys below this and not hot are there, unless all was cleared lately
   * @param keys the others come and go in crowds
   * @param mostValue how long a value may be
   */
  record Shape(int hot, int stayers, int keys, int mostValue) {}

  private final Shape shape;
  private final NativeHeap heap;
  private final int stripe;
  private final long seed;
  private final KeyHistory[] histories;
  private final AtomicLong clears = new AtomicLong(); // odd while stayers are missing
  private final Random random;
  private final byte[] writing;
  private volatile Table table;
  private int version;
  private int crowd;
  private boolean growing = true;
  private boolean complete;
  private long refused;
  private long written;
  private long spilled;
  private final LongAdder stubs = new LongAdder();

  TorturedTable(NativeHeap heap, int stripe, long seed, Shape shape) {
    this.shape = shape;
    this.histories = new KeyHistory[shape.keys];
    this.writing = new byte[shape.mostValue];
    this.heap = heap;
    this.stripe = stripe;
    this.seed = seed;
    this.random = new Random(seed);
    this.table = newTable();
    Arrays.setAll(histories, key -> new KeyHistory());
    clears.set(1);
  }

  private Table newTable() {
    return new Table(
        heap,
        stripe,
        seed,
        false,
        new Departures() {
          @Override
          public void left(long position, int bytes) {
            throw new AssertionError("nothing was logged: position=" + position);
          }

          @Override
          public void leftDisk(long handle, int length) {
            spilled--;
            if (length != length((int) handle, (int) (handle >>> 32))) {
              throw new AssertionError("another value's handle: " + handle);
            }
          }
        });
  }

  /** How many values are spilled; 0 when all is closed. */
  long spilled() {
    return spilled;
  }

  /** How often a reader found a stub. */
  long stubs() {
    return stubs.sum();
  }

  long refused() {
    return refused;
  }

  long written() {
    return written;
  }

  void close() {
    table.close();
  }

  // ---- the writer

  /** One step of writing: some changes of hot keys, then a crowd that comes or goes. */
  void write() {
    if (!complete) {
      complete = putStayers();
      if (complete) {
        clears.incrementAndGet();
      }
    }
    for (int i = random.nextInt(200); i > 0; i--) {
      int key = random.nextInt(shape.hot);
      switch (random.nextInt(7)) {
        case 0 -> remove(key);
        case 1 -> replace(key);
        case 2 -> spill(key);
        case 3 -> promote(key);
        case 4 -> relocate(key);
        default -> put(key);
      }
      if (complete && random.nextInt(4) == 0) {
        put(shape.hot + random.nextInt(shape.stayers - shape.hot));
      }
    }
    for (int i = random.nextInt(500); i > 0; i--) {
      moveCrowd();
    }
    if (random.nextInt(60) == 0) {
      clear(random.nextInt(3) == 0);
    }
  }

  private void moveCrowd() {
    if (growing) {
      if (shape.stayers + crowd == shape.keys || !put(shape.stayers + crowd)) {
        growing = false;
      } else {
        crowd++;
      }
    } else if (crowd == 0) {
      growing = true;
    } else {
      remove(shape.stayers + --crowd);
    }
  }

  private boolean putStayers() {
    for (int key = shape.hot; key < shape.stayers; key++) {
      if (!put(key)) {
        growing = false;
        return false;
      }
    }
    return true;
  }

  private boolean put(int key) {
    int length = prepare(key);
    KeyHistory history = histories[key];
    Attributes attributes = new Attributes();
    attributes.version = version;
    attributes.statistics = (version & 1) != 0;
    byte[] bytes = bytes(key);
    history.begin(version);
    try {
      table.put(bytes, 0, 4, 1, key & 1, writing, 0, length, 1, attributes);
      return ended(history);
    } catch (OutOfNativeMemoryException e) {
      return aborted(history);
    }
  }

  private void replace(int key) {
    byte[] bytes = bytes(key);
    Table present = table;
    long record = present.find(bytes, 0, 4, 1);
    KeyHistory history = histories[key];
    if ((record != 0) != (history.value() != KeyHistory.ABSENT)) {
      throw new AssertionError("the writer's own view: key=" + key);
    }
    if (record == 0) {
      return;
    }
    // A replaced value would keep its version, which is what tells values apart: so the same again.
    int same = Records.version(record);
    int length = fill(key, same, writing);
    history.begin(same);
    try {
      present.replaceValue(record, writing, 0, length, 1);
      ended(history);
    } catch (OutOfNativeMemoryException e) {
      aborted(history);
    }
  }

  /** The value is the same, so its history goes on. */
  private void spill(int key) {
    Table present = table;
    long record = present.find(bytes(key), 0, 4, 1);
    if (record != 0 && !Records.isSpilled(record)) {
      try {
        present.spill(record, handle(key, Records.version(record)));
        spilled++;
      } catch (OutOfNativeMemoryException e) {
        refused++;
      }
    }
  }

  private void promote(int key) {
    Table present = table;
    long record = present.find(bytes(key), 0, 4, 1);
    if (record != 0 && Records.isSpilled(record)) {
      fill(key, Records.version(record), writing);
      try {
        present.promote(record, writing, 0);
      } catch (OutOfNativeMemoryException e) {
        refused++;
      }
    }
  }

  private void relocate(int key) {
    Table present = table;
    long record = present.find(bytes(key), 0, 4, 1);
    if (record != 0) {
      try {
        present.relocate(record);
      } catch (OutOfNativeMemoryException e) {
        refused++;
      }
    }
  }

  private static long handle(int key, int version) {
    return ((long) version << 32) | key;
  }

  private void remove(int key) {
    byte[] bytes = bytes(key);
    long record = table.find(bytes, 0, 4, 1);
    if (record != 0) {
      histories[key].begin(KeyHistory.ABSENT);
      if (!table.remove(record)) {
        throw new AssertionError("found, but not there to be removed: key=" + key);
      }
      ended(histories[key]);
    }
  }

  private void clear(boolean destroy) {
    if (complete) {
      clears.incrementAndGet();
      complete = false;
    }
    for (KeyHistory history : histories) {
      history.begin(KeyHistory.ABSENT);
    }
    if (destroy) {
      table.close();
      while (true) {
        try {
          table = newTable();
          break;
        } catch (OutOfNativeMemoryException e) {
          Thread.onSpinWait();
        }
      }
    } else {
      table.clear();
    }
    for (KeyHistory history : histories) {
      history.end();
    }
    crowd = 0;
    growing = true;
  }

  private boolean ended(KeyHistory history) {
    history.end();
    written++;
    return true;
  }

  private boolean aborted(KeyHistory history) {
    history.abort();
    refused++;
    return false;
  }

  private int prepare(int key) {
    version = version == Integer.MAX_VALUE ? 1 : version + 1;
    return fill(key, version, writing);
  }

  // ---- readers

  /** Reads hot keys; returns how many were there. */
  int read() {
    int found = 0;
    for (int i = 0; i < 100; i++) {
      found += readKey(ThreadLocalRandom.current().nextInt(shape.hot));
    }
    return found;
  }

  /** Reads hot keys and those that stay, most of which are there all the time. */
  int readStayers() {
    int found = 0;
    for (int i = 0; i < 100; i++) {
      found += readKey(ThreadLocalRandom.current().nextInt(shape.stayers));
    }
    return found;
  }

  /** Reads any keys. */
  int readSome() {
    int found = 0;
    for (int i = 0; i < 100; i++) {
      found += readKey(ThreadLocalRandom.current().nextInt(shape.keys));
    }
    return found;
  }

  private int readKey(int key) {
    byte[] bytes = bytes(key);
    KeyHistory history = histories[key];
    long from = history.beginRead();
    int guard = heap.epochs().enter();
    try {
      if ((key & 7) == 0) {
        Lookahead lookahead = new Lookahead();
        lookahead.add(table, bytes, 0, 4, 1);
        lookahead.fetch();
      }
      long record = table.find(bytes, 0, 4, 1);
      if (record == 0) {
        history.check(from, KeyHistory.ABSENT);
        return 0;
      }
      history.check(from, verify(record, key));
      if (ThreadLocalRandom.current().nextInt(128) == 0) {
        LockSupport.parkNanos(100_000);
      }
      verify(record, key); // still there: the guard is open
      return 1;
    } finally {
      heap.epochs().exit(guard);
    }
  }

  /** Scans it all; returns 1 if the stayers had to be there, and were, each once. */
  int scan() {
    long before = clears.get();
    Set<Integer> stayers = new HashSet<>();
    Table present = table;
    for (long cursor = 0; cursor != Table.END; ) {
      int guard = heap.epochs().enter();
      try {
        cursor =
            present.scan(
                cursor,
                record -> {
                  int key = key(record);
                  verify(record, key);
                  if (key >= shape.hot
                      && key < shape.stayers
                      && !stayers.add(key)
                      && clears.get() == before) {
                    throw new AssertionError("visited twice: key=" + key);
                  }
                });
      } finally {
        heap.epochs().exit(guard);
      }
    }
    if ((before & 1) != 0 || clears.get() != before) {
      return 0;
    }
    if (stayers.size() != shape.stayers - shape.hot) {
      throw new AssertionError("left out: " + (shape.stayers - shape.hot - stayers.size()));
    }
    return 1;
  }

  /** Looks at random records. */
  void sample() {
    int guard = heap.epochs().enter();
    try {
      table.sample(8, record -> verify(record, key(record)));
    } finally {
      heap.epochs().exit(guard);
    }
  }

  private int verify(long record, int key) {
    int version = Records.version(record);
    byte[] value = new byte[Records.valueLength(record)];
    boolean same;
    if (Records.isSpilled(record)) {
      stubs.increment();
      same = Records.spillHandle(record) == handle(key, version);
    } else {
      Records.copyValue(record, value, 0);
      byte[] wanted = new byte[value.length];
      same = fill(key, version, wanted) == value.length && Arrays.equals(wanted, value);
    }
    if (key(record) != key
        || value.length != length(key, version)
        || !same
        || Records.extra(record) != (key & 1)
        || Records.hasStatistics(record) != ((version & 1) != 0)) {
      throw new AssertionError(
          "not what was written: key=" + key + " version=" + version + " length=" + value.length);
    }
    return version;
  }

  private int length(int key, int version) {
    int mixed = mix(key, version);
    int most =
        switch (mixed & 63) {
          case 0 -> 1;
          case 1 -> key < shape.hot ? shape.mostValue : 20_000;
          case 2, 3, 4 -> 5_000;
          default -> 300;
        };
    return (mixed >>> 6) % Math.min(most, shape.mostValue);
  }

  private int fill(int key, int version, byte[] value) {
    int length = length(key, version);
    int state = mix(version, key);
    for (int i = 0; i < length; i++) {
      state = state * 1_103_515_245 + 12_345;
      value[i] = (byte) (state >>> 16);
    }
    return length;
  }

  private static int mix(int a, int b) {
    long mixed = (a * 0x9E3779B97F4A7C15L + b) * 0xE7037ED1A0B428DBL;
    return (int) (mixed >>> 33);
  }

  private static byte[] bytes(int key) {
    return new byte[] {(byte) key, (byte) (key >>> 8), (byte) (key >>> 16), (byte) (key >>> 24)};
  }

  private static int key(long record) {
    byte[] bytes = new byte[4];
    if (Records.keyLength(record) == 4) {
      Records.copyKey(record, bytes, 0);
      return Bytes.getInt(bytes, 0);
    }
    return -1;
  }
}
