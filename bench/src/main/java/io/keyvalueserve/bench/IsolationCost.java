package io.keyvalueserve.bench;

import java.nio.file.Path;
import java.util.List;

/**
 * What tenancy costs the server, by the cases of the paper KeyValueServe (section 2.5): a member
 * that nobody asks (NoWork), the load without the service's layer (Work), and the same load through
 * it (Service). Here the layer is tenancy. All three are of one member: two would differ by what
 * their JVMs have compiled, and by more than is looked for. So Work is the tenant that a member has
 * for trying out, without a key, a quota or grants; what every tenant costs, as its meters, is in
 * it too.
 *
 * @param idle the share of a core that the member uses when nobody asks, from 0 to 1
 * @param cells of Work, Service and granted Service for each shape of the load, in this order
 * @param hasQuotas whether tenants had quotas
 * @param warmUps of the three
 */
record IsolationCost(
    double idle, List<Cell> cells, boolean hasQuotas, List<WarmUp.Result> warmUps) {
  /** A load without tenancy. */
  static final String WORK = "Work";

  /** The load as a tenant, to its own map. */
  static final String SERVICE = "Service";

  /** The load as a tenant, to another's map, as it is granted. */
  static final String GRANTED = "Service, granted";

  /** Those of one shape in {@link #cells}. */
  static final int EACH = 3;

  private static final String READER = "reader";
  private static final String MAP = "default";
  private static final int OTHER_GRANTS = 100;
  private static final int CONNECTIONS = 64;
  private static final List<Integer> PIPELINES = List.of(1, 16);

  /**
   * Starts a member, loads it as one tenant after the other, in turns, and ends it.
   *
   * @param folder for its data and output
   */
  static IsolationCost measure(Progress progress, IsolationPlan plan, Path folder) {
    List<String> arguments = List.of("--memory", (plan.memoryBytes >> 20) + "m", "--dev");
    progress.say("cost: starting a member");
    try (OwnServer server =
        OwnServer.found(folder.resolve("cost"), JvmOptions.usual(), arguments)) {
      String key = server.api().newTenant(READER);
      prepare(server.api(), plan.limits);
      int bytes = plan.rounds.valueBytes();
      String owner = OwnServer.TENANT;
      Contender work = contender(WORK, server, new RespWire("", bytes));
      Contender service = contender(SERVICE, server, RespWire.of(owner, server.key(), bytes));
      Contender granted =
          contender(GRANTED, server, RespWire.of(READER + "/" + owner + "/" + MAP, key, bytes));
      return measure(progress, plan, List.of(work, service, granted));
    }
  }

  /** Grants what the reader does, and much that it does not; gives both quotas, if there are. */
  private static void prepare(OwnApi api, boolean limits) {
    api.grant(OwnServer.TENANT, MAP, READER, "read,write", "key:");
    for (int i = 0; i < OTHER_GRANTS; i++) {
      api.grant(OwnServer.TENANT, MAP, READER, "read", "other-" + i + ":");
    }
    if (limits) {
      api.setQuota(OwnServer.TENANT, IsolationQuota.ample());
      api.setQuota(READER, IsolationQuota.ample());
    }
  }

  private static Contender contender(String name, OwnServer server, Wire wire) {
    return new Contender(
        name,
        server.process(),
        List.of(),
        server.respPort(),
        wire,
        () -> {
          // who started the server ends it
        });
  }

  private static IsolationCost measure(
      Progress progress, IsolationPlan plan, List<Contender> contenders) {
    List<Shape> shapes =
        PIPELINES.stream().map(depth -> new Shape(1, CONNECTIONS, depth, plan.mix, 0)).toList();
    RawComparison comparison =
        new RawComparison(progress, plan.rounds, new Rate.Most(), contenders.getFirst().name());
    List<Cell> cells = comparison.measure(contenders, shapes);
    double idle = idle(contenders.getFirst(), plan);
    return new IsolationCost(idle, cells, plan.limits, comparison.warmUps());
  }

  /** The share of a core that a member uses that nobody asks. */
  private static double idle(Contender contender, IsolationPlan plan) {
    long begin = System.nanoTime();
    long before = contender.process().cpuNanos();
    Clock.sleepUntil(begin + Math.max(1_000_000_000L, plan.rounds.nanos()));
    long used = contender.process().cpuNanos() - before;
    return (double) used / (System.nanoTime() - begin);
  }

  /** The processor time for an operation of a cell by that of Work under the same load. */
  double ratio(int cell) {
    Cell work = cells.get(cell / EACH * EACH);
    return cells.get(cell).ratio(work, Window::serverCpuMicros);
  }
}
