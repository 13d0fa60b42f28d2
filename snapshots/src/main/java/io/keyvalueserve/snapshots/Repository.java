package io.keyvalueserve.snapshots;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A store of named objects that several members share. An object is written whole and replaced
 * whole; readers see the old bytes or the new ones.
 *
 * <p>Names are segments of {@code a-z 0-9 . _ -} joined by {@code /}; each segment begins with a
 * letter or a digit. All methods block, and all throw {@link SnapshotException}. Thread-safe.
 */
public interface Repository extends AutoCloseable {
  /** The largest object: 256 MiB. */
  int LARGEST_OBJECT = 256 << 20;

  /**
   * An object in a list.
   *
   * @param name the whole name
   * @param bytes the size
   * @param modified the time of the last write, by the repository's clock
   */
  record Item(String name, long bytes, Instant modified) {}

  /**
   * Opens the repository at an address.
   *
   * @param credentials those of an S3-compatible store; null for a directory
   * @throws SnapshotException if the credentials are missing or not needed, or if the directory
   *     cannot be used
   */
  static Repository open(RepositoryAddress address, @Nullable Credentials credentials) {
    return switch (address) {
      case RepositoryAddress.Directory directory -> {
        if (credentials != null) {
          throw SnapshotException.invalid(
              "credentials", "a directory needs none: leave the access key and the secret out");
        }
        yield DirectoryRepository.open(directory.path());
      }
      case RepositoryAddress.S3 s3 -> {
        if (credentials == null) {
          throw SnapshotException.invalid(
              "credentials",
              "an S3 repository needs them: start members with --snapshot-access-key and"
                  + " --snapshot-secret-file");
        }
        yield S3Repository.open(s3, credentials);
      }
    };
  }

  /**
   * Writes an object, or replaces it. When the method returns, the object is durable. When it
   * throws, the object is as it was before, or is written whole.
   */
  void write(String name, byte[] bytes);

  /** Returns the size and the time of an object; null if it does not exist. */
  @Nullable Item find(String name);

  /** Returns whether an object exists. */
  default boolean exists(String name) {
    return find(name) != null;
  }

  /**
   * Reads an object.
   *
   * @throws SnapshotException of kind {@code MISSING} if it does not exist, {@code TOO_LARGE} if it
   *     is larger than {@link #LARGEST_OBJECT}
   */
  byte[] read(String name);

  /** Reads the first bytes of an object: at most the given number, fewer if it is shorter. */
  byte[] readStart(String name, int most);

  /** Returns all objects whose names begin with a prefix, at any depth, sorted by name. */
  List<Item> list(String prefix);

  /**
   * Returns the next segments of names that have more segments behind them, sorted. For the objects
   * {@code a/b/c} and {@code a/d}, {@code folders("a/")} is {@code ["b"]}. A folder that became
   * empty may be listed.
   *
   * @param prefix empty, or a start of names that ends with a slash
   */
  List<String> folders(String prefix);

  /** Deletes an object; does nothing if it does not exist. */
  void delete(String name);

  /**
   * Checks that this repository can be used: writes a small object, reads it, lists it and deletes
   * it.
   *
   * @throws SnapshotException if one of these fails
   */
  default void check() {
    String name = "probes/" + UUID.randomUUID();
    byte[] probe = {1, 2, 3};
    write(name, probe);
    boolean same = Arrays.equals(read(name), probe);
    boolean listed = list(name).size() == 1;
    delete(name);
    if (!same || !listed) {
      throw new SnapshotException(
          SnapshotException.Kind.UNAVAILABLE,
          "the repository does not give back what was written: use a store that is consistent");
    }
  }

  /** Removes the leftovers of interrupted writes that are older than a day; returns how many. */
  int sweep();

  @Override
  void close();
}
