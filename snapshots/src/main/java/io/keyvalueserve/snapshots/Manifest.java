package io.keyvalueserve.snapshots;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table of contents of a snapshot.
 *
 * @param format the version of the format, {@link #FORMAT} in those that this version writes
 * @param id the snapshot's id, as {@link #newId} makes it
 * @param keyId the id of the key that the chunks are sealed with
 * @param cluster the name of the cluster that the snapshot is of
 * @param cutMillis the instant whose state the snapshot has
 * @param startedMillis when the snapshot was begun
 * @param finishedMillis when its last chunk was written
 * @param partitions the number of partitions of the cluster
 * @param tableStamp the stamp of the table that says who owned them
 * @param clockDifferenceMillis the most by which clocks of members differed
 * @param kvsVersion the version that wrote the snapshot
 */
public record Manifest(
    int format,
    String id,
    UUID keyId,
    String tenant,
    String cluster,
    long cutMillis,
    long startedMillis,
    long finishedMillis,
    int partitions,
    long tableStamp,
    long clockDifferenceMillis,
    String kvsVersion,
    Totals totals,
    List<MapPart> maps) {
  /** The version of the format that this version writes. */
  public static final int FORMAT = 1;

  private static final Pattern ID = Pattern.compile("s-[0-9]{8}t[0-9]{6}-[a-z2-7]{6}");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd't'HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final String BASE_32 = "abcdefghijklmnopqrstuvwxyz234567";
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Checks the id; copies the list. */
  public Manifest {
    checkId(id);
    maps = List.copyOf(maps);
  }

  /**
   * The sums of a snapshot.
   *
   * @param rawBytes the sizes of the chunks' contents
   * @param storedBytes the sizes of the chunks' objects
   * @param newBytes the sizes of those objects that the repository did not have before
   */
  public record Totals(long entries, long rawBytes, long storedBytes, long newBytes) {}

  /**
   * The content of a map.
   *
   * @param settingsJson the map's settings, in a form of the caller's
   */
  public record MapPart(String map, String settingsJson, List<Chunk> chunks) {
    /** Copies the list. */
    public MapPart {
      chunks = List.copyOf(chunks);
    }
  }

  /**
   * A chunk of a map. Most chunks have entries that were read while the map was being changed. The
   * others have its changes meanwhile: an entry of these takes the place of one under the same key,
   * and an entry with an empty value says that the key was removed.
   *
   * @param name the name as {@link ChunkRef} has it
   * @param changes whether it has changes
   * @param fromPartition the first partition whose entries it has
   * @param toPartition the last one
   * @param bytes the size of its content
   */
  public record Chunk(
      String name, boolean changes, int fromPartition, int toPartition, int entries, long bytes) {}

  /**
   * The facts of a snapshot that are readable without the key. They are authenticated only when the
   * manifest is read with the key.
   *
   * @param damage why the snapshot cannot be read; null if it seems to be whole. In a damaged one
   *     only the id and the key's id are known.
   */
  public record Header(
      int format,
      String id,
      UUID keyId,
      String tenant,
      String cluster,
      long cutMillis,
      Totals totals,
      @Nullable String damage) {
    static Header damaged(UUID keyId, String id, String damage) {
      return new Header(0, id, keyId, "", "", 0, new Totals(0, 0, 0, 0), damage);
    }
  }

  /** Returns a new id: its time, to the second, and six random characters. Ids sort by time. */
  public static String newId(Instant time) {
    StringBuilder id = new StringBuilder("s-").append(TIME.format(time)).append('-');
    for (int i = 0; i < 6; i++) {
      id.append(BASE_32.charAt(RANDOM.nextInt(BASE_32.length())));
    }
    return id.toString();
  }

  /**
   * Returns the id, checked.
   *
   * @throws SnapshotException if it has not the form of {@link #newId}
   */
  public static String checkId(String id) {
    if (!ID.matcher(id).matches()) {
      throw SnapshotException.invalid(
          "snapshot", "has no id of a snapshot: give one as s-20260131t235959-abc234");
    }
    return id;
  }

  /** Returns the facts that are readable without the key. */
  public Header header() {
    return new Header(format, id, keyId, tenant, cluster, cutMillis, totals, null);
  }

  /** Returns the names of all chunks. */
  public Set<String> chunkNames() {
    Set<String> names = new HashSet<>();
    for (MapPart map : maps) {
      for (Chunk chunk : map.chunks()) {
        names.add(chunk.name());
      }
    }
    return names;
  }
}
