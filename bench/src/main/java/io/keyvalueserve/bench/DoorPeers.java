package io.keyvalueserve.bench;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The peers of the door for Redis clients that take part, all of which can be had. */
final class DoorPeers {
  private final Map<DoorPeer, Path> binaries = new EnumMap<>(DoorPeer.class);
  private final @Nullable Infinispan infinispan;

  /**
   * Looks for all but some. Valkey takes part where it is installed; without the others there would
   * be no comparison.
   *
   * @param launcher makes Infinispan
   * @param progress is told what is left out
   * @throws BenchException if one cannot be had: it says how to do without
   */
  DoorPeers(Set<DoorPeer> without, Programs installed, Launcher launcher, Progress progress) {
    EnumSet<DoorPeer> peers = EnumSet.allOf(DoorPeer.class);
    peers.removeAll(without);
    if (peers.contains(DoorPeer.VALKEY) && installed.find(Program.VALKEY).isEmpty()) {
      progress.say("valkey-server is not installed (Debian package valkey-server): left out");
      peers.remove(DoorPeer.VALKEY);
    }
    boolean asked = peers.remove(DoorPeer.INFINISPAN);
    List<Program> programs = peers.stream().map(DoorPeers::program).toList();
    installed.require(programs);
    peers.forEach(peer -> binaries.put(peer, installed.find(program(peer)).orElseThrow()));
    infinispan = asked ? Infinispan.from(launcher) : null;
  }

  /**
   * Starts them one after the other. Who calls ends those that are in the list, also on failure.
   */
  void start(Path logs, int valueBytes, List<Contender> started) {
    binaries.forEach(
        (peer, binary) ->
            started.add(program(peer).start(logs.resolve(peer.toString()), binary, valueBytes)));
    if (infinispan != null) {
      started.add(infinispan.start(logs.resolve(DoorPeer.INFINISPAN.toString()), valueBytes));
    }
  }

  /** Whether it takes part. */
  boolean has(DoorPeer peer) {
    return peer == DoorPeer.INFINISPAN ? infinispan != null : binaries.containsKey(peer);
  }

  /** Their versions, each behind a semicolon. */
  String versions() {
    StringBuilder versions = new StringBuilder();
    binaries.forEach(
        (peer, binary) ->
            versions.append("; ").append(peer).append(' ').append(Programs.version(binary)));
    if (infinispan != null) {
      versions.append("; infinispan ").append(infinispan.version()).append(", JVM options as kvs");
    }
    return versions.toString();
  }

  private static Program program(DoorPeer peer) {
    return switch (peer) {
      case REDIS -> Program.REDIS;
      case VALKEY -> Program.VALKEY;
      case MEMCACHED -> Program.MEMCACHED;
      case INFINISPAN -> throw new IllegalArgumentException("no program of the system: " + peer);
    };
  }
}
