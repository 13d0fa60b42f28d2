package io.keyvalueserve.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The memory of a file: on an FS-DAX mount the device's own, elsewhere the page cache.
 *
 * <p>The file has its whole size and space from the beginning: a full disk is an error at open, not
 * a signal that kills the process later. It is locked while it is used, so that whoever opens a
 * pool in the directory can tell the files of dead processes, and remove them.
 */
final class FileSource implements PageSource {

  static final String PREFIX = "kvs-";
  static final String SUFFIX = ".pages";

  private static final int ATTEMPTS = 100;

  private final Path path;
  private final int file;
  private final Extent extent;
  private final String detail;
  private final int node;

  private FileSource(Path path, int file, Extent extent, String detail, int node) {
    this.path = path;
    this.file = file;
    this.extent = extent;
    this.detail = detail;
    this.node = node;
  }

  /**
   * Removes the files of dead processes, then makes a new one.
   *
   * @throws MemorySourceException if there is no such directory, or no space; no file is left
   */
  static FileSource open(PoolConfig pool, Source.Directory source, Machine machine) {
    Path directory = requireDirectory(pool, source.path());
    removeStale(directory);
    requireRoom(pool, directory, pool.wholePageBytes());
    Locked locked = create(pool, directory);
    try {
      long bytes = pool.wholePageBytes();
      LibC.allocate(locked.file(), bytes);
      boolean sync = source.mapSync() && offersSync(locked.file());
      int flags = sync ? LibC.MAP_SHARED_VALIDATE | LibC.MAP_SYNC : LibC.MAP_SHARED;
      // Huge mappings of DAX need it.
      long alignment =
          bytes < Source.HugePages.TWO_MIB ? PageHeap.PAGE_BYTES : Source.HugePages.TWO_MIB;
      Extent extent = Mappings.file(locked.file(), bytes, alignment, flags);
      int node = source.node() >= 0 ? source.node() : machine.nodeOf(directory);
      String detail =
          directory + (source.mapSync() ? sync ? " MAP_SYNC" : " without MAP_SYNC" : "");
      return new FileSource(locked.path(), locked.file(), extent, detail, node);
    } catch (LibC.Failure e) {
      remove(locked.path(), locked.file());
      throw new MemorySourceException(
          "pool '%s' cannot use a file in directory %s: bytes=%d"
              .formatted(pool.name(), directory, pool.wholePageBytes()),
          e);
    }
  }

  static Path requireDirectory(PoolConfig pool, Path directory) {
    if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
      throw new MemorySourceException(
          "pool '%s' needs a directory it may write to: %s %s; create it, or mount the device there"
              .formatted(
                  pool.name(),
                  directory,
                  Files.isDirectory(directory) ? "is not writable" : "is no directory"));
    }
    return directory;
  }

  /** Asked first: allocating too much would fill the disk for everybody before it fails. */
  static void requireRoom(PoolConfig pool, Path directory, long bytes) {
    long free = freeBytes(directory);
    if (free < bytes) {
      throw new MemorySourceException(
          """
              pool '%s' does not fit into directory %s: bytes=%d free=%d; lower its capacity or \
              make room"""
              .formatted(pool.name(), directory, bytes, free));
    }
  }

  static long freeBytes(Path directory) {
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      return 0;
    }
  }

  /** Removes the files that no living process has locked; returns how many. */
  static int removeStale(Path directory) {
    int removed = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*" + SUFFIX)) {
      for (Path path : files) {
        removed += removeIfStale(path) ? 1 : 0;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + directory, e);
    }
    return removed;
  }

  private static boolean removeIfStale(Path path) {
    try {
      int file = LibC.open(path.toString());
      try {
        LibC.lock(file);
        Files.deleteIfExists(path);
        return true;
      } finally {
        LibC.close(file);
      }
    } catch (LibC.Failure | IOException e) {
      return false; // in use, gone meanwhile, or not ours to remove
    }
  }

  /** A new file that this process has locked. */
  private record Locked(Path path, int file) {}

  private static Locked create(PoolConfig pool, Path directory) {
    long pid = ProcessHandle.current().pid();
    for (int attempt = 0; ; attempt++) {
      Path path =
          directory.resolve(
              PREFIX
                  + pool.name()
                  + "."
                  + pid
                  + "."
                  + Long.toHexString(System.nanoTime())
                  + SUFFIX);
      try {
        int file = LibC.create(path.toString());
        try {
          LibC.lock(file);
          if (Files.exists(path)) {
            return new Locked(path, file);
          }
          LibC.close(file);
        } catch (LibC.Failure e) {
          remove(path, file);
          throw e;
        }
      } catch (LibC.Failure e) {
        if (attempt >= ATTEMPTS || !Files.isWritable(directory)) {
          throw new MemorySourceException(
              "pool '%s' cannot create and lock a file in directory %s"
                  .formatted(pool.name(), directory),
              e);
        }
      }
      // Somebody who removes stale files came between creating and locking: again, by a new name.
    }
  }

  /** Asks with one page: a device either has it for all or for none. */
  private static boolean offersSync(int file) {
    try {
      long address =
          LibC.mmap(
              0,
              PageHeap.PAGE_BYTES,
              LibC.PROT_READ_WRITE,
              LibC.MAP_SHARED_VALIDATE | LibC.MAP_SYNC,
              file);
      LibC.munmap(address, PageHeap.PAGE_BYTES);
      return true;
    } catch (LibC.Failure e) {
      return false;
    }
  }

  private static void remove(Path path, int file) {
    try {
      Files.deleteIfExists(path);
      LibC.close(file);
    } catch (IOException | LibC.Failure e) {
      throw new IllegalStateException("a file of this process must be removable: " + path, e);
    }
  }

  @Override
  public String kind() {
    return "file";
  }

  @Override
  public String detail() {
    return detail;
  }

  @Override
  public int node() {
    return node;
  }

  @Override
  public List<Extent> extents() {
    return List.of(extent);
  }

  /** Its space stays reserved: giving it back would make a full disk possible again. */
  @Override
  public boolean discards() {
    return false;
  }

  @Override
  public void discard(long address, long bytes) {
    throw new UnsupportedOperationException("the space of a file stays reserved");
  }

  @Override
  public void close() {
    Mappings.unmap(extent);
    remove(path, file);
  }
}
