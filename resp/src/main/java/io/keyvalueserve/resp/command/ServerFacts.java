package io.keyvalueserve.resp.command;

import java.time.Instant;

/**
 * The facts that a member tells its clients. Holds nothing of any tenant.
 *
 * @param version KeyValueServe's
 * @param memberName the member's name
 * @param memberUuid the member's identity in the cluster
 * @param startedAt since when it has been running
 * @param memberCount how many members the cluster has
 */
public record ServerFacts(
    String version, String memberName, String memberUuid, Instant startedAt, int memberCount) {}
