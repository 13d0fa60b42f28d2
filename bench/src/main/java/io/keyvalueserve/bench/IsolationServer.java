package io.keyvalueserve.bench;

import com.hazelcast.instance.BuildInfoProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A server with a victim, an aggressor and some equal tenants, each with a place of its own: a
 * tenant of this product, a logical database of Redis, a map of a stock Hazelcast member.
 *
 * @param subject which server
 * @param process what its processor time is read from
 * @param victim where the victim's load goes
 * @param aggressor where the aggressor's goes
 * @param hoard the victim's map as the aggressor reaches it over Hazelcast's protocol; null if
 *     there are no locks
 * @param doors the ports that peers without a key reach; empty if the server is another product
 * @param data its folder, which has the operator's key; null if the server is another product
 * @param peers where those go whose fairness is measured
 * @param api null if it is none of this product
 * @param end ends it
 * @param eventLoops what has the servers' core to itself; null if all of it is there
 */
record IsolationServer(
    Subject subject,
    ServerProcess process,
    IsolationTarget victim,
    IsolationTarget aggressor,
    @Nullable IsolationTarget hoard,
    Map<HostileDoor, Integer> doors,
    @Nullable Path data,
    List<IsolationTarget> peers,
    @Nullable OwnApi api,
    Runnable end,
    @Nullable ThreadTimes eventLoops)
    implements AutoCloseable {
  static final String AGGRESSOR = "aggressor";
  private static final String EQUAL = "equal-";

  /** The map that Redis clients of this product begin with. */
  private static final String FIRST_MAP = "default";

  /** Redis' databases before those of the equal tenants: the victim's, two of the aggressor. */
  private static final int DATABASES = 10;

  private static final String MAP = "bench";

  private static final int STARTS = 3;

  /** What can be measured. */
  enum Subject {
    /** This product, to Redis clients. */
    KVS,
    /** This product, to Hazelcast clients. */
    KVS_HAZELCAST,
    /** redis-server: its victim and aggressor have a logical database each. */
    REDIS,
    /** A Hazelcast member as it comes: its victim and aggressor have a map each. */
    STOCK;

    /** Whether it is this product. */
    boolean isOwn() {
      return this == KVS || this == KVS_HAZELCAST;
    }

    /** What the options of the bench call it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Why an aggression cannot be expressed; empty if it can.
     *
     * @param limited whether the aggressor is to have a quota
     */
    String cannot(IsolationAggression kind, boolean limited) {
      if (limited && !isOwn()) {
        return "it has no limits for tenants";
      }
      if (kind == IsolationAggression.PEERS && !isOwn()) {
        return "the peers are at the four ports of this product";
      }
      if (kind == IsolationAggression.SNAPSHOTS && !isOwn()) {
        return "it takes no snapshot of a part of its keys";
      }
      return this == REDIS && kind == IsolationAggression.LOCKS
          ? "its protocol has no locks on keys"
          : "";
    }
  }

  /**
   * What servers are started with.
   *
   * @param folder for data and output
   * @param tenants how many equal tenants
   * @param entries of each tenant
   * @param valueBytes of each
   * @param memoryBytes for all entries of the server
   * @param loopsApart whether this product's event loops have the servers' core to themselves
   * @param keyless how many connections without a key this product lets be open; 0 for as many as
   *     it does by itself
   * @param files what goes before the commands of processes that open many files
   * @param installed where Redis may be
   */
  record Setting(
      Path folder,
      int tenants,
      int entries,
      int valueBytes,
      long memoryBytes,
      boolean loopsApart,
      int keyless,
      List<String> files,
      Programs installed) {
    IsolationTarget resp(Login login, int database) {
      return IsolationTarget.resp(login, database, entries, valueBytes);
    }

    IsolationTarget hazelcast(Login login, String map) {
      return IsolationTarget.hazelcast(login, map, entries, valueBytes);
    }
  }

  /**
   * Starts it; every tenant's place is empty. A port that was free may have been taken by a
   * connection before the server took it, on a machine where so many are opened: then it starts
   * with another one.
   */
  static IsolationServer start(Subject subject, Setting setting) {
    for (int i = 1; ; i++) {
      try {
        return startOnce(subject, setting);
      } catch (BenchException e) {
        if (i == STARTS) {
          throw e;
        }
      }
    }
  }

  private static IsolationServer startOnce(Subject subject, Setting setting) {
    return switch (subject) {
      case KVS, KVS_HAZELCAST -> own(subject, setting);
      case REDIS -> redis(setting);
      case STOCK -> stock(setting);
    };
  }

  private static IsolationServer own(Subject subject, Setting setting) {
    boolean resp = subject == Subject.KVS;
    boolean apart = resp && setting.loopsApart;
    Path folder = setting.folder.resolve(subject.toString());
    List<String> jvm = JvmOptions.usual();
    List<String> arguments =
        new ArrayList<>(List.of("--memory", (setting.memoryBytes >> 20) + "m"));
    if (setting.keyless > 0) {
      Path config =
          FileTree.write(
              setting.folder.resolve(subject + ".yaml"),
              "unauthenticated:\n  max-connections: " + setting.keyless + "\n");
      arguments.addAll(List.of("--config", config.toString()));
    }
    OwnServer server =
        apart
            ? OwnServer.foundWithLoopsApart(folder, setting.files, jvm, arguments)
            : OwnServer.found(folder, setting.files, jvm, arguments);
    try {
      OwnApi api = server.api();
      String aggressorKey = api.newTenant(AGGRESSOR);
      String map = resp ? FIRST_MAP : MAP;
      api.grant(OwnServer.TENANT, map, AGGRESSOR, "read,write,lock", "");
      List<IsolationTarget> peers = new ArrayList<>();
      for (int i = 1; i <= setting.tenants; i++) {
        peers.add(target(server, resp, EQUAL + i, api.newTenant(EQUAL + i), setting));
      }
      Login locks = new Login(server.clientPort(), OwnServer.CLUSTER, AGGRESSOR, aggressorKey);
      return new IsolationServer(
          subject,
          server.process(),
          target(server, resp, OwnServer.TENANT, server.key(), setting),
          target(server, resp, AGGRESSOR, aggressorKey, setting),
          setting.hazelcast(locks, OwnServer.TENANT + "/" + map),
          server.doors(),
          server.data(),
          peers,
          api,
          server::close,
          apart ? server.process().eventLoops() : null);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private static IsolationTarget target(
      OwnServer server, boolean resp, String tenant, String key, Setting setting) {
    int port = resp ? server.respPort() : server.clientPort();
    Login login = new Login(port, OwnServer.CLUSTER, tenant, key);
    return resp ? setting.resp(login, 0) : setting.hazelcast(login, MAP);
  }

  /** With a password, as this product always has one, and with as much memory. */
  private static IsolationServer redis(Setting setting) {
    String password = UUID.randomUUID().toString();
    List<String> arguments =
        List.of(
            "--requirepass",
            password,
            "--databases",
            Integer.toString(DATABASES + setting.tenants),
            "--maxmemory",
            Long.toString(setting.memoryBytes),
            "--maxmemory-policy",
            "noeviction");
    Contender redis =
        Program.REDIS.start(
            setting.folder.resolve(Subject.REDIS.toString()),
            setting.installed.find(Program.REDIS).orElseThrow(),
            arguments,
            RespWire.of(password, setting.valueBytes));
    Login login = new Login(redis.port(), "", "", password);
    return new IsolationServer(
        Subject.REDIS,
        redis.process(),
        setting.resp(login, 0),
        setting.resp(login, 1),
        null,
        Map.of(),
        null,
        IntStream.range(DATABASES, DATABASES + setting.tenants)
            .mapToObj(i -> setting.resp(login, i))
            .toList(),
        null,
        redis::close,
        null);
  }

  private static IsolationServer stock(Setting setting) {
    StockCluster member = StockCluster.start(setting.folder, 1);
    Login login = member.login();
    return new IsolationServer(
        Subject.STOCK,
        member.entry(),
        setting.hazelcast(login, MAP),
        setting.hazelcast(login, AGGRESSOR),
        setting.hazelcast(login, MAP),
        Map.of(),
        null,
        IntStream.rangeClosed(1, setting.tenants)
            .mapToObj(i -> setting.hazelcast(login, EQUAL + i))
            .toList(),
        null,
        member::close,
        null);
  }

  /** The processor time that it has had on the servers' core, while it lives. */
  long coreNanos() {
    return eventLoops == null ? process.cpuNanos() : eventLoops.nanosSince();
  }

  /** The processor time that it has had where the load is; 0 if it has ended. */
  long elsewhereNanos() {
    return eventLoops == null || !process.isAlive()
        ? 0
        : process.cpuNanos() - eventLoops.nanosSince();
  }

  /** As the raw load reaches one of its places. */
  Contender contender(IsolationTarget target) {
    return new Contender(
        subject.toString(),
        process,
        List.of(),
        target.login().port(),
        target.wire(),
        () -> {
          // what it is a part of ends it
        });
  }

  /** Sets or lifts the aggressor's quota. */
  void limit(IsolationQuota quota) {
    OwnApi own = api;
    if (own != null) {
      own.setQuota(AGGRESSOR, quota);
    }
  }

  /** Its version, if it tells. */
  static String version(Subject subject, Programs installed) {
    return switch (subject) {
      case KVS, KVS_HAZELCAST -> "tenancy on";
      case REDIS -> Programs.version(installed.find(Program.REDIS).orElseThrow());
      case STOCK -> "Hazelcast " + BuildInfoProvider.getBuildInfo().getVersion();
    };
  }

  @Override
  public void close() {
    end.run();
  }
}
