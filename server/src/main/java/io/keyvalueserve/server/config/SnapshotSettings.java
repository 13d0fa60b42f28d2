package io.keyvalueserve.server.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of tenants' snapshots.
 *
 * @param repository the address of the repository that holds unless another is given; null for none
 * @param accessKey the id of the key to S3-compatible stores; null if there is none
 * @param secretFile the file with that key's secret; null if and only if there is no key
 */
public record SnapshotSettings(
    @Nullable String repository, @Nullable String accessKey, @Nullable Path secretFile) {}
