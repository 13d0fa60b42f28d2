package io.keyvalueserve.grid;

import com.sun.management.UnixOperatingSystemMXBean;
import io.keyvalueserve.grid.quorum.QuorumConfig;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.space.FastPath;
import io.keyvalueserve.maps.readable.Extensions;
import io.keyvalueserve.maps.reclaim.ReclaimSetup;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.tenancy.HostPort;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a member of the grid. Validated by the code that reads them from a user; ports
 * are 0 (any free one) to 65535.
 *
 * @param clusterName the cluster's name; Hazelcast clients name it too
 * @param memberName the member's name, for logs
 * @param bind the address to listen on, as an IP address or a host name
 * @param clientPort where Hazelcast clients connect
 * @param memberPort where members connect
 * @param join addresses of members' ports, {@code HOST:PORT}; empty to begin a cluster
 * @param clusterSecret what all members of the cluster know, 16 bytes or more; printed by nothing
 * @param backupCount how many members hold a copy of each entry besides its owner, 0 to 6
 * @param partitionCount how many partitions the cluster has, the same on all members
 * @param memory what the member keeps its maps in
 * @param extensions the operator's code that tenants may have run
 * @param fastPath which shortcuts requests take
 * @param restart how the member outlives its process; null if it does not
 * @param reclaim how it makes memory free
 * @param clientLimits what Hazelcast clients may make the member keep for them
 * @param quorum when the member may serve
 * @param clientConnections how many connections of Hazelcast clients may be open, at least 1
 * @param role what the member does; a witness has no port for clients and keeps no maps
 */
public record GridConfig(
    String clusterName,
    String memberName,
    String bind,
    int clientPort,
    int memberPort,
    List<String> join,
    byte[] clusterSecret,
    int backupCount,
    int partitionCount,
    HeapConfig memory,
    Extensions extensions,
    FastPath fastPath,
    @Nullable RestartConfig restart,
    ReclaimSetup reclaim,
    ClientLimits clientLimits,
    int clientConnections,
    QuorumConfig quorum,
    Role role) {
  private static final int LEAST_MAJORITY = 3;
  private static final int LEAST_CLIENT_CONNECTIONS = 64;
  private static final int USUAL_CLIENT_CONNECTIONS = 10_000;

  public GridConfig {
    join = List.copyOf(join);
    if (clientConnections < 1) {
      throw new IllegalArgumentException("clientConnections is 1 or more: " + clientConnections);
    }
  }

  /** A member with as many clients' connections as fit the file descriptors of the process. */
  public GridConfig(
      String clusterName,
      String memberName,
      String bind,
      int clientPort,
      int memberPort,
      List<String> join,
      byte[] clusterSecret,
      int backupCount,
      int partitionCount,
      HeapConfig memory,
      Extensions extensions,
      FastPath fastPath,
      @Nullable RestartConfig restart,
      ReclaimSetup reclaim,
      ClientLimits clientLimits) {
    this(
        clusterName,
        memberName,
        bind,
        clientPort,
        memberPort,
        join,
        clusterSecret,
        backupCount,
        partitionCount,
        memory,
        extensions,
        fastPath,
        restart,
        reclaim,
        clientLimits,
        fittedConnections(),
        QuorumConfig.DEFAULT,
        Role.DATA);
  }

  /**
   * Returns whether a majority is to decide from the start: as configured, or because three or more
   * members are named.
   */
  boolean needsMajority() {
    return switch (quorum.mode()) {
      case CONSISTENT -> true;
      case AVAILABLE -> false;
      case AUTO -> {
        Set<String> named = new HashSet<>(join);
        named.add(HostPort.of(bind, memberPort));
        yield named.size() >= LEAST_MAJORITY;
      }
    };
  }

  /** Returns the same with other rules about when the member may serve. */
  public GridConfig withQuorum(QuorumConfig next) {
    return new GridConfig(
        clusterName,
        memberName,
        bind,
        clientPort,
        memberPort,
        join,
        clusterSecret,
        backupCount,
        partitionCount,
        memory,
        extensions,
        fastPath,
        restart,
        reclaim,
        clientLimits,
        clientConnections,
        next,
        role);
  }

  /** Returns the same in another role. */
  public GridConfig withRole(Role next) {
    return new GridConfig(
        clusterName,
        memberName,
        bind,
        clientPort,
        memberPort,
        join,
        clusterSecret,
        backupCount,
        partitionCount,
        memory,
        extensions,
        fastPath,
        restart,
        reclaim,
        clientLimits,
        clientConnections,
        quorum,
        next);
  }

  /** Returns the same with so many connections of Hazelcast clients, or fewer if it has fewer. */
  public GridConfig withAtMostClientConnections(int most) {
    return new GridConfig(
        clusterName,
        memberName,
        bind,
        clientPort,
        memberPort,
        join,
        clusterSecret,
        backupCount,
        partitionCount,
        memory,
        extensions,
        fastPath,
        restart,
        reclaim,
        clientLimits,
        Math.min(most, clientConnections),
        quorum,
        role);
  }

  /** Half of the file descriptors that the process may open: files and other ports need some. */
  private static int fittedConnections() {
    long descriptors =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : 2L * USUAL_CLIENT_CONNECTIONS;
    return Math.clamp(descriptors / 2, LEAST_CLIENT_CONNECTIONS, Integer.MAX_VALUE);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "GridConfig[clusterName="
        + clusterName
        + ", memberName="
        + memberName
        + ", bind="
        + bind
        + ", clientPort="
        + clientPort
        + ", memberPort="
        + memberPort
        + ", join="
        + join
        + ", memory="
        + memory
        + "]";
  }
}
