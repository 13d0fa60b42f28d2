package io.keyvalueserve.journal.sim;

import io.keyvalueserve.journal.DirectoryRefusedException;
import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.DiskFile;
import io.keyvalueserve.journal.NoSpaceException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory. What it does to whoever trusts it too much:
 *
 * <ul>
 *   <li>a crash keeps any subset of the sectors of 512 bytes that were written and not synced, so a
 *       write may be torn and a later one may survive an earlier one;
 *   <li>a crash undoes the last of the creations, removals and renames whose directory was not
 *       synced;
 *   <li>a file that grew may have its old size again, or its new one with zeros in it;
 *   <li>any operation fails if {@link Faults} say so; writes and creations fail when it is full;
 *   <li>bytes change on the medium ({@link #corrupt}).
 * </ul>
 *
 * <p>Reads and writes at anything but multiples of the block are refused, as direct I/O does. What
 * a crash does is decided by the caller's random numbers alone. Thread-safe.
 */
public final class SimulatedDisk implements Disk {
  /** A change of a directory that is not certain yet. */
  private record Change(String directory, Consumer<Map<String, SimulatedFile>> effect) {}

  private final int blockBytes;
  private Map<String, SimulatedFile> files = new TreeMap<>();
  private final Map<String, SimulatedFile> certain = new TreeMap<>();
  private List<Change> changes = new ArrayList<>();
  private final Set<String> locks = new HashSet<>();
  private Faults faults = Faults.NONE;
  private long capacityBytes = Long.MAX_VALUE;
  private int crashes;
  private long writtenBytes;
  private long writes;
  private long syncs;
  private int openFiles;

  /** An empty disk, whose blocks are a power of two from 512 on. */
  public SimulatedDisk(int blockBytes) {
    this.blockBytes = blockBytes;
  }

  // ---- what happens to it

  /** Says which operations fail from now on. */
  public synchronized void setFaults(Faults faults) {
    this.faults = faults;
  }

  /** Sets the bytes that all files together may have. */
  public synchronized void setCapacity(long bytes) {
    capacityBytes = bytes;
  }

  /** Changes a byte on the medium. */
  public synchronized void corrupt(String name, long offset, int xor) throws IOException {
    file(name).corrupt((int) offset, xor);
  }

  /** The power goes and comes back: whoever has files open cannot use them any more. */
  public synchronized void crash(RandomGenerator random) {
    crashes++;
    int kept = new int[] {0, 100, 50, 90, 10}[random.nextInt(5)];
    int survive = changes.isEmpty() ? 0 : random.nextInt(changes.size() + 1);
    for (Change change : changes.subList(0, survive)) {
      change.effect.accept(certain);
    }
    changes = new ArrayList<>();
    files = new TreeMap<>(certain);
    for (SimulatedFile file : files.values()) {
      file.crash(random, kept);
    }
    locks.clear();
    faults = Faults.NONE;
  }

  /**
   * The process that has files open is killed: all it wrote is seen, and no more certain than
   * before.
   */
  public synchronized void kill() {
    crashes++;
    locks.clear();
    faults = Faults.NONE;
  }

  /** Returns the number of writes. */
  public synchronized long writes() {
    return writes;
  }

  /** Returns the number of syncs. */
  public synchronized long syncs() {
    return syncs;
  }

  /** Returns the bytes that were written. */
  public synchronized long writtenBytes() {
    return writtenBytes;
  }

  /** Returns the number of open files. */
  public synchronized int openFiles() {
    return openFiles;
  }

  /** Returns whether a lock is held. */
  public synchronized boolean isLocked() {
    return !locks.isEmpty();
  }

  // ---- the disk

  @Override
  public int blockBytes() {
    return blockBytes;
  }

  @Override
  public String mode() {
    return "simulated";
  }

  @Override
  public synchronized DiskFile create(String name, long bytes) throws IOException {
    faults.before(Faults.Operation.CREATE, name, 0);
    if (files.containsKey(name)) {
      throw new FileAlreadyExistsException(name);
    }
    requireRoom(name, bytes);
    SimulatedFile file = new SimulatedFile((int) bytes);
    files.put(name, file);
    changes.add(new Change(directoryOf(name), all -> all.put(name, file)));
    return new Handle(name, file, true, bytes > 0 ? blockBytes : 1);
  }

  @Override
  public synchronized DiskFile open(String name, Access access) throws IOException {
    faults.before(Faults.Operation.OPEN, name, 0);
    int multiple = access == Access.CACHED ? 1 : blockBytes;
    return new Handle(name, file(name), access != Access.READ, multiple);
  }

  @Override
  public synchronized List<String> list(String directory) {
    String prefix = directory + "/";
    return files.keySet().stream()
        .filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length()))
        .toList();
  }

  @Override
  public synchronized boolean exists(String name) {
    return files.containsKey(name);
  }

  @Override
  public void makeDirectory(String directory) {
    // directories need no making here
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    faults.before(Faults.Operation.REMOVE, from, 0);
    SimulatedFile file = file(from);
    Consumer<Map<String, SimulatedFile>> effect =
        all -> {
          all.remove(from);
          all.put(to, file);
        };
    effect.accept(files);
    changes.add(new Change(directoryOf(to), effect));
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    faults.before(Faults.Operation.REMOVE, name, 0);
    if (files.remove(name) != null) {
      changes.add(new Change(directoryOf(name), all -> all.remove(name)));
    }
  }

  @Override
  public synchronized void syncDirectory(String directory) throws IOException {
    faults.before(Faults.Operation.SYNC, directory, 0);
    syncs++;
    List<Change> others = new ArrayList<>();
    for (Change change : changes) {
      if (change.directory.equals(directory)) {
        change.effect.accept(certain);
      } else {
        others.add(change);
      }
    }
    changes = others;
  }

  @Override
  public synchronized long freeBytes() {
    return capacityBytes - usedBytes();
  }

  @Override
  public String path(String name) {
    return "sim:/" + name;
  }

  @Override
  public synchronized Closeable lock(String name) {
    if (!locks.add(name)) {
      throw new DirectoryRefusedException(
          DirectoryRefusedException.Reason.LOCKED, "the journal is in use: sim:/" + name, null);
    }
    int taken = crashes;
    return () -> {
      synchronized (this) {
        if (taken == crashes) {
          locks.remove(name);
        }
      }
    };
  }

  private SimulatedFile file(String name) throws NoSuchFileException {
    SimulatedFile file = files.get(name);
    if (file == null) {
      throw new NoSuchFileException(name);
    }
    return file;
  }

  private void requireRoom(String name, long more) throws NoSpaceException {
    if (usedBytes() + more > capacityBytes) {
      throw new NoSpaceException("no space for " + path(name) + ": bytes=" + more);
    }
  }

  private long usedBytes() {
    return files.values().stream().mapToLong(SimulatedFile::size).sum();
  }

  private static String directoryOf(String name) {
    int slash = name.indexOf('/');
    return slash < 0 ? "" : name.substring(0, slash);
  }

  /** An open file. */
  private final class Handle implements DiskFile {
    private final String name;
    private @Nullable SimulatedFile file;
    private final boolean writable;
    private final int multiple;
    private final int opened = crashes;

    Handle(String name, SimulatedFile file, boolean writable, int multiple) {
      this.name = name;
      this.file = file;
      this.writable = writable;
      this.multiple = multiple;
      openFiles++; // the disk is held by whoever opens
    }

    @Override
    public void write(long offset, MemorySegment bytes) throws IOException {
      synchronized (SimulatedDisk.this) {
        SimulatedFile open = open(offset, bytes);
        if (!writable) {
          throw new IOException(name + " was opened for reading");
        }
        faults.before(Faults.Operation.WRITE, name, offset);
        requireRoom(name, Math.max(0, offset + bytes.byteSize() - open.size()));
        open.write((int) offset, bytes.toArray(ValueLayout.JAVA_BYTE));
        writes++;
        writtenBytes += bytes.byteSize();
      }
    }

    @Override
    public int read(long offset, MemorySegment bytes) throws IOException {
      synchronized (SimulatedDisk.this) {
        SimulatedFile open = open(offset, bytes);
        faults.before(Faults.Operation.READ, name, offset);
        byte[] read = new byte[(int) bytes.byteSize()];
        int length = open.read((int) offset, read);
        MemorySegment.copy(read, 0, bytes, ValueLayout.JAVA_BYTE, 0, length);
        return length;
      }
    }

    @Override
    public void sync() throws IOException {
      synchronized (SimulatedDisk.this) {
        SimulatedFile open = open(0, MemorySegment.NULL);
        faults.before(Faults.Operation.SYNC, name, 0);
        syncs++;
        open.sync();
      }
    }

    @Override
    public void truncate(long bytes) throws IOException {
      synchronized (SimulatedDisk.this) {
        open(0, MemorySegment.NULL).truncate((int) bytes);
      }
    }

    @Override
    public long size() throws IOException {
      synchronized (SimulatedDisk.this) {
        return open(0, MemorySegment.NULL).size();
      }
    }

    @Override
    public void close() throws IOException {
      synchronized (SimulatedDisk.this) {
        if (file != null) {
          file = null;
          openFiles--;
          faults.before(Faults.Operation.CLOSE, name, 0);
        }
      }
    }

    private SimulatedFile open(long offset, MemorySegment bytes) throws IOException {
      if (opened != crashes) {
        throw new IOException("the machine that had " + name + " open has crashed");
      }
      if (file == null) {
        throw new IOException(name + " was closed");
      }
      if (offset % multiple != 0
          || bytes.byteSize() % multiple != 0
          || (multiple > 1 && bytes.address() % multiple != 0)) {
        throw new IOException(
            "Invalid argument: %s at %d, %d bytes: no multiples of %d"
                .formatted(name, offset, bytes.byteSize(), multiple));
      }
      return file;
    }
  }
}
