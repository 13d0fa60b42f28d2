package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code certain}: up to where each stream is certain. A start reads it to tell a torn
 * tail from a log that was cut off: the marks within an unsealed chunk go with what is cut off.
 *
 * <pre>
 *   0            half of the file
 *   +------------+------------+      a slot:  0       8          16      24          24 + 8n
 *   | slot 0     | slot 1     |               +-------+----------+-------+-----------+-----+
 *   +------------+------------+               | magic | sequence | n     | positions | CRC |
 *                                             +-------+----------+-------+-----------+-----+
 * </pre>
 *
 * <p>A record is written after the streams were synced and before anybody is told, and goes to the
 * system's cache only. It survives the process. Once a second the file is synced; until then
 * records replace each other in the slot that has no synced one. So a crash of the machine leaves
 * the last synced record, or a later one. What a record says is true whenever it is found.
 *
 * <p>For the sync thread alone.
 */
final class CertainFile implements Closeable {
  /**
   * The contents of a file that was found.
   *
   * @param positions up to where streams were certain, in any order
   * @param damaged whether there is a file that says nothing
   */
  record Found(long[] positions, boolean damaged) {
    private static final Found NOTHING = new Found(new long[0], false);
    private static final Found DAMAGED = new Found(new long[0], true);
  }

  /** The time between two syncs of the file. */
  static final long SYNC_NANOS = 1_000_000_000L;

  /** The time between two attempts to open the file on a full disk. */
  static final long RETRY_NANOS = 1_000_000_000L;

  private static final long MAGIC = 0x3154524543_53564BL; // "KVSCERT1"
  private static final int SEQUENCE = Long.BYTES;
  private static final int COUNT = 2 * Long.BYTES;
  private static final int POSITIONS = 3 * Long.BYTES;
  private static final int SLOTS = 2;
  private static final int PAGE = 4096;

  private final Disk disk;
  private final JournalClock clock;
  private final ByteBuffer buffer;
  private long[] noted = new long[0];
  private long sequence;
  private @Nullable DiskFile file;
  private int synced; // the slot of the last record that is certain
  private boolean dirty; // the other slot has a later one
  private long syncedAt;
  private boolean refused; // the disk was full when the file was to be opened
  private long refusedAt;

  CertainFile(Disk disk, JournalClock clock, int streams) {
    this.disk = disk;
    this.clock = clock;
    int record = POSITIONS + streams * Long.BYTES + Integer.BYTES;
    buffer = ByteBuffer.allocate((record + PAGE - 1) & -PAGE).order(ByteOrder.LITTLE_ENDIAN);
  }

  // ---- reading

  /** Reads the file of a log that is not open. A log of an earlier version has none. */
  static Found read(Disk disk) throws IOException {
    if (!disk.exists(LogFiles.CERTAIN)) {
      return Found.NOTHING;
    }
    byte[] bytes;
    try {
      bytes = SmallFile.read(disk, LogFiles.CERTAIN);
    } catch (ClosedChannelException e) {
      throw e; // by an interrupt: that says nothing of the disk
    } catch (IOException e) {
      return Found.DAMAGED;
    }
    ByteBuffer first = slot(bytes, 0);
    ByteBuffer second = slot(bytes, 1);
    if (first == null && second == null) {
      return Found.DAMAGED;
    }
    ByteBuffer newer =
        second == null || (first != null && first.getLong(SEQUENCE) > second.getLong(SEQUENCE))
            ? first
            : second;
    long[] positions = new long[newer == null ? 0 : newer.getInt(COUNT)];
    for (int i = 0; newer != null && i < positions.length; i++) {
      positions[i] = newer.getLong(POSITIONS + i * Long.BYTES);
    }
    return new Found(positions, false);
  }

  private static @Nullable ByteBuffer slot(byte[] bytes, int slot) {
    int half = bytes.length / SLOTS;
    ByteBuffer found =
        ByteBuffer.wrap(bytes, slot * half, half).slice().order(ByteOrder.LITTLE_ENDIAN);
    if (half < PAGE || found.getLong(0) != MAGIC) {
      return null;
    }
    int count = found.getInt(COUNT);
    if (count < 0 || count > (half - POSITIONS - Integer.BYTES) / Long.BYTES) {
      return null;
    }
    int end = POSITIONS + count * Long.BYTES;
    return new FrameCrc(found.duplicate()).of(0, end) == found.getInt(end) ? found : null;
  }

  // ---- writing

  /**
   * Replaces the file of the run before by one that says nothing yet, unless that was done; for
   * certain. Where the chunks of that run end is in the manifest by now. On a full disk this is
   * tried once in {@link #RETRY_NANOS}, however often it is called.
   *
   * @throws IOException if the disk refuses it; not if it is full: then it is to be called again
   */
  void open() throws IOException {
    if (file != null || (refused && clock.nanoTime() - refusedAt < RETRY_NANOS)) {
      return;
    }
    byte[] all = new byte[SLOTS * buffer.capacity()];
    int bytes = record(noted);
    buffer.get(0, all, 0, bytes);
    try {
      SmallFile.replace(disk, LogFiles.CERTAIN, all);
      file = disk.open(LogFiles.CERTAIN, Disk.Access.CACHED);
      syncedAt = clock.nanoTime();
      refused = false;
    } catch (NoSpaceException e) {
      refused = true; // then nothing is known to be certain
      refusedAt = clock.nanoTime();
    }
  }

  /**
   * Notes that streams are certain up to these positions, if the file is open.
   *
   * @param positions by stream; kept, so not to be changed
   * @throws IOException if the disk refuses it; not if it is full, as an older record stays true
   */
  void note(long[] positions) throws IOException {
    DiskFile open = file;
    if (open == null || Arrays.equals(positions, noted)) {
      return;
    }
    int bytes = record(positions);
    try {
      open.write((1L - synced) * buffer.capacity(), MemorySegment.ofBuffer(buffer.slice(0, bytes)));
      dirty = true;
      noted = positions;
    } catch (NoSpaceException e) {
      forgetLater();
    }
  }

  /**
   * Gives up the record after the last one that is certain: on a full disk it may be torn. The next
   * note writes it again, whatever was noted before.
   */
  private void forgetLater() {
    dirty = false;
    noted = new long[0];
  }

  private int record(long[] positions) {
    int end = POSITIONS + positions.length * Long.BYTES;
    buffer.putLong(0, MAGIC).putLong(SEQUENCE, ++sequence).putInt(COUNT, positions.length);
    for (int i = 0; i < positions.length; i++) {
      buffer.putLong(POSITIONS + i * Long.BYTES, positions[i]);
    }
    buffer.putInt(end, new FrameCrc(buffer.duplicate()).of(0, end));
    return end + Integer.BYTES;
  }

  /** Makes the last record certain if that was not done for a second. */
  void syncIfDue() throws IOException {
    if (dirty && clock.nanoTime() - syncedAt >= SYNC_NANOS) {
      sync();
    }
  }

  /** Makes the last record certain. */
  void sync() throws IOException {
    DiskFile open = file;
    if (!dirty || open == null) {
      return;
    }
    try {
      open.sync();
      synced = 1 - synced;
      dirty = false;
      syncedAt = clock.nanoTime();
    } catch (NoSpaceException e) {
      forgetLater();
    }
  }

  @Override
  public void close() throws IOException {
    DiskFile open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
