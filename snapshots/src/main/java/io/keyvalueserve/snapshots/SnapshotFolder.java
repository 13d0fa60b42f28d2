package io.keyvalueserve.snapshots;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The manifests in a repository. Thread-safe. */
public final class SnapshotFolder {
  private final Repository repository;

  /** Creates the folder of a repository, which it does not own. */
  public SnapshotFolder(Repository repository) {
    this.repository = repository;
  }

  /**
   * Returns the headers of all snapshots of a key, or of all keys, by key and by their cuts. A
   * snapshot that cannot be read is listed first, with the reason in {@link
   * Manifest.Header#damage}.
   *
   * @param keyId the key's id; null for all
   * @throws SnapshotException if the repository itself fails
   */
  public List<Manifest.Header> list(@Nullable UUID keyId) {
    List<Manifest.Header> headers = new ArrayList<>();
    if (keyId != null) {
      list(keyId, headers);
    } else {
      for (String folder : repository.folders("")) {
        UUID id = idOf(folder);
        if (id != null) {
          list(id, headers);
        }
      }
    }
    headers.sort(
        Comparator.comparing((Manifest.Header header) -> header.keyId().toString())
            .thenComparingLong(Manifest.Header::cutMillis));
    return headers;
  }

  private static @Nullable UUID idOf(String folder) {
    try {
      UUID id = UUID.fromString(folder);
      return id.toString().equals(folder) ? id : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private void list(UUID keyId, List<Manifest.Header> headers) {
    String folder = keyId + "/snapshots/";
    for (Repository.Item item : repository.list(folder)) {
      try {
        byte[] start = repository.readStart(item.name(), ManifestCodec.LARGEST_HEADER);
        headers.add(ManifestCodec.decodeHeader(item.name(), start));
      } catch (SnapshotException e) {
        switch (e.kind()) {
          case MISSING -> {} // it was deleted meanwhile
          case UNAVAILABLE, NO_REPOSITORY -> throw e;
          default ->
              headers.add(
                  Manifest.Header.damaged(
                      keyId,
                      item.name().substring(folder.length()),
                      String.valueOf(e.getMessage())));
        }
      }
    }
  }

  /**
   * Reads a manifest.
   *
   * @throws SnapshotException of kind {@code MISSING}, {@code DAMAGED}, {@code OTHER_KEY} or {@code
   *     OTHER_FORMAT} if there is none that can be read
   */
  public Manifest read(UUID keyId, String id, TenantKey key) {
    String name = ManifestCodec.objectName(keyId, id);
    return ManifestCodec.decode(name, repository.read(name), key);
  }

  /**
   * Writes a manifest, with which the snapshot begins to exist.
   *
   * @throws SnapshotException of kind {@code INVALID} if the snapshot took longer than {@link
   *     ChunkStore#LONGEST_SNAPSHOT}, for its chunks may have been collected
   */
  public void write(Manifest manifest, TenantKey key) {
    long took = manifest.finishedMillis() - manifest.startedMillis();
    if (took > ChunkStore.LONGEST_SNAPSHOT.toMillis()) {
      throw SnapshotException.invalid(
          "snapshot",
          "took more than "
              + ChunkStore.LONGEST_SNAPSHOT.toHours()
              + " hours, so its first chunks may be gone: take it again");
    }
    repository.write(
        ManifestCodec.objectName(manifest.keyId(), manifest.id()),
        ManifestCodec.encode(manifest, key));
  }

  /**
   * Deletes a manifest, if it exists, also a damaged one. Its chunks stay until they are collected.
   *
   * @param id the id as {@link #list} gives it
   */
  public void delete(UUID keyId, String id) {
    repository.delete(keyId + "/snapshots/" + id);
  }

  /**
   * Returns the chunks that any snapshot of a key refers to.
   *
   * @throws SnapshotException if one of the manifests cannot be read, for then nothing may be
   *     collected
   */
  public Set<String> chunksInUse(TenantKey key) {
    Set<String> chunks = new HashSet<>();
    for (Repository.Item item : repository.list(key.id() + "/snapshots/")) {
      byte[] object;
      try {
        object = repository.read(item.name());
      } catch (SnapshotException e) {
        if (e.kind() == SnapshotException.Kind.MISSING) {
          continue; // it was deleted meanwhile
        }
        throw e;
      }
      chunks.addAll(ManifestCodec.decode(item.name(), object, key).chunkNames());
    }
    return chunks;
  }
}
