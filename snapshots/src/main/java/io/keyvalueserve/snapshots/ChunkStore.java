package io.keyvalueserve.snapshots;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The chunks of one tenant in a repository. The name of a chunk is a keyed hash of its content, and
 * its object is {@code <key id>/chunks/<first two digits>/<name>}. A chunk that exists is not
 * written again.
 *
 * <p>Chunks may be collected while a snapshot is written, by another member or another cluster:
 *
 * <ul>
 *   <li>{@link #collect} deletes only chunks older than the grace period (48 hours).
 *   <li>{@link #write} writes a chunk again if it exists but is older than half of that, which
 *       makes it young.
 *   <li>So a chunk that a snapshot refers to stays for half the grace period, 24 hours, after it
 *       was written or found. A snapshot that takes longer must not be finished: {@link
 *       SnapshotFolder#write} refuses it.
 *   <li>A collection may delete a chunk in the moment in which a snapshot writes it again. A
 *       snapshot therefore asks {@link #missing} for its chunks just before its manifest is
 *       written, and writes those again.
 * </ul>
 *
 * The clocks of members and of the repository may differ by hours less than half the grace period.
 * Thread-safe.
 */
public final class ChunkStore {
  /** The age that a chunk needs before it is collected. */
  public static final Duration GRACE = Duration.ofDays(2);

  /** The longest time from the start of a snapshot to its manifest. */
  public static final Duration LONGEST_SNAPSHOT = GRACE.dividedBy(2);

  private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}");

  private final Repository repository;
  private final TenantKey key;
  private final InstantSource clock;

  /** Creates the store of a key's chunks. It owns neither the repository nor the key. */
  public ChunkStore(Repository repository, TenantKey key) {
    this(repository, key, InstantSource.system());
  }

  ChunkStore(Repository repository, TenantKey key, InstantSource clock) {
    this.repository = repository;
    this.key = key;
    this.clock = clock;
  }

  /** Writes a chunk of entries, unless it exists and is young. */
  public ChunkRef write(List<SnapshotEntry> entries) {
    byte[] raw = ChunkCodec.raw(entries);
    String chunk = HexFormat.of().formatHex(key.nameOf(raw));
    String object = object(chunk);
    Repository.Item old = repository.find(object);
    if (old != null && old.modified().isAfter(clock.instant().minus(GRACE.dividedBy(2)))) {
      return new ChunkRef(chunk, entries.size(), raw.length, old.bytes(), false);
    }
    byte[] sealed = Sealed.seal(key, object, Deflated.pack(raw));
    repository.write(object, sealed);
    return new ChunkRef(chunk, entries.size(), raw.length, sealed.length, old == null);
  }

  /**
   * Reads a chunk, in its canonical order.
   *
   * @throws SnapshotException of kind {@code MISSING}, {@code DAMAGED}, {@code OTHER_KEY} or {@code
   *     OTHER_FORMAT} if it is not what was written
   */
  public List<SnapshotEntry> read(String chunk) {
    String object = object(chunk);
    byte[] packed = Sealed.open(key, object, repository.read(object));
    byte[] raw = Deflated.unpack(object, packed, ChunkCodec.LARGEST);
    if (!HexFormat.of().formatHex(key.nameOf(raw)).equals(chunk)) {
      throw SnapshotException.damaged(
          object + " has the content of another chunk: use another snapshot");
    }
    return ChunkCodec.entries(object, raw);
  }

  /** Returns those of some chunks that the repository does not have. It lists all chunks. */
  public Set<String> missing(Set<String> chunks) {
    Set<String> missing = new HashSet<>(chunks);
    for (Repository.Item item : repository.list(folder())) {
      boolean _ = missing.remove(nameOf(item));
    }
    return missing;
  }

  /**
   * The outcome of a collection.
   *
   * @param chunks how many were deleted
   * @param bytes the sizes of their objects
   */
  public record Collected(long chunks, long bytes) {}

  /**
   * Deletes the chunks that no manifest names and that are older than the grace period.
   *
   * @param inUse the chunks of all manifests of the key, read just before
   */
  public Collected collect(Set<String> inUse) {
    return collect(inUse, clock.instant().minus(GRACE));
  }

  /**
   * Deletes the chunks that no manifest names and that were written before an instant. Use one
   * later than the grace period allows only while no snapshot of the key is written.
   */
  public Collected collect(Set<String> inUse, Instant olderThan) {
    long chunks = 0;
    long bytes = 0;
    for (Repository.Item item : repository.list(folder())) {
      if (inUse.contains(nameOf(item)) || !item.modified().isBefore(olderThan)) {
        continue;
      }
      Repository.Item now = repository.find(item.name()); // a snapshot may have written it again
      if (now != null && now.modified().isBefore(olderThan)) {
        repository.delete(item.name());
        chunks++;
        bytes += now.bytes();
      }
    }
    return new Collected(chunks, bytes);
  }

  private static String nameOf(Repository.Item item) {
    return item.name().substring(item.name().lastIndexOf('/') + 1);
  }

  private String folder() {
    return key.id() + "/chunks/";
  }

  private String object(String chunk) {
    if (!NAME.matcher(chunk).matches()) {
      throw SnapshotException.invalid("chunk", "is no name of a chunk: give 64 hexadecimal digits");
    }
    return folder() + chunk.substring(0, 2) + "/" + chunk;
  }
}
