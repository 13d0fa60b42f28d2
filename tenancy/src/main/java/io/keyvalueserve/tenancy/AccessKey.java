package io.keyvalueserve.tenancy;

import java.time.Instant;

/**
 * The stored form of an access key. It never contains the secret.
 *
 * @param id the public half: unique over all tenants for all time
 * @param secretHash SHA-256 of the secret half, 64 hexadecimal digits. A plain fast hash is enough
 *     because the secret is 256 random bits, not a word somebody chose
 * @param createdAt when it was made
 * @param label what its owner calls it; may be empty
 */
public record AccessKey(String id, String secretHash, Instant createdAt, String label) {}
