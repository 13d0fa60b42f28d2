package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory of a file system. Files are read and written without the system's cache where the
 * file system can (direct I/O); where it cannot, through it.
 */
public final class FileDisk implements Disk {
  private final Path root;
  private final int blockBytes;
  private final boolean direct;
  private final String mode;

  private FileDisk(Path root, int blockBytes, boolean direct, String mode) {
    this.root = root;
    this.blockBytes = blockBytes;
    this.direct = direct;
    this.mode = mode;
  }

  /**
   * A directory that is there or can be made.
   *
   * @throws DirectoryRefusedException if it is not and cannot, or cannot be written
   */
  public static FileDisk at(Path directory) {
    try {
      makeDirectories(directory);
    } catch (IOException e) {
      throw readOnly(directory, e);
    }
    if (!Files.isWritable(directory)) {
      throw readOnly(directory, null);
    }
    return probed(directory, directory.resolve(".direct-probe"));
  }

  /** Makes a directory, and those above it, unless they are there; that they are is certain. */
  public static void makeDirectories(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      makeDirectories(parent);
    }
    Files.createDirectories(
        directory, PrivateFiles.ofFolder(directory)); // somebody else may have made it meanwhile
    if (parent != null) {
      sync(parent);
    }
  }

  /** A directory that is only read. */
  public static FileDisk readingAt(Path directory) throws IOException {
    try (Stream<Path> chunks = Files.list(directory.resolve(LogFiles.CHUNKS))) {
      return probed(directory, chunks.findAny().orElse(null));
    } catch (IOException e) {
      return probed(directory, null);
    }
  }

  private static FileDisk probed(Path directory, @Nullable Path file) {
    boolean exists = file != null && Files.exists(file);
    OpenOption option = DirectOption.DIRECT;
    if (file == null || option == null) {
      return new FileDisk(directory, AlignedMemory.ALIGNMENT, false, "cached (not probed)");
    }
    try {
      int block = (int) Files.getFileStore(directory).getBlockSize();
      if (block > AlignedMemory.ALIGNMENT || Integer.bitCount(block) != 1) {
        return new FileDisk(
            directory, AlignedMemory.ALIGNMENT, false, "cached (blocks of " + block + " bytes)");
      }
      Set<OpenOption> options =
          exists
              ? Set.of(StandardOpenOption.READ, option)
              : Set.of(
                  StandardOpenOption.CREATE_NEW,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.DELETE_ON_CLOSE,
                  option);
      FileChannel.open(file, options).close();
      // 4096 even if blocks are smaller: a page of the device is what a crash tears or does not.
      return new FileDisk(directory, AlignedMemory.ALIGNMENT, true, "direct");
    } catch (IOException | UnsupportedOperationException e) {
      return new FileDisk(directory, AlignedMemory.ALIGNMENT, false, "cached (" + e + ")");
    }
  }

  private static DirectoryRefusedException readOnly(Path directory, @Nullable IOException cause) {
    return new DirectoryRefusedException(
        DirectoryRefusedException.Reason.READ_ONLY,
        "the journal needs a directory it may write to: %s: %s; mend that, or choose another directory"
            .formatted(
                directory,
                cause == null
                    ? "this account may not write there, or the file system is read-only"
                    : FileTrouble.of(cause)),
        cause);
  }

  @Override
  public int blockBytes() {
    return blockBytes;
  }

  @Override
  public String mode() {
    return mode;
  }

  @Override
  public DiskFile create(String name, long bytes) throws IOException {
    Path path = root.resolve(name);
    try {
      FileChannel.open(
              path,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PrivateFiles.ofFile(path))
          .close();
    } catch (IOException e) {
      throw ChannelFile.translated(e, path, 0);
    }
    if (bytes > 0) {
      int error = Preallocation.allocate(path, bytes);
      if (error == Preallocation.ENOSPC || error == Preallocation.EDQUOT) {
        Files.deleteIfExists(path);
        throw new NoSpaceException("no space for " + path + ": bytes=" + bytes);
      }
    }
    try {
      return open(name, Access.WRITE);
    } catch (IOException e) {
      Ending ending = new Ending();
      ending.add(e);
      ending.step(() -> Files.deleteIfExists(path));
      throw e;
    }
  }

  @Override
  public DiskFile open(String name, Access access) throws IOException {
    List<OpenOption> options = new ArrayList<>();
    options.add(StandardOpenOption.READ);
    if (access != Access.READ) {
      options.add(StandardOpenOption.WRITE);
    }
    OpenOption option = DirectOption.DIRECT;
    if (access != Access.CACHED && direct && option != null) {
      options.add(option);
    }
    Path path = root.resolve(name);
    return new ChannelFile(path, FileChannel.open(path, Set.copyOf(options)));
  }

  @Override
  public List<String> list(String directory) throws IOException {
    Path path = root.resolve(directory);
    if (Files.notExists(path)) { // else, if it cannot be read, it is not taken for empty
      return List.of();
    }
    try (Stream<Path> files = Files.list(path)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  @Override
  public boolean exists(String name) throws IOException {
    Path path = root.resolve(name);
    if (Files.exists(path)) {
      return true;
    }
    if (Files.notExists(path)) {
      return false;
    }
    throw new AccessDeniedException(path.toString(), null, "it is not known whether it is there");
  }

  @Override
  public void makeDirectory(String directory) throws IOException {
    Path path = root.resolve(directory);
    Files.createDirectories(path, PrivateFiles.ofFolder(path));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    try {
      Files.move(root.resolve(from), root.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException("a journal must lie on one file system: " + root, e);
    }
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(root.resolve(name));
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    sync(root.resolve(directory));
  }

  private static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public long freeBytes() throws IOException {
    return Files.getFileStore(root).getUsableSpace();
  }

  @Override
  public String path(String name) {
    return root.resolve(name).toString();
  }

  @Override
  public Closeable lock(String name) throws IOException {
    return DirectoryLock.take(root.resolve(name));
  }
}
