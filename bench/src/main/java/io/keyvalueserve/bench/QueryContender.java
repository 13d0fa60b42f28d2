package io.keyvalueserve.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The servers that answer queries, and how they are asked. */
enum QueryContender {
  /** This product, asked by predicates over Compact records. */
  OURS(true, false, QueryIndex.SORTED),
  /** This product, asked by SQL through the same client. */
  OURS_SQL(true, true, QueryIndex.SORTED),
  /** Hazelcast as it comes, Java's serialization: the paper's way. */
  PREDICATE_SERIALIZABLE(false, false, QueryIndex.HASH),
  /** Hazelcast as it comes, Compact records. */
  PREDICATE_COMPACT(true, false, QueryIndex.SORTED),
  /** Hazelcast with its SQL, over Compact records. */
  SQL(true, true, QueryIndex.SORTED),
  /** Infinispan, asked by Ickle over Hot Rod, with its own indexes. */
  INFINISPAN(true, false, QueryIndex.SORTED);

  private static final String HEAP = "-Xmx1g";

  private final boolean compact;
  private final boolean sql;

  /** The indexes that it has if none are chosen. */
  final QueryIndex index;

  QueryContender(boolean compact, boolean sql, QueryIndex index) {
    this.compact = compact;
    this.sql = sql;
    this.index = index;
  }

  /** Returns whether it is this product. */
  boolean isOurs() {
    return this == OURS || this == OURS_SQL;
  }

  /** Returns whether it can be asked that. */
  boolean answers(Query query) {
    return sql || !query.needsSql();
  }

  /** Connects a client, in the load's process. */
  People client(Login login) {
    return this == INFINISPAN
        ? new ForeignPeople(login.port())
        : new MapPeople(login, compact, sql);
  }

  /**
   * Starts it.
   *
   * @param logs for its output and its clients'
   * @param launcher fetches what is not ours
   */
  ClientFleet start(Path logs, Launcher launcher) {
    Path folder = logs.resolve(toString());
    Path clients = logs.resolve(this + "-clients");
    if (this == INFINISPAN) {
      Infinispan infinispan = Infinispan.from(launcher);
      int port = Ports.free();
      ServerProcess server = infinispan.startQueries(folder, port);
      return new ClientFleet(
          new Single(toString(), new Login(port, "", "", ""), server, server::close),
          clients,
          log -> new OrderedProcess(log, infinispan.load(HEAP, QueryLoad.class)));
    }
    Grid grid =
        switch (this) {
          case OURS, OURS_SQL -> OwnCluster.forQueries(toString(), folder);
          case SQL -> StockCluster.withSql(folder, packages(launcher));
          default -> StockCluster.forQueries(folder);
        };
    return new ClientFleet(
        new Single(toString(), grid.login(), grid.entry(), grid::close),
        clients,
        log -> new OrderedProcess(log, List.of(), HEAP, QueryLoad.class));
  }

  private static Path packages(Launcher launcher) {
    try {
      return Path.of(launcher.ask(List.of("hazelcast-sql"), Map.of()).getLast(), "lib");
    } catch (BenchException e) {
      throw new BenchException(
          "Hazelcast's SQL cannot be had. The first time it takes Maven and a network, for the"
              + " package that bench/hazelcast-sql/pom.xml names; or run without: --without "
              + SQL,
          e);
    }
  }

  /** One server by the name that results have. */
  private record Single(String name, Login login, ServerProcess entry, Runnable end)
      implements Grid {
    @Override
    public List<ServerProcess> companions() {
      return List.of();
    }

    @Override
    public void close() {
      end.run();
    }
  }

  /** Returns the name in options and results. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
