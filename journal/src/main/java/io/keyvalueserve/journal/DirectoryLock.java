package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lock file of a directory; it holds the process id of whoever has it.
 *
 * <p>The system's locks belong to a process and end when it closes the file anywhere: so this
 * process remembers what it has locked, and does not even open such a file again.
 */
final class DirectoryLock {
  private static final int MOST_PID_BYTES = 20;

  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private DirectoryLock() {}

  static Closeable take(Path file) throws IOException {
    Path path = file.toAbsolutePath().normalize();
    if (!HELD.add(path)) {
      throw inUse(path, Long.toString(ProcessHandle.current().pid()));
    }
    try {
      FileChannel channel = locked(path);
      return () -> {
        try {
          channel.close();
        } finally {
          HELD.remove(path);
        }
      };
    } catch (IOException | RuntimeException e) {
      HELD.remove(path);
      throw e;
    }
  }

  private static FileChannel locked(Path path) throws IOException {
    FileChannel channel;
    try {
      channel =
          FileChannel.open(
              path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } catch (AccessDeniedException | ReadOnlyFileSystemException e) {
      throw new DirectoryRefusedException(
          DirectoryRefusedException.Reason.READ_ONLY,
          "the journal's directory cannot be written: " + path.getParent(),
          e);
    }
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(path, holder(channel));
      }
      channel.truncate(0);
      byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
      channel.write(ByteBuffer.wrap(pid), 0);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static DirectoryRefusedException inUse(Path path, String holder) {
    return new DirectoryRefusedException(
        DirectoryRefusedException.Reason.LOCKED,
        "the journal is in use: %s is locked by process %s; stop it first".formatted(path, holder),
        null);
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(MOST_PID_BYTES);
    channel.read(text, 0);
    String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
    return pid.isEmpty() ? "unknown" : pid;
  }
}
