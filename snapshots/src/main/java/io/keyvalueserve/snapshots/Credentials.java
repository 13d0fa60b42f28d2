package io.keyvalueserve.snapshots;

/**
 * The access key and the secret of an S3-compatible store.
 *
 * @param accessKey the id of the key, 1 to 256 characters
 * @param secret the secret of the key, 1 to 1024 characters
 */
public record Credentials(String accessKey, String secret) {
  /**
   * Checks the fields.
   *
   * @throws SnapshotException if one is empty or too long
   */
  public Credentials {
    if (accessKey.isBlank() || accessKey.length() > 256) {
      throw SnapshotException.invalid("access-key", "is empty or too long: give the key's id");
    }
    if (secret.isBlank() || secret.length() > 1024) {
      throw SnapshotException.invalid("secret", "is empty or too long: give the key's secret");
    }
  }

  /** Returns all but the secret. */
  @Override
  public String toString() {
    return "Credentials[accessKey=" + accessKey + ", secret=***]";
  }
}
