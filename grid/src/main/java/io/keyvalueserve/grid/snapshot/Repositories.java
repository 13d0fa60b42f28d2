package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.snapshots.Credentials;
import io.keyvalueserve.snapshots.Repository;
import io.keyvalueserve.snapshots.RepositoryAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The repositories that this member has open, by their addresses. Thread-safe; opening blocks. */
public final class Repositories implements AutoCloseable {
  private final @Nullable Credentials credentials;
  private final Map<String, Opened> open = new ConcurrentHashMap<>();

  /**
   * @param credentials for S3-compatible stores; null if there are none
   */
  public Repositories(@Nullable Credentials credentials) {
    this.credentials = credentials;
  }

  /**
   * Opens a repository, unless it is open. One that does not answer delays nobody who wants
   * another.
   *
   * @param address as {@link RepositoryAddress#parse} reads it
   * @throws io.keyvalueserve.snapshots.SnapshotException if that is not possible
   */
  public Repository open(String address) {
    RepositoryAddress place = RepositoryAddress.parse(address);
    return open.computeIfAbsent(place.toString(), any -> new Opened(place)).get();
  }

  /** A repository that is opened when it is asked for first. */
  private final class Opened {
    private final RepositoryAddress place;
    private @Nullable Repository repository;

    Opened(RepositoryAddress place) {
      this.place = place;
    }

    synchronized Repository get() {
      if (repository == null) {
        repository =
            Repository.open(place, place instanceof RepositoryAddress.S3 ? credentials : null);
      }
      return repository;
    }

    synchronized void close() {
      if (repository != null) {
        repository.close();
      }
    }
  }

  @Override
  public void close() {
    open.values().forEach(Opened::close);
    open.clear();
  }
}
