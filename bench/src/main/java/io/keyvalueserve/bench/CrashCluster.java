package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Servers that hold one set of data, are killed and come back. One thread starts and kills; others
 * may connect meanwhile.
 */
final class CrashCluster implements AutoCloseable {
  private static final long START_SECONDS = 120;
  private static final long SAFE_PAUSE_MILLIS = 100;

  private final List<? extends CrashServer> servers;
  private final int copies;
  private final List<String> login;

  private CrashCluster(List<? extends CrashServer> servers, int copies, List<String> login) {
    this.servers = servers;
    this.copies = copies;
    this.login = login;
  }

  /**
   * Starts members of this product, with one tenant, and waits until they serve.
   *
   * @param folder for data and output
   * @param seed draws what disks keep of what they need not
   */
  static CrashCluster kvs(Path folder, int size, Durability durability, CrashDisk disk, long seed)
      throws IOException {
    List<String> jvm = JvmOptions.usual();
    List<OwnCrashServer> members = new ArrayList<>();
    for (int i = 1; i <= size; i++) {
      OwnCrashServer member = new OwnCrashServer(folder.resolve("member-" + i), jvm, durability);
      member.on(disk == CrashDisk.REAL ? disk : CrashDisk.UNSYNCED_IS_LOST, seed + 1_000L * i);
      members.add(member);
    }
    members.forEach(OwnCrashServer::compactSoon);
    if (size > 1) {
      Path secret = secret(folder);
      List<String> addresses = members.stream().map(OwnCrashServer::memberAddress).toList();
      members.forEach(member -> member.join(addresses, secret));
    }
    try {
      members.forEach(OwnCrashServer::launch); // none serves before most are there
      awaitReady(members);
      String key = members.getFirst().newTenant();
      if (disk == CrashDisk.NEVER_SYNCED) { // only now: it would forget the tenant too
        members.forEach(OwnCrashServer::kill);
        members.forEach(member -> member.on(disk, seed));
        members.forEach(OwnCrashServer::launch);
        awaitReady(members);
      }
      return new CrashCluster(members, Math.min(2, size), List.of("AUTH", OwnServer.TENANT, key));
    } catch (RuntimeException e) {
      members.forEach(OwnCrashServer::close);
      throw e;
    }
  }

  /** Starts a Redis server, and waits until it serves. */
  static CrashCluster redis(Path folder, Path binary, Durability durability) {
    RedisCrashServer server = new RedisCrashServer(folder.resolve("redis"), binary, durability);
    CrashCluster cluster = new CrashCluster(List.of(server), 1, List.of());
    try {
      server.launch();
      awaitReady(List.of(server));
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  int size() {
    return servers.size();
  }

  /** How many members hold an entry. */
  int copies() {
    return copies;
  }

  CrashServer server(int index) {
    return servers.get(index);
  }

  /**
   * A connection that may read and write.
   *
   * @throws IOException if the server is down
   * @throws RespConnection.Refused if it does not let the connection in
   */
  RespConnection connect(int index) throws IOException {
    return RespConnection.open(servers.get(index).port(), login);
  }

  /** Waits until all serve. */
  void awaitReady() {
    awaitReady(servers);
  }

  /** Waits until others have all that one has. */
  void awaitSafe() {
    Clock.await(
        servers.getFirst()::isSafe,
        SAFE_PAUSE_MILLIS,
        START_SECONDS,
        "the cluster had not all its backups");
  }

  private static void awaitReady(List<? extends CrashServer> servers) {
    for (CrashServer server : servers) {
      Clock.await(
          server::isReady, 10, START_SECONDS, "a server was not ready, see " + server.data() + ",");
    }
  }

  /** Writes a new secret of a cluster to a file that only this user may read. */
  static Path secret(Path folder) throws IOException {
    Files.createDirectories(folder);
    Path file =
        Files.createFile(
            folder.resolve("cluster.secret"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, UUID.randomUUID() + "-" + UUID.randomUUID());
  }

  @Override
  public void close() {
    servers.forEach(CrashServer::close);
  }
}
