package io.keyvalueserve.tenancy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of an access key. It never contains the secret.
 *
 * @param id the public half: unique over all tenants for all time
 * @param secretHash SHA-256 of the secret half, 64 hexadecimal digits. A plain fast hash is enough
 *     because the secret is 256 random bits, not a word somebody chose
 * @param createdAt when it was made
 * @param label what its owner calls it; may be empty
 * @param scram for clients that prove that they have the key without sending it; null for a key of
 *     a version that stored none
 */
public record AccessKey(
    String id, String secretHash, Instant createdAt, String label, @Nullable ScramVerifier scram) {
  /** Creates the record of a key that clients can only send. */
  public AccessKey(String id, String secretHash, Instant createdAt, String label) {
    this(id, secretHash, createdAt, label, null);
  }
}
