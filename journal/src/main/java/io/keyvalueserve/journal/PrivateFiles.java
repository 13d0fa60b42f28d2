package io.keyvalueserve.journal;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps files to the account of the server: files get the mode 0600 and folders 0700. They hold
 * what tenants keep and the hashes of their keys, which no other account of the machine may read.
 *
 * <p>Does nothing on file systems that know no such modes. Stateless.
 */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final FileAttribute<?>[] NONE = {};

  private PrivateFiles() {}

  /** Returns the attributes of a new file. */
  static FileAttribute<?>[] ofFile(Path path) {
    return attributes(path, FILE);
  }

  /** Returns the attributes of a new folder. */
  static FileAttribute<?>[] ofFolder(Path path) {
    return attributes(path, FOLDER);
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
    return knowsModes(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : NONE;
  }

  private static boolean knowsModes(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Takes the rights of other accounts from a folder and everything in it. Does not follow links.
   * Passes over what another account owns.
   *
   * @return how many files and folders others had rights on before
   * @throws IOException if the folder cannot be listed
   */
  public static int tighten(Path root) throws IOException {
    if (!knowsModes(root)) {
      return 0;
    }
    AtomicInteger changed = new AtomicInteger();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            tightenOne(folder, FOLDER, changed);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile()) {
              tightenOne(file, FILE, changed);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE; // it is gone meanwhile, or another account's
          }
        });
    return changed.get();
  }

  private static void tightenOne(Path path, Set<PosixFilePermission> most, AtomicInteger changed)
      throws IOException {
    try {
      if (!most.containsAll(Files.getPosixFilePermissions(path))) {
        Files.setPosixFilePermissions(path, most);
        changed.incrementAndGet();
      }
    } catch (FileSystemException e) {
      // another account owns it, or it is gone meanwhile
    }
  }
}
