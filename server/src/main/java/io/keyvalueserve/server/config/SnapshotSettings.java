package io.keyvalueserve.server.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of tenants' snapshots, and of tenants that leave memory.
 *
 * @param repository the address of the repository that holds unless another is given; null for none
 * @param accessKey the id of the key to S3-compatible stores; null if there is none
 * @param secretFile the file with that key's secret; null if and only if there is no key
 * @param hibernateAfter how long after its last use a tenant leaves memory that has no setting of
 *     its own; zero for never
 */
public record SnapshotSettings(
    @Nullable String repository,
    @Nullable String accessKey,
    @Nullable Path secretFile,
    Duration hibernateAfter) {}
