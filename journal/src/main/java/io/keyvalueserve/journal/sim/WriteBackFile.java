package io.keyvalueserve.journal.sim;

import io.keyvalueserve.journal.DiskFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file of a {@link WriteBackDisk}, whatever names it has: on the medium what was synced, and here
 * the sectors, the size and the cut that were not.
 *
 * <p>Writes and reads go on while a sync writes to the medium. Thread-safe.
 */
final class WriteBackFile {
  static final int SECTOR_BYTES = 512;

  private static final int RUN_BYTES = 256 << 10;

  /** Held by whoever writes to the medium; taken before the monitor, which guards the rest. */
  private final ReentrantLock writing = new ReentrantLock();

  private NavigableMap<Long, byte[]> dirty = new TreeMap<>();
  private NavigableMap<Long, byte[]> underWay = Collections.emptyNavigableMap();
  private long size;

  /** Up to here the medium has what the file has, where no sector says otherwise. */
  private long valid;

  private @Nullable DiskFile medium; // open as long as anybody has the file open

  // ---- what the disk knows of it, under the disk's monitor

  /** The place of the file on the medium; null when it has been removed there. */
  WriteBackDirectory.@Nullable Place place;

  /** The number of the change that brought it to its place. */
  long placedBy;

  int handles;

  WriteBackFile(WriteBackDirectory.Place place) {
    this.place = place;
  }

  /** A new file, of zeros. */
  static WriteBackFile ofZeros(long bytes, WriteBackDirectory.Place place) {
    WriteBackFile file = new WriteBackFile(place);
    file.size = bytes;
    return file;
  }

  /** A file that the medium has. */
  static WriteBackFile existing(long bytes, WriteBackDirectory.Place place) {
    WriteBackFile file = ofZeros(bytes, place);
    file.valid = bytes;
    return file;
  }

  synchronized void attach(DiskFile opened) {
    medium = opened;
  }

  /** Nothing reaches the medium through it any more. */
  void detach() throws IOException {
    writing.lock();
    try {
      DiskFile open;
      synchronized (this) {
        open = medium;
        medium = null;
      }
      if (open != null) {
        open.close();
      }
    } finally {
      writing.unlock();
    }
  }

  private synchronized DiskFile medium() throws IOException {
    if (medium == null) {
      throw new IOException("the file was closed");
    }
    return medium;
  }

  // ---- what its users see

  synchronized long size() {
    return size;
  }

  synchronized void write(long offset, MemorySegment bytes) throws IOException {
    long end = offset + bytes.byteSize();
    for (long at = offset; at < end; ) {
      int from = (int) (at % SECTOR_BYTES);
      int length = (int) Math.min(SECTOR_BYTES - from, end - at);
      byte[] sector = toChange(at / SECTOR_BYTES, length == SECTOR_BYTES);
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at - offset, sector, from, length);
      at += length;
    }
    size = Math.max(size, end);
  }

  private byte[] toChange(long sector, boolean whole) throws IOException {
    byte[] present = dirty.get(sector);
    if (present == null) {
      byte[] before = underWay.get(sector);
      if (before != null) {
        present = before.clone();
      } else {
        present = new byte[SECTOR_BYTES];
        if (!whole) {
          readMedium(sector * SECTOR_BYTES, MemorySegment.ofArray(present));
        }
      }
      dirty.put(sector, present);
    }
    return present;
  }

  synchronized int read(long offset, MemorySegment bytes) throws IOException {
    int length = (int) Math.max(0, Math.min(bytes.byteSize(), size - offset));
    if (length > 0) {
      MemorySegment to = bytes.asSlice(0, length).fill((byte) 0);
      readMedium(offset, to);
      overlay(underWay, offset, to);
      overlay(dirty, offset, to);
    }
    return length;
  }

  private void readMedium(long offset, MemorySegment to) throws IOException {
    long there = Math.min(to.byteSize(), valid - offset);
    if (there > 0 && medium().read(offset, to.asSlice(0, there)) != there) {
      throw new IOException("the medium has less than was synced");
    }
  }

  private static void overlay(NavigableMap<Long, byte[]> sectors, long offset, MemorySegment to) {
    long end = offset + to.byteSize();
    for (Map.Entry<Long, byte[]> each :
        sectors.subMap(offset / SECTOR_BYTES, true, (end - 1) / SECTOR_BYTES, true).entrySet()) {
      long start = each.getKey() * SECTOR_BYTES;
      long from = Math.max(start, offset);
      int length = (int) (Math.min(start + SECTOR_BYTES, end) - from);
      MemorySegment.copy(
          each.getValue(), (int) (from - start), to, ValueLayout.JAVA_BYTE, from - offset, length);
    }
  }

  void truncate(long bytes) {
    writing.lock();
    try {
      synchronized (this) {
        if (bytes < size) {
          dirty.tailMap((bytes + SECTOR_BYTES - 1) / SECTOR_BYTES, true).clear();
          byte[] last = dirty.get(bytes / SECTOR_BYTES);
          if (last != null) {
            Arrays.fill(last, (int) (bytes % SECTOR_BYTES), SECTOR_BYTES, (byte) 0);
          }
          valid = Math.min(valid, bytes);
          size = bytes;
        }
      }
    } finally {
      writing.unlock();
    }
  }

  // ---- what reaches the medium

  /** Has the medium be as the file was when this was called, and synced. */
  void sync() throws IOException {
    writing.lock();
    try {
      NavigableMap<Long, byte[]> sectors;
      long bytes;
      long kept;
      synchronized (this) {
        sectors = dirty;
        underWay = sectors;
        dirty = new TreeMap<>();
        bytes = size;
        kept = valid;
      }
      boolean done = false;
      try {
        DiskFile to = medium();
        cut(to, kept);
        write(to, sectors, bytes);
        grow(to, bytes);
        to.sync();
        done = true;
      } finally {
        synchronized (this) {
          underWay = Collections.emptyNavigableMap();
          if (done) {
            valid = bytes;
          } else {
            sectors.putAll(dirty);
            dirty = sectors;
          }
        }
      }
    } finally {
      writing.unlock();
    }
  }

  /**
   * Lets some of what was not synced through to the medium: sectors, the size, the cut. It stays
   * unsynced.
   */
  void writeBackSome(Writeback chance) throws IOException {
    if (!writing.tryLock()) {
      return; // a sync does it all
    }
    try {
      NavigableMap<Long, byte[]> some = new TreeMap<>();
      long bytes;
      long kept;
      synchronized (this) {
        int percent = chance.percent();
        dirty.forEach(
            (sector, content) -> {
              if (chance.in100(percent)) {
                some.put(sector, content.clone());
              }
            });
        bytes = size;
        kept = valid;
      }
      DiskFile to = medium();
      if (chance.in100(50)) {
        cut(to, kept);
      }
      write(to, some, bytes);
      if (chance.in100(50)) {
        grow(to, bytes);
      }
    } finally {
      writing.unlock();
    }
  }

  private static void cut(DiskFile to, long bytes) throws IOException {
    if (to.size() > bytes) {
      to.truncate(bytes);
    }
  }

  /** Sectors that lie side by side are written at once; the last one as far as the file goes. */
  private static void write(DiskFile to, NavigableMap<Long, byte[]> sectors, long fileBytes)
      throws IOException {
    byte[] run = new byte[sectors.isEmpty() ? 0 : RUN_BYTES];
    int length = 0;
    long start = 0;
    for (Map.Entry<Long, byte[]> each : sectors.entrySet()) {
      long offset = each.getKey() * SECTOR_BYTES;
      if (length == RUN_BYTES || offset != start + length) {
        write(to, start, run, length, fileBytes);
        start = offset;
        length = 0;
      }
      System.arraycopy(each.getValue(), 0, run, length, SECTOR_BYTES);
      length += SECTOR_BYTES;
    }
    write(to, start, run, length, fileBytes);
  }

  private static void write(DiskFile to, long offset, byte[] run, int length, long fileBytes)
      throws IOException {
    long bytes = Math.min(length, fileBytes - offset);
    if (bytes > 0) {
      to.write(offset, MemorySegment.ofArray(run).asSlice(0, bytes));
    }
  }

  /** Makes a file longer, with zeros. */
  private static void grow(DiskFile to, long bytes) throws IOException {
    if (to.size() < bytes) {
      to.write(bytes - 1, MemorySegment.ofArray(new byte[1]));
    }
  }
}
