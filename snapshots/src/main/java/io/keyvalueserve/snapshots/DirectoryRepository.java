package io.keyvalueserve.snapshots;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A repository in a directory that every member sees, such as a network file system.
 *
 * <p>An object is written to a temporary file beside it, forced to the disk, renamed, and then the
 * directory is forced too. Directories have mode 0700 and files 0600. The root may be a symbolic
 * link; below it every symbolic link is refused, so nothing outside is read or written.
 */
public final class DirectoryRepository implements Repository {
  /** No more folders are remembered, as a repository may have very many. */
  private static final int MOST_KNOWN = 4_096;

  private static final String TEMPORARY = ".tmp-";
  private static final Duration LEFTOVER = Duration.ofDays(1);
  private static final int TRIES = 3;
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** The steps of a write, for tests that let one fail. */
  enum Step {
    CREATE,
    WRITE_SECOND_HALF,
    SYNC,
    RENAME,
    SYNC_DIRECTORY
  }

  /** An action before each step of a write. It throws to let the step fail. */
  @FunctionalInterface
  interface Steps {
    void before(Step step) throws IOException;
  }

  private final Path root;
  private final Steps steps;
  private final InstantSource clock;

  /** The folders that are known to be forced. */
  private final Set<Path> durable = ConcurrentHashMap.newKeySet();

  private DirectoryRepository(Path root, Steps steps, InstantSource clock) {
    this.root = root;
    this.steps = steps;
    this.clock = clock;
  }

  /**
   * Opens a directory; creates it if only its last name is missing.
   *
   * @throws SnapshotException if it cannot be created, is no directory or is not writable
   */
  public static DirectoryRepository open(Path path) {
    return open(path, step -> {}, InstantSource.system());
  }

  static DirectoryRepository open(Path path, Steps steps, InstantSource clock) {
    try {
      if (!Files.exists(path)) {
        createRoot(path);
      }
      Path root = path.toRealPath();
      if (!Files.isDirectory(root)) {
        throw new SnapshotException(
            SnapshotException.Kind.NO_REPOSITORY, path + " is no directory: give another path");
      }
      if (!Files.isWritable(root) || !Files.isReadable(root) || !Files.isExecutable(root)) {
        throw new SnapshotException(
            SnapshotException.Kind.DENIED,
            path + " is not writable: give it to the user that runs the service, with mode 0700");
      }
      return new DirectoryRepository(root, steps, clock);
    } catch (IOException e) {
      throw failure("the directory " + path, e);
    }
  }

  private static void createRoot(Path path) throws IOException {
    try {
      Path _ = Files.createDirectory(path, PRIVATE_DIRECTORY);
      sync(requireNonNull(path.getParent()));
    } catch (FileAlreadyExistsException e) {
      // Another member was first.
    } catch (NoSuchFileException e) {
      throw new SnapshotException(
          SnapshotException.Kind.NO_REPOSITORY,
          path
              + " does not exist, nor does the directory above it: create it, or mount it on every"
              + " member");
    }
  }

  @Override
  public void write(String name, byte[] bytes) {
    Path target = place(ObjectName.checked(name));
    if (bytes.length > LARGEST_OBJECT) {
      throw tooLarge(name);
    }
    try {
      for (int tried = 1; ; tried++) {
        try {
          refuseLinks(name);
          Path folder = requireNonNull(target.getParent());
          createFolders(folder);
          write(folder, target, bytes);
          return;
        } catch (NoSuchFileException e) {
          if (tried == TRIES) { // a sweep may remove a directory that is empty
            throw e;
          }
        }
      }
    } catch (IOException e) {
      throw failure(name, e);
    }
  }

  private void write(Path folder, Path target, byte[] bytes) throws IOException {
    Path temporary = folder.resolve(TEMPORARY + UUID.randomUUID());
    steps.before(Step.CREATE);
    boolean renamed = false;
    try {
      try (FileChannel file =
          FileChannel.open(
              temporary,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PRIVATE_FILE)) {
        write(file, ByteBuffer.wrap(bytes, 0, bytes.length / 2));
        steps.before(Step.WRITE_SECOND_HALF);
        write(file, ByteBuffer.wrap(bytes, bytes.length / 2, bytes.length - bytes.length / 2));
        steps.before(Step.SYNC);
        file.force(true);
      }
      steps.before(Step.RENAME);
      Path _ = Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      renamed = true;
    } finally {
      if (!renamed) {
        boolean _ = Files.deleteIfExists(temporary);
      }
    }
    steps.before(Step.SYNC_DIRECTORY);
    sync(folder);
  }

  private static void write(FileChannel file, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      int _ = file.write(bytes);
    }
  }

  private static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /**
   * Creates a folder and those above it. One that exists may have been created a moment ago by
   * another member that has not forced it to the disk, so each is forced once.
   */
  private void createFolders(Path folder) throws IOException {
    if (folder.equals(root)
        || (durable.contains(folder) && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS))) {
      return;
    }
    Path above = requireNonNull(folder.getParent());
    createFolders(above);
    try {
      Path _ = Files.createDirectory(folder, PRIVATE_DIRECTORY);
    } catch (FileAlreadyExistsException e) {
      // It is forced all the same.
    }
    sync(above);
    if (durable.size() >= MOST_KNOWN) {
      durable.clear(); // they are forced once more
    }
    boolean _ = durable.add(folder);
  }

  @Override
  public @Nullable Item find(String name) {
    Path path = place(ObjectName.checked(name));
    try {
      refuseLinks(name);
      BasicFileAttributes attributes =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return attributes.isRegularFile() ? item(name, attributes) : null;
    } catch (IOException e) {
      if (isMissing(e)) {
        return null;
      }
      throw failure(name, e);
    }
  }

  private static Item item(String name, BasicFileAttributes attributes) {
    return new Item(name, attributes.size(), attributes.lastModifiedTime().toInstant());
  }

  @Override
  public byte[] read(String name) {
    return read(name, LARGEST_OBJECT, true);
  }

  @Override
  public byte[] readStart(String name, int most) {
    return read(name, most, false);
  }

  private byte[] read(String name, int most, boolean whole) {
    Path path = place(ObjectName.checked(name));
    try {
      for (int tried = 1; ; tried++) {
        try {
          refuseLinks(name);
          return read(path, name, most, whole);
        } catch (FileSystemException e) {
          throw e;
        } catch (IOException e) {
          if (tried == TRIES) { // a network file system may lose a file that is replaced meanwhile
            throw e;
          }
        }
      }
    } catch (IOException e) {
      throw failure(name, e);
    }
  }

  private static byte[] read(Path path, String name, int most, boolean whole) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      if (whole && file.size() > most) {
        throw tooLarge(name);
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.size(), most));
      while (bytes.hasRemaining()) {
        if (file.read(bytes) < 0) {
          throw new IOException("the file became shorter while it was read");
        }
      }
      return bytes.array();
    }
  }

  @Override
  public List<Item> list(String prefix) {
    int slash = ObjectName.checkedPrefix(prefix).lastIndexOf('/');
    String folder = slash < 0 ? "" : prefix.substring(0, slash);
    List<Item> items = new ArrayList<>();
    try {
      refuseLinks(folder);
      list(place(folder), slash < 0 ? "" : folder + "/", prefix, items);
    } catch (IOException e) {
      throw failure("the list of " + prefix, e);
    }
    items.sort(Comparator.comparing(Item::name));
    return items;
  }

  private static void list(Path folder, String names, String prefix, List<Item> items)
      throws IOException {
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        String name = names + path.getFileName();
        if (!ObjectName.isValid(name) || !(name.startsWith(prefix) || prefix.startsWith(name))) {
          continue;
        }
        BasicFileAttributes attributes = attributes(path);
        if (attributes == null) {
          continue;
        }
        if (attributes.isDirectory()) {
          list(path, name + "/", prefix, items);
        } else if (attributes.isRegularFile() && name.startsWith(prefix)) {
          items.add(item(name, attributes));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw requireNonNull(e.getCause());
    } catch (NoSuchFileException | NotDirectoryException e) {
      // It is empty, or was removed meanwhile.
    }
  }

  /** Returns the attributes of a file itself, not of a link's target; null if it is gone. */
  private static @Nullable BasicFileAttributes attributes(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public List<String> folders(String prefix) {
    String names = ObjectName.checkedPrefix(prefix);
    if (!names.isEmpty() && !names.endsWith("/")) {
      throw SnapshotException.invalid("prefix", "does not end with '/': add it");
    }
    String folder = names.isEmpty() ? "" : names.substring(0, names.length() - 1);
    List<String> folders = new ArrayList<>();
    try {
      refuseLinks(folder);
      try (DirectoryStream<Path> paths = Files.newDirectoryStream(place(folder))) {
        for (Path path : paths) {
          String name = String.valueOf(path.getFileName());
          if (ObjectName.isValid(name) && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            folders.add(name);
          }
        }
      }
    } catch (DirectoryIteratorException e) {
      throw failure("the list of " + prefix, requireNonNull(e.getCause()));
    } catch (IOException e) {
      if (!isMissing(e)) {
        throw failure("the list of " + prefix, e);
      }
    }
    folders.sort(Comparator.naturalOrder());
    return folders;
  }

  @Override
  public void delete(String name) {
    Path path = place(ObjectName.checked(name));
    try {
      refuseLinks(name);
      if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && Files.deleteIfExists(path)) {
        sync(requireNonNull(path.getParent()));
      }
    } catch (IOException e) {
      if (!isMissing(e)) {
        throw failure(name, e);
      }
    }
  }

  /** Also removes directories that have been empty for a day. */
  @Override
  public int sweep() {
    try {
      return sweep(root, clock.instant().minus(LEFTOVER));
    } catch (IOException e) {
      throw failure("the leftovers", e);
    }
  }

  private int sweep(Path folder, Instant before) throws IOException {
    int removed = 0;
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        BasicFileAttributes attributes = attributes(path);
        if (attributes == null) {
          continue;
        }
        boolean old = attributes.lastModifiedTime().toInstant().isBefore(before);
        if (attributes.isDirectory()) {
          removed += sweep(path, before);
          if (old) {
            removeIfEmpty(path);
          }
        } else if (old && String.valueOf(path.getFileName()).startsWith(TEMPORARY)) {
          removed += Files.deleteIfExists(path) ? 1 : 0;
        }
      }
    } catch (DirectoryIteratorException e) {
      throw requireNonNull(e.getCause());
    } catch (NoSuchFileException e) {
      // It was removed meanwhile.
    }
    return removed;
  }

  private static void removeIfEmpty(Path folder) throws IOException {
    try {
      boolean _ = Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      // It stays.
    }
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "DirectoryRepository[" + root + "]";
  }

  private Path place(String name) {
    return name.isEmpty() ? root : root.resolve(name);
  }

  private void refuseLinks(String name) throws IOException {
    if (name.isEmpty()) {
      return;
    }
    int slash = -1;
    do {
      slash = name.indexOf('/', slash + 1);
      String part = slash < 0 ? name : name.substring(0, slash);
      if (Files.isSymbolicLink(place(part))) {
        throw new SnapshotException(
            SnapshotException.Kind.DENIED,
            part + " is a symbolic link, which a repository must not have: remove it");
      }
    } while (slash >= 0);
  }

  private static SnapshotException tooLarge(String name) {
    return new SnapshotException(
        SnapshotException.Kind.TOO_LARGE,
        name + " is larger than 256 MiB: split what is written into several objects");
  }

  private static boolean isMissing(IOException e) {
    String reason = e instanceof FileSystemException system ? system.getReason() : null;
    return e instanceof NoSuchFileException
        || e instanceof NotDirectoryException
        || (reason != null && reason.contains("Not a directory"));
  }

  static SnapshotException failure(String subject, IOException e) {
    if (isMissing(e)) {
      return new SnapshotException(
          SnapshotException.Kind.MISSING, subject + " does not exist in the repository");
    }
    if (e instanceof AccessDeniedException) {
      return new SnapshotException(
          SnapshotException.Kind.DENIED,
          subject + " is denied: give the directory to the user that runs the service");
    }
    String reason =
        e instanceof FileSystemException system && system.getReason() != null
            ? system.getReason()
            : String.valueOf(e.getMessage());
    String lower = reason.toLowerCase(Locale.ROOT);
    if (lower.contains("no space left") || lower.contains("quota exceeded")) {
      return new SnapshotException(
          SnapshotException.Kind.FULL,
          subject + " does not fit, for the disk is full: free some space");
    }
    return new SnapshotException(
        SnapshotException.Kind.UNAVAILABLE,
        subject + " failed (" + reason + "): check the disk, then try again");
  }
}
