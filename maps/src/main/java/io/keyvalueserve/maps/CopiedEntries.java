package io.keyvalueserve.maps;

import io.keyvalueserve.journal.AlignedMemory;
import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Entries of logged maps, as copies of a partition give them to each other when the log of one has
 * lost some. All methods take the partition's lock. Thread-safe.
 */
public final class CopiedEntries {
  private static final long FIRST = 0;

  private final NativeMaps maps;

  CopiedEntries(NativeMaps maps) {
    this.maps = maps;
  }

  /**
   * Some of a partition's entries.
   *
   * @param nextMap the map to go on with; null if there is no more
   * @param nextCursor where to go on in that map
   */
  public record Page(List<CopiedEntry> entries, @Nullable String nextMap, long nextCursor) {}

  /**
   * Loads all of a partition. Waits for the disk.
   *
   * @param unreadable told the keys whose records cannot be read; they are not here any more then
   */
  public void load(int partition, Consumer<CopiedKey> unreadable) {
    maps.pending().load(() -> maps.pending().read(partition));
    for (NativeRecordStore store : stores(partition)) {
      maps.pending()
          .load(
              () ->
                  exclusively(
                      partition,
                      () ->
                          store
                              .entries()
                              .restored()
                              .loadReadable(
                                  (key, form, position, e) -> {
                                    CopiedKey lost = new CopiedKey(store.getName(), key, form);
                                    unreadable.accept(lost);
                                    store.entries().restored().giveUp(key, form, position);
                                  })));
    }
  }

  /**
   * Returns some entries of a partition that is loaded, from a place on.
   *
   * @param map where to go on, empty at the beginning
   * @param mostBytes after so many bytes it ends
   */
  public Page page(int partition, String map, long cursor, long mostBytes) {
    List<CopiedEntry> entries = new ArrayList<>();
    long bytes = 0;
    long from = cursor;
    for (NativeRecordStore store : stores(partition)) {
      if (store.getName().compareTo(map) < 0) {
        continue;
      }
      from = store.getName().equals(map) ? from : FIRST;
      while (from != Table.END) {
        if (bytes > mostBytes) {
          return new Page(entries, store.getName(), from);
        }
        int before = entries.size();
        long begin = from;
        from =
            within(
                partition,
                () -> store.entries().copies(begin, entry -> entries.add(of(store, entry))));
        bytes +=
            entries.subList(before, entries.size()).stream().mapToLong(CopiedEntries::bytes).sum();
      }
    }
    return new Page(entries, null, FIRST);
  }

  private static long bytes(CopiedEntry entry) {
    return entry.image().length + (long) entry.key().bytes().length;
  }

  /**
   * Returns the entries of some keys, those that there are, read from the log where need be.
   *
   * @param unreadable told the keys whose records cannot be read
   */
  public List<CopiedEntry> of(
      int partition, Collection<CopiedKey> keys, Consumer<CopiedKey> unreadable) {
    List<CopiedEntry> found = new ArrayList<>();
    for (CopiedKey key : keys) {
      NativeRecordStore store = maps.partitions().store(key.map(), partition);
      if (store != null && isLogged(store)) {
        try {
          exclusively(
              partition,
              () ->
                  store
                      .entries()
                      .copy(key.bytes(), key.form(), record -> found.add(of(store, record))));
        } catch (LogUnreadableException | SpillUnreadableException | LoadingException e) {
          unreadable.accept(key);
        }
      }
    }
    return found;
  }

  private static CopiedEntry of(NativeRecordStore store, long record) {
    byte[] key = new byte[Records.keyLength(record)];
    Records.copyKey(record, key, 0);
    byte[] image = new byte[Records.bytes(record)];
    Memory.copy(record, image, 0, image.length);
    return new CopiedEntry(
        new CopiedKey(store.getName(), key, Records.keyForm(record)),
        Records.version(record),
        image);
  }

  /** Returns where the log has the record of a key, or 0 if there is none. */
  public long position(int partition, CopiedKey key) {
    return ofKey(partition, key, record -> record == 0 ? 0 : Records.logPosition(record));
  }

  /** Returns how often an entry was changed, as the engine counts it; -1 if it is not here. */
  public long version(int partition, CopiedKey key) {
    return ofKey(partition, key, record -> record == 0 ? -1 : Records.version(record));
  }

  private long ofKey(int partition, CopiedKey key, LongUnaryOperator question) {
    NativeRecordStore store = maps.partitions().store(key.map(), partition);
    if (store == null) {
      return question.applyAsLong(0);
    }
    return within(
        partition,
        () ->
            question.applyAsLong(
                store.entries().find(key.bytes(), 0, key.bytes().length, key.form())));
  }

  /** Replaces what there is of a key by an entry of another copy, and logs it. */
  public void take(int partition, CopiedEntry entry) {
    String map = entry.key().map();
    if (!maps.isLogged(map)) {
      return;
    }
    NativeRecordStore store = maps.partitions().storeForRestart(map, partition);
    withImage(
        entry,
        image ->
            maps.pending()
                .load(
                    () ->
                        exclusively(
                            partition,
                            () -> store.entries().restored().take(image, entry.image().length))));
  }

  /**
   * Takes the entry whose record the log did not give back, if it is still waited for.
   *
   * @param entry null if nobody has it: then it is given up
   */
  public void replace(int partition, CopiedKey key, long position, @Nullable CopiedEntry entry) {
    NativeRecordStore store = maps.partitions().store(key.map(), partition);
    if (store == null) {
      return;
    }
    if (entry == null) {
      exclusively(
          partition, () -> store.entries().restored().giveUp(key.bytes(), key.form(), position));
      return;
    }
    withImage(
        entry,
        image ->
            maps.pending()
                .load(
                    () ->
                        exclusively(
                            partition,
                            () -> {
                              RestoredEntries restored = store.entries().restored();
                              if (restored.waitsFor(key.bytes(), key.form(), position)) {
                                restored.take(image, entry.image().length);
                              }
                            })));
  }

  /** Takes an entry in the place of one that the log has lost, if that is here still. */
  public void takeLost(int partition, CopiedKey key, long position, CopiedEntry entry) {
    NativeRecordStore store = maps.partitions().store(key.map(), partition);
    if (store == null) {
      return;
    }
    withImage(
        entry,
        image ->
            exclusively(
                partition,
                () -> {
                  long record =
                      store.entries().find(key.bytes(), 0, key.bytes().length, key.form());
                  if (record != 0 && Records.logPosition(record) == position) {
                    store.entries().restored().take(image, entry.image().length);
                  }
                }));
  }

  /** Uses an image in memory. */
  private interface ImageTask {
    void run(long address);
  }

  private static void withImage(CopiedEntry entry, ImageTask task) {
    byte[] image = entry.image();
    try (AlignedMemory memory = AlignedMemory.allocate(image.length)) {
      Memory.copy(image, 0, memory.address(), image.length);
      task.run(memory.address());
    }
  }

  /** Removes an entry, if it is here, and logs that. */
  public void remove(int partition, CopiedKey key) {
    NativeRecordStore store = maps.partitions().store(key.map(), partition);
    if (store != null) {
      exclusively(
          partition, () -> store.entries().restored().removeLogged(key.bytes(), key.form()));
    }
  }

  private List<NativeRecordStore> stores(int partition) {
    return maps.partitions().stores(partition).stream()
        .filter(CopiedEntries::isLogged)
        .sorted(Comparator.comparing(NativeRecordStore::getName))
        .toList();
  }

  private static boolean isLogged(NativeRecordStore store) {
    return store.entries().keepsRecords();
  }

  private void exclusively(int partition, Runnable task) {
    maps.partitions().exclusively(partition, task);
  }

  private long within(int partition, LongSupplier task) {
    long[] result = new long[1];
    exclusively(partition, () -> result[0] = task.getAsLong());
    return result[0];
  }
}
