package io.keyvalueserve.grid;

import com.hazelcast.cluster.Cluster;
import io.keyvalueserve.tenancy.HostPort;
import java.util.List;
import java.util.UUID;

/**
 * A member of the cluster.
 *
 * @param uuid its identity, new at each start
 * @param address its member port, {@code HOST:PORT}
 * @param local whether it is the one that was asked
 * @param version its Hazelcast version
 * @param role what it does
 */
public record MemberInfo(UUID uuid, String address, boolean local, String version, Role role) {
  /** Returns the members of a cluster, the oldest first. */
  static List<MemberInfo> all(Cluster cluster) {
    return cluster.getMembers().stream()
        .map(
            member ->
                new MemberInfo(
                    member.getUuid(),
                    HostPort.of(member.getAddress().getHost(), member.getAddress().getPort()),
                    member.localMember(),
                    member.getVersion().toString(),
                    Role.of(member)))
        .toList();
  }
}
