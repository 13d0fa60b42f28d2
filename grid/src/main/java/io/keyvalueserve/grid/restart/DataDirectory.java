package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.FileTrouble;
import io.keyvalueserve.journal.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory that belongs to one member of one cluster, and to one process at a time. Thread-safe.
 */
final class DataDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);

  private final MemberFile file;
  private final FileChannel lock;
  private volatile MemberFile.Contents member;

  private DataDirectory(MemberFile file, FileChannel lock, MemberFile.Contents member) {
    this.file = file;
    this.lock = lock;
    this.member = member;
  }

  /**
   * Takes a directory, a new one if it is empty or not there.
   *
   * @throws RestartException if it cannot be used; the message says what to do
   */
  static DataDirectory open(Path directory, String cluster, int partitions) {
    FileChannel lock = lock(directory);
    try {
      int tightened = PrivateFiles.tighten(directory);
      if (tightened > 0) {
        LOG.info(
            "other accounts of this machine had rights on {} files and folders in {}: they have"
                + " none now",
            tightened,
            directory);
      }
      MemberFile file = new MemberFile(directory);
      MemberFile.Contents member = file.read().orElse(null);
      if (member == null) {
        member = new MemberFile.Contents(UUID.randomUUID(), cluster, partitions, null);
        file.write(member);
      }
      requireSame(directory, member, cluster, partitions);
      return new DataDirectory(file, lock, member);
    } catch (IOException e) {
      close(lock);
      throw new RestartException(
          "the data directory cannot be used: directory="
              + directory
              + ": "
              + FileTrouble.of(e)
              + "; mend that, or give another --data",
          e);
    } catch (RuntimeException e) {
      close(lock);
      throw e;
    }
  }

  private static void requireSame(
      Path directory, MemberFile.Contents member, String cluster, int partitions) {
    if (!member.cluster().equals(cluster)) {
      throw new RestartException(
          "the data directory belongs to another cluster: directory=%s cluster=%s expected=%s; give --cluster-name %s, or another --data"
              .formatted(directory, member.cluster(), cluster, member.cluster()));
    }
    if (member.partitions() != partitions) {
      throw new RestartException(
          "the data directory is of a cluster with another number of partitions: directory=%s partitions=%d expected=%d; set partition-count to %d, or give another --data"
              .formatted(directory, member.partitions(), partitions, member.partitions()));
    }
  }

  private static FileChannel lock(Path directory) {
    Path path = directory.resolve("member.lock");
    try {
      FileDisk.makeDirectories(directory);
      FileChannel channel =
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        FileLock locked = channel.tryLock();
        if (locked != null) {
          return channel;
        }
      } catch (OverlappingFileLockException e) {
        // this process has it
      }
      channel.close();
    } catch (IOException e) {
      throw new RestartException(
          "the data directory cannot be used: directory="
              + directory
              + ": "
              + FileTrouble.of(e)
              + "; mend that, or give another --data",
          e);
    }
    throw new RestartException(
        "the data directory is in use by another process: directory="
            + directory
            + "; stop that one, or give another --data");
  }

  /** Returns the member that the directory belongs to. */
  MemberFile.Contents member() {
    return member;
  }

  /** The member is in this cluster. */
  void belongsTo(UUID history) throws IOException {
    if (!history.equals(member.history())) {
      write(member.in(history));
    }
  }

  /**
   * The running member has another id than the directory's, until it starts again. Also if that
   * cannot be kept, {@link #member} says so.
   */
  void alsoKnownAs(UUID alias) throws IOException {
    MemberFile.Contents next = member.alsoKnownAs(alias);
    member = next;
    file.write(next);
  }

  /** The member is another one from the next start on: it has a new id, and is in no cluster. */
  void becomeAnother() throws IOException {
    MemberFile.Contents before = member;
    write(new MemberFile.Contents(UUID.randomUUID(), before.cluster(), before.partitions(), null));
  }

  private void write(MemberFile.Contents contents) throws IOException {
    file.write(contents);
    member = contents;
  }

  @Override
  public void close() {
    close(lock);
  }

  private static void close(FileChannel lock) {
    try {
      lock.close();
    } catch (IOException e) {
      throw new RestartException("the data directory cannot be given free: " + e.getMessage(), e);
    }
  }
}
