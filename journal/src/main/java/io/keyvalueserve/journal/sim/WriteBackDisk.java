package io.keyvalueserve.journal.sim;

import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.DiskFile;
import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.NoSpaceException;
import io.keyvalueserve.journal.sim.WriteBackDirectory.Place;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory of a file system whose cache is in this process: what is not synced is not in the
 * file system, and gone with the process. So a process that is killed loses what a machine loses
 * whose power goes.
 *
 * <ul>
 *   <li>Bytes, the size and cuts of a file reach the file system when the file is synced.
 *   <li>That a file or a directory is there, is gone, or has another name does when the directory
 *       is synced that it is in; of a rename it is the one with the new name, and old and new name
 *       change at once.
 *   <li>With a seed, some of it does before: any sectors of 512 bytes, the size with zeros, the
 *       first of a directory's changes.
 *   <li>Everybody in this process sees everything at once.
 * </ul>
 *
 * <p>A file that no synced directory names is in {@code .unsynced}, which is emptied when the disk
 * is opened. There must be one disk for a directory, and nobody else may use the directory
 * meanwhile; locks are the file system's own. Thread-safe.
 */
public final class WriteBackDisk implements Disk {
  private static final String STAGING = ".unsynced";

  private final Path root;
  private final FileDisk medium;
  private final Writeback writeback;
  private final boolean syncing;

  /**
   * The files seen under the names that were asked for or changed; empty for files that are gone.
   */
  private final Map<String, Optional<WriteBackFile>> names = new HashMap<>();

  private final Map<String, WriteBackDirectory> directories = new HashMap<>();
  private final Set<WriteBackFile> open = new HashSet<>();
  private final List<Closeable> locks = new ArrayList<>();
  private final WriteBackDirectory staging;
  private long staged;
  private long changes;
  private volatile boolean crashed;

  private WriteBackDisk(Path root, OptionalLong seed, boolean syncing) throws IOException {
    this.root = root;
    this.syncing = syncing;
    medium = FileDisk.at(root);
    writeback = new Writeback(seed);
    empty(root.resolve(STAGING));
    medium.makeDirectory(STAGING);
    WriteBackDirectory top = new WriteBackDirectory(medium, null);
    directories.put("", top);
    staging = new WriteBackDirectory(medium, top.place(STAGING));
  }

  /**
   * A directory that is there or can be made.
   *
   * @param seed what reaches the file system before it is synced; nothing does without
   */
  public static WriteBackDisk at(Path root, OptionalLong seed) throws IOException {
    return new WriteBackDisk(root, seed, true);
  }

  /**
   * A directory of which the file system gets nothing: a sync returns at once. A check that does
   * not find that finds nothing.
   */
  public static WriteBackDisk thatNeverSyncs(Path root) throws IOException {
    return new WriteBackDisk(root, OptionalLong.empty(), false);
  }

  private static void empty(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /**
   * Forgets what was not synced, as if the process had been killed, and cannot be used any more:
   * somebody else may have the directory now.
   */
  public synchronized void crash() throws IOException {
    crashed = true;
    for (WriteBackFile file : open) {
      file.detach();
    }
    for (Closeable lock : locks) {
      lock.close();
    }
    locks.clear();
  }

  // ---- the disk

  @Override
  public int blockBytes() {
    return medium.blockBytes();
  }

  @Override
  public String mode() {
    return syncing ? "what is not synced is lost" : "everything is lost";
  }

  @Override
  public synchronized DiskFile create(String name, long bytes) throws IOException {
    requireRunning();
    if (lookup(name).isPresent()) {
      throw new FileAlreadyExistsException(name);
    }
    if (bytes > medium.freeBytes()) {
      throw new NoSpaceException("no space for " + path(name) + ": bytes=" + bytes);
    }
    WriteBackDirectory directory = directoryOf(name);
    Place place = stage();
    medium.create(place.path(), 0).close();
    WriteBackFile file = WriteBackFile.ofZeros(bytes, place);
    names.put(name, Optional.of(file));
    directory.named(baseOf(name), file, ++changes);
    Handle handle = new Handle(name, file, true);
    changed(directory);
    return handle;
  }

  @Override
  public synchronized DiskFile open(String name, Access access) throws IOException {
    requireRunning();
    WriteBackFile file = lookup(name).orElseThrow(() -> new NoSuchFileException(path(name)));
    return new Handle(name, file, access != Access.READ);
  }

  @Override
  public synchronized List<String> list(String directory) throws IOException {
    requireRunning();
    WriteBackDirectory there = directory(directory);
    if (there == null) {
      return List.of();
    }
    String prefix = directory.isEmpty() ? "" : directory + "/";
    Set<String> list = new TreeSet<>(medium.list(there.path()));
    names.forEach(
        (name, file) -> {
          if (parentOf(name).equals(directory)) {
            if (file.isPresent()) {
              list.add(name.substring(prefix.length()));
            } else {
              list.remove(name.substring(prefix.length()));
            }
          }
        });
    return List.copyOf(list);
  }

  @Override
  public synchronized boolean exists(String name) throws IOException {
    requireRunning();
    return lookup(name).isPresent() || directory(name) != null;
  }

  @Override
  public synchronized void makeDirectory(String name) throws IOException {
    requireRunning();
    if (directory(name) == null) {
      makeDirectory(parentOf(name));
      WriteBackDirectory parent = directoryOf(name);
      WriteBackDirectory made = new WriteBackDirectory(medium, stage());
      medium.makeDirectory(made.path());
      directories.put(name, made);
      parent.made(baseOf(name), made);
      changed(parent);
    }
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    requireRunning();
    WriteBackFile file = lookup(from).orElseThrow(() -> new NoSuchFileException(path(from)));
    WriteBackDirectory directory = directoryOf(to);
    names.put(from, Optional.empty());
    names.put(to, Optional.of(file));
    directory.named(baseOf(to), file, ++changes);
    changed(directory);
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    requireRunning();
    WriteBackFile file = lookup(name).orElse(null);
    if (file != null) {
      names.put(name, Optional.empty());
      directoryOf(name).removed(baseOf(name), file);
      changed(directoryOf(name));
    }
  }

  @Override
  public synchronized void syncDirectory(String name) throws IOException {
    requireRunning();
    WriteBackDirectory directory = directory(name);
    if (directory == null) {
      throw new NoSuchFileException(path(name));
    }
    if (syncing) {
      directory.settle(directory.changes(), this);
      medium.syncDirectory(directory.path());
    }
  }

  @Override
  public long freeBytes() throws IOException {
    return medium.freeBytes();
  }

  @Override
  public String path(String name) {
    return medium.path(name);
  }

  @Override
  public synchronized Closeable lock(String name) throws IOException {
    requireRunning();
    Closeable lock = medium.lock(directoryOf(name).place(baseOf(name)).path());
    locks.add(lock);
    return () -> unlock(lock);
  }

  private synchronized void unlock(Closeable lock) throws IOException {
    if (locks.remove(lock)) { // a crash has done it else
      lock.close();
    }
  }

  private void requireRunning() throws IOException {
    if (crashed) {
      throw new IOException("the process that used this disk has crashed");
    }
  }

  // ---- names

  private Optional<WriteBackFile> lookup(String name) throws IOException {
    Optional<WriteBackFile> known = names.get(name);
    WriteBackDirectory directory = directory(parentOf(name));
    if (known != null || directory == null) {
      return known == null ? Optional.empty() : known;
    }
    Place place = directory.place(baseOf(name));
    if (!Files.isRegularFile(root.resolve(place.path()))) {
      return Optional.empty();
    }
    WriteBackFile file = WriteBackFile.existing(Files.size(root.resolve(place.path())), place);
    directory.has(place.base(), file);
    names.put(name, Optional.of(file));
    return Optional.of(file);
  }

  private WriteBackDirectory directoryOf(String name) throws IOException {
    WriteBackDirectory directory = directory(parentOf(name));
    if (directory == null) {
      throw new NoSuchFileException(path(parentOf(name)));
    }
    return directory;
  }

  private @Nullable WriteBackDirectory directory(String name) {
    WriteBackDirectory known = directories.get(name);
    if (known == null) {
      WriteBackDirectory parent = directory(parentOf(name));
      if (parent != null && Files.isDirectory(root.resolve(parent.place(baseOf(name)).path()))) {
        known = new WriteBackDirectory(medium, parent.place(baseOf(name)));
        directories.put(name, known);
      }
    }
    return known;
  }

  private Place stage() {
    return staging.place(Long.toString(++staged));
  }

  /** A directory has one change more, and some of them may be certain before they are synced. */
  private void changed(WriteBackDirectory directory) throws IOException {
    if (writeback.isNow()) {
      directory.settle(writeback.upTo(directory.changes()), this);
    }
  }

  /**
   * Another file is about to take a file's place on the medium: if it has another name, which is
   * not certain, there must be something to give that name to.
   */
  void keepIfNamed(WriteBackFile file) throws IOException {
    Place place = file.place;
    if (place != null) {
      Place kept = null;
      if (names.containsValue(Optional.of(file))) {
        kept = stage();
        Files.createLink(root.resolve(kept.path()), root.resolve(place.path()));
      }
      file.place = kept;
    }
  }

  private static String parentOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('/')));
  }

  private static String baseOf(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  private void attach(WriteBackFile file) throws IOException {
    Place place = file.place;
    if (place == null) {
      throw new IllegalStateException("a file that is nowhere was opened");
    }
    if (file.handles == 0) {
      file.attach(medium.open(place.path(), Access.CACHED));
      open.add(file);
    }
    file.handles++;
  }

  private synchronized void detach(WriteBackFile file) throws IOException {
    if (--file.handles == 0) {
      open.remove(file);
      file.detach();
    }
  }

  /** An open file. */
  private final class Handle implements DiskFile {
    private final String name;
    private final WriteBackFile file;
    private final boolean writable;
    private final AtomicBoolean closed = new AtomicBoolean();

    Handle(String name, WriteBackFile file, boolean writable) throws IOException {
      this.name = name;
      this.file = file;
      this.writable = writable;
      attach(file); // under the disk's monitor, as whoever opens is
    }

    @Override
    public void write(long offset, MemorySegment bytes) throws IOException {
      requireWritable();
      file.write(offset, bytes);
      if (writeback.isNow()) {
        file.writeBackSome(writeback);
      }
    }

    @Override
    public int read(long offset, MemorySegment bytes) throws IOException {
      requireOpen();
      return file.read(offset, bytes);
    }

    @Override
    public void sync() throws IOException {
      requireOpen();
      if (syncing) {
        file.sync();
      }
    }

    @Override
    public void truncate(long bytes) throws IOException {
      requireWritable();
      file.truncate(bytes);
    }

    @Override
    public long size() throws IOException {
      requireOpen();
      return file.size();
    }

    @Override
    public void close() throws IOException {
      synchronized (WriteBackDisk.this) {
        if (!closed.getAndSet(true) && !crashed) {
          detach(file);
        }
      }
    }

    private void requireWritable() throws IOException {
      requireOpen();
      if (!writable) {
        throw new IOException(name + " was opened for reading");
      }
    }

    private void requireOpen() throws IOException {
      requireRunning();
      if (closed.get()) {
        throw new IOException(name + " was closed");
      }
    }
  }
}
