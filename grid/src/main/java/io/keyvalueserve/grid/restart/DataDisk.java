package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.sim.WriteBackDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The disk that a data directory is on: the file system, unless the system property {@code
 * kvs.journal.disk} says how to lose what was not synced, which {@code kvs bench crash --disk} sets
 * for the servers that it kills.
 */
final class DataDisk {
  static final String PROPERTY = "kvs.journal.disk";

  private static final Logger LOG = LoggerFactory.getLogger(DataDisk.class);
  private static final Pattern LOSING = Pattern.compile("unsynced-is-lost(?::([0-9]{1,18}))?");
  private static final String NEVER = "never-synced";

  /** Caches that are in this process: there must be one for a directory. */
  private static final Map<Path, Disk> IN_PROCESS = new HashMap<>();

  private static volatile UnaryOperator<Disk> between = UnaryOperator.identity();

  private DataDisk() {}

  /** Puts something between members that start from now on and their disks; for tests. */
  static void putBetween(UnaryOperator<Disk> wrapper) {
    between = wrapper;
  }

  /**
   * The disk of a directory.
   *
   * @throws IOException if the directory cannot be used
   * @throws RestartException if the property has a value that means nothing
   */
  static Disk at(Path directory) throws IOException {
    String chosen = System.getProperty(PROPERTY);
    if (chosen == null) {
      return between.apply(FileDisk.at(directory));
    }
    Path path = directory.toAbsolutePath().normalize();
    synchronized (IN_PROCESS) {
      Disk disk = IN_PROCESS.get(path);
      if (disk == null) {
        disk = losing(path, chosen);
        IN_PROCESS.put(path, disk);
      }
      return disk;
    }
  }

  private static Disk losing(Path path, String chosen) throws IOException {
    Matcher losing = LOSING.matcher(chosen);
    if (!losing.matches() && !chosen.equals(NEVER)) {
      throw new RestartException(
          "-D%s is for tests only: unsynced-is-lost, unsynced-is-lost:SEED or never-synced, not %s; leave it out to keep data"
              .formatted(PROPERTY, chosen));
    }
    LOG.warn(
        "THE DATA ARE NOT SAFE: -D{}={} loses what was not synced when the process ends; it is for"
            + " crash tests only: directory={}",
        PROPERTY,
        chosen,
        path);
    if (chosen.equals(NEVER)) {
      return WriteBackDisk.thatNeverSyncs(path);
    }
    String seed = losing.group(1);
    return WriteBackDisk.at(
        path, seed == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(seed)));
  }
}
