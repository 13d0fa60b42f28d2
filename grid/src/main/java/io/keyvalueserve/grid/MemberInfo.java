package io.keyvalueserve.grid;

import java.util.UUID;

/**
 * A member of the cluster.
 *
 * @param uuid its identity, new at each start
 * @param address its member port, {@code HOST:PORT}
 * @param local whether it is the one that was asked
 * @param version its Hazelcast version
 */
public record MemberInfo(UUID uuid, String address, boolean local, String version) {}
