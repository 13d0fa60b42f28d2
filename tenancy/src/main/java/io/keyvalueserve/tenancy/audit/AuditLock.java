package io.keyvalueserve.tenancy.audit;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a second writer out of a directory: two would give out the same sequences.
 *
 * <p>The system's locks belong to a process and end when it closes the file anywhere: so this
 * process remembers what it has locked, and does not even open such a file again.
 */
final class AuditLock implements Closeable {
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private AuditLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Locks a directory.
   *
   * @throws AuditException if another has it
   */
  static AuditLock take(Path directory) throws IOException {
    Path file = directory.toAbsolutePath().normalize().resolve("audit.lock");
    if (!HELD.add(file)) {
      throw inUse(file);
    }
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        channel.close();
        throw inUse(file);
      }
      return new AuditLock(file, channel);
    } catch (IOException | RuntimeException e) {
      HELD.remove(file);
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      HELD.remove(file);
    }
  }

  private static AuditException inUse(Path file) {
    return new AuditException(
        "an audit trail has one writer: " + file + " is locked; stop the other first", null);
  }
}
