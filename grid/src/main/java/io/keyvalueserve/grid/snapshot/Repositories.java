package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.snapshots.Credentials;
import io.keyvalueserve.snapshots.Repository;
import io.keyvalueserve.snapshots.RepositoryAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The repositories that this member has open, by their addresses. Thread-safe; opening blocks. */
public final class Repositories implements AutoCloseable {
  private final @Nullable Credentials credentials;
  private final Map<String, Repository> open = new HashMap<>();

  /**
   * @param credentials for S3-compatible stores; null if there are none
   */
  public Repositories(@Nullable Credentials credentials) {
    this.credentials = credentials;
  }

  /**
   * Opens a repository, unless it is open.
   *
   * @param address as {@link RepositoryAddress#parse} reads it
   * @throws io.keyvalueserve.snapshots.SnapshotException if that is not possible
   */
  public synchronized Repository open(String address) {
    RepositoryAddress place = RepositoryAddress.parse(address);
    Repository known = open.get(place.toString());
    if (known != null) {
      return known;
    }
    Repository opened =
        Repository.open(place, place instanceof RepositoryAddress.S3 ? credentials : null);
    open.put(place.toString(), opened);
    return opened;
  }

  @Override
  public synchronized void close() {
    open.values().forEach(Repository::close);
    open.clear();
  }
}
