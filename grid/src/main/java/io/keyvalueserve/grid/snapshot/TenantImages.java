package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.grid.catalogue.GridTenantKeys;
import io.keyvalueserve.snapshots.ChunkStore;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.Repository;
import io.keyvalueserve.snapshots.RepositoryAddress;
import io.keyvalueserve.snapshots.SnapshotEntry;
import io.keyvalueserve.snapshots.SnapshotFolder;
import io.keyvalueserve.snapshots.TenantKey;
import io.keyvalueserve.tenancy.TenantName;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Snapshots of tenants that leave memory: all that a tenant has while nobody uses it. Thread-safe;
 * blocks.
 */
public final class TenantImages {
  private static final String FOLDER = "hibernation";

  private final Snapshots snapshots;
  private final Repositories repositories;
  private final GridTenantKeys keys;
  private final InUse inUse;

  TenantImages(Snapshots snapshots, Repositories repositories, GridTenantKeys keys, InUse inUse) {
    this.inUse = inUse;
    this.snapshots = snapshots;
    this.repositories = repositories;
    this.keys = keys;
  }

  /**
   * Returns the address of images in a repository of snapshots: a folder there, so that they are no
   * tenant's snapshots.
   *
   * @throws io.keyvalueserve.snapshots.SnapshotException if the repository cannot be opened
   */
  public String place(String repository) {
    Repository _ = repositories.open(repository); // its directory is made if there is none
    return RepositoryAddress.parse(repository).folder(FOLDER).toString();
  }

  /** Returns whether a snapshot is being put back as maps of a tenant, or that is not known. */
  public boolean isBeingRestored(TenantName tenant) {
    Set<String> used = inUse.everywhere();
    return used == null || used.contains(tenant.value());
  }

  /**
   * Takes an image. It is tried once.
   *
   * @param progress is called now and then; may throw to give up
   * @throws SnapshotFailure if the cluster could not take it
   * @throws io.keyvalueserve.snapshots.SnapshotException if the repository did not take it
   */
  public Manifest take(TenantName tenant, String address, LongConsumer progress) {
    TenantKey _ = keys.findOrCreate(tenant);
    return snapshots.takeOnce(tenant, address, progress);
  }

  /**
   * Checks that an image was taken while nobody wrote: entries may have expired, or were evicted,
   * but none was put.
   *
   * @throws SnapshotFailure if one was
   */
  public void requireUnwritten(TenantName tenant, String address, Manifest manifest) {
    Image image = open(tenant, address, manifest);
    for (Manifest.MapPart part : manifest.maps()) {
      for (Manifest.Chunk chunk : part.chunks()) {
        if (chunk.changes()
            && image.read(chunk).stream().anyMatch(entry -> entry.value().length > 0)) {
          throw SnapshotFailure.passing("map " + part.map() + " was written meanwhile");
        }
      }
    }
  }

  /**
   * Opens an image.
   *
   * @throws SnapshotFailure if the tenant has no key
   * @throws io.keyvalueserve.snapshots.SnapshotException if it cannot be read
   */
  public Image open(TenantName tenant, String address, String id) {
    TenantKey key = require(tenant);
    Repository repository = repositories.open(address);
    return new Image(
        new SnapshotFolder(repository).read(key.id(), id, key), new ChunkStore(repository, key));
  }

  private Image open(TenantName tenant, String address, Manifest manifest) {
    return new Image(manifest, new ChunkStore(repositories.open(address), require(tenant)));
  }

  /**
   * Deletes an image, and the older chunks that the tenant has there and no image needs. Does
   * nothing if there is none.
   */
  public void delete(TenantName tenant, String address, String id) {
    keys.find(tenant)
        .ifPresent(
            key -> {
              Repository repository = repositories.open(address);
              SnapshotFolder folder = new SnapshotFolder(repository);
              folder.delete(key.id(), id);
              var _ = new ChunkStore(repository, key).collect(folder.chunksInUse(key));
            });
  }

  private TenantKey require(TenantName tenant) {
    return keys.find(tenant)
        .orElseThrow(
            () -> SnapshotFailure.lasting("tenant " + tenant + " has no key: it was deleted"));
  }

  /** An image that can be read. Thread-safe; blocks. */
  public static final class Image {
    private final Manifest manifest;
    private final ChunkStore chunks;

    Image(Manifest manifest, ChunkStore chunks) {
      this.manifest = manifest;
      this.chunks = chunks;
    }

    /** Returns the table of contents. */
    public Manifest manifest() {
      return manifest;
    }

    /**
     * Reads a chunk.
     *
     * @throws io.keyvalueserve.snapshots.SnapshotException if it cannot be read
     */
    public List<SnapshotEntry> read(Manifest.Chunk chunk) {
      return chunks.read(chunk.name());
    }
  }

  /** Returns the name in the grid of a map of an image. */
  public static String gridName(TenantName tenant, String map) {
    return SnapshotMaps.gridName(tenant, map);
  }
}
