package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The position of each key of a log, for whoever has the log and no records. A key is known by its
 * map, its partition and 96 bits of a hash whose seed is another one each time. Among a thousand
 * million keys of one map in one partition, two have equal hashes with a chance of one in 10^11.
 *
 * <p>Clears and drops are noted while the log is read, and done all at once in {@link #settle}. For
 * one thread at a time.
 */
final class LiveKeys implements RecoverySink, RecordOwner, AutoCloseable {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final long OTHER_MULTIPLIER = 0xC2B2AE3D27D4EB4FL;
  private static final int EVERY_MAP = -1;

  /** A part of a map, or all of a partition. */
  private record Part(int partition, int map) {}

  private final KeyTable table = new KeyTable();
  private final Map<Part, Long> bounds = new HashMap<>(); // what is before is gone
  private final long seed = ThreadLocalRandom.current().nextLong();
  private final InspectionProgress progress;
  private String[] names = new String[0];
  private DeadBytes dead = (position, bytes) -> {};

  private long hash; // of the key that was looked at last
  private int moreHash;

  LiveKeys(InspectionProgress progress) {
    this.progress = progress;
  }

  void setDead(DeadBytes dead) {
    this.dead = dead;
  }

  /** Returns the number of records of each map, and the bytes of their payloads. */
  Map<String, JournalContents.MapFigures> maps() {
    long[] records = new long[names.length];
    long[] bytes = new long[names.length];
    for (long i = 0; i < table.slots(); i++) {
      long slot = table.slot(i);
      if (!KeyTable.isFree(slot)) {
        records[KeyTable.map(slot)]++;
        bytes[KeyTable.map(slot)] += KeyTable.payloadBytes(slot);
      }
    }
    Map<String, JournalContents.MapFigures> maps = new TreeMap<>();
    for (int i = 0; i < names.length; i++) {
      if (records[i] > 0) {
        maps.put(names[i], new JournalContents.MapFigures(names[i], records[i], bytes[i]));
      }
    }
    return maps;
  }

  /** Returns the number of records in each chunk. */
  Map<Long, Long> recordsOfChunks() {
    Map<Long, Long> records = new HashMap<>();
    for (long i = 0; i < table.slots(); i++) {
      long slot = table.slot(i);
      if (!KeyTable.isFree(slot)) {
        records.merge(Position.chunk(KeyTable.position(slot)), 1L, Long::sum);
      }
    }
    return records;
  }

  // ---- recovery

  @Override
  public void begin(DeadBytes dead) {
    this.dead = dead;
  }

  @Override
  public void put(Frame frame) {
    long slot = find(frame);
    if (!KeyTable.isFree(slot)) {
      dead.dead(KeyTable.position(slot), KeyTable.payloadBytes(slot));
    }
    name(frame);
    table.put(
        slot,
        hash,
        moreHash,
        frame.map(),
        frame.partition(),
        frame.position(),
        frame.payloadBytes());
  }

  @Override
  public void remove(Frame frame) {
    long slot = find(frame);
    if (!KeyTable.isFree(slot)) {
      remove(slot);
    }
  }

  @Override
  public void clear(Frame frame) {
    bounds.merge(new Part(frame.partition(), frame.map()), frame.before(), Math::max);
  }

  @Override
  public void drop(Frame frame) {
    bounds.merge(new Part(frame.partition(), EVERY_MAP), frame.before(), Math::max);
  }

  @Override
  public void progress(RecoveryProgress state) {
    progress.reading(state);
  }

  /** Removes what was cleared or dropped; when all has been read, before anything is asked. */
  void settle() {
    if (bounds.isEmpty()) {
      return;
    }
    for (long i = 0; i < table.slots(); i++) {
      long slot = table.slot(i);
      // What moves into the slot is looked at too; what moves over the end was looked at before.
      while (!KeyTable.isFree(slot) && isEnded(slot)) {
        remove(slot);
      }
    }
    bounds.clear();
  }

  private boolean isEnded(long slot) {
    int partition = KeyTable.partition(slot);
    long cleared = bounds.getOrDefault(new Part(partition, KeyTable.map(slot)), 0L);
    long dropped = bounds.getOrDefault(new Part(partition, EVERY_MAP), 0L);
    return KeyTable.position(slot) < Math.max(cleared, dropped);
  }

  private void remove(long slot) {
    dead.dead(KeyTable.position(slot), KeyTable.payloadBytes(slot));
    table.remove(slot);
  }

  // ---- compaction

  @Override
  public void exclusively(int partition, Runnable slice) {
    slice.run();
  }

  @Override
  public long positionOf(Frame frame) {
    long slot = find(frame);
    return KeyTable.isFree(slot) ? Position.NONE : KeyTable.position(slot);
  }

  @Override
  public void moved(Frame frame, long position) {
    table.move(find(frame), position);
  }

  // ---- keys

  private void name(Frame frame) {
    if (frame.map() >= names.length) {
      int known = names.length;
      names = Arrays.copyOf(names, Math.max(16, 2 * (frame.map() + 1)));
      Arrays.fill(names, known, names.length, "");
    }
    names[frame.map()] = frame.mapName();
  }

  private long find(Frame frame) {
    long one = seed;
    long other = ~seed;
    long key = frame.keyAddress();
    int bytes = frame.keyBytes();
    int i = 0;
    for (; i + Long.BYTES <= bytes; i += Long.BYTES) {
      long word = Memory.getLong(key + i);
      one = mixed(one, word, MULTIPLIER);
      other = mixed(other, word, OTHER_MULTIPLIER);
    }
    long rest = 0;
    for (; i < bytes; i++) {
      rest = (rest << 8) | (Memory.getByte(key + i) & 0xFF);
    }
    long form = ((long) frame.keyForm() << 32) | bytes;
    hash = mixed(mixed(one, rest, MULTIPLIER), form, MULTIPLIER);
    other = mixed(mixed(other, rest, OTHER_MULTIPLIER), form, OTHER_MULTIPLIER);
    moreHash = (int) (other >>> 32);
    return table.find(hash, moreHash, frame.map(), frame.partition());
  }

  private static long mixed(long hash, long word, long multiplier) {
    long h = (hash ^ word) * multiplier;
    return h ^ (h >>> 29);
  }

  @Override
  public void close() {
    table.close();
  }
}
