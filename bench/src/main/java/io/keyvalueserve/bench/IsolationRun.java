package io.keyvalueserve.bench;

import io.keyvalueserve.bench.IsolationServer.Subject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Measures one server: a victim alone and beside each aggressor, and the fairness among equals. */
final class IsolationRun implements AutoCloseable {
  /** What the timetable needs before its first request. */
  private static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long SHORT_CALM_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long CALM_LOOK_MILLIS = 100;
  private static final long CALM_BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long REHEARSAL_LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long REHEARSAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Compilers that take less of their core go over what is run a few times in a minute. */
  private static final double AT_REST = 0.005;

  private static final int FAIRNESS_CONNECTIONS = 16;

  /** So many that the server has more to do with a request than the load. */
  private static final int FAIRNESS_KEYS = 64;

  private final Progress progress;
  private final IsolationPlan plan;
  private final Subject subject;
  private final IsolationServer.Setting setting;
  private final List<WarmUp.Result> warmUps = new ArrayList<>();
  private IsolationServer server;
  private long elsewhereNanos; // of that server, as long as it lived
  private IsolationCrew crew;
  private Contender victim;
  private int crews;
  private long seed;

  /** Starts the server and the aggressors' process, and warms up. */
  IsolationRun(
      Progress progress, IsolationPlan plan, Subject subject, IsolationServer.Setting setting) {
    this.progress = progress;
    this.plan = plan;
    this.subject = subject;
    this.setting = setting;
    crew = newCrew();
    try {
      progress.say("%s: starting", subject);
      server = IsolationServer.start(subject, setting);
      victim = server.contender(server.victim());
    } catch (RuntimeException e) {
      crew.close();
      throw e;
    }
    try {
      if (plan.limits && subject.isOwn()) {
        server.limit(plan.quota()); // a server that cannot says so before all the rest
        server.limit(IsolationQuota.UNLIMITED);
      }
      prepare();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** A first look does not measure, and goes on where others use the machine as well. */
  private IsolationCrew newCrew() {
    crews++;
    return new IsolationCrew(
        folder().resolve("aggressors-" + crews + ".log"), !plan.brief, setting.files());
  }

  private Path folder() {
    return setting.folder().resolve(subject + "-aggressors");
  }

  /** What the server's warming up came to. */
  List<WarmUp.Result> warmUps() {
    return List.copyOf(warmUps);
  }

  /** Fills all places, and has the server compile what the victim asks for. */
  private void prepare() {
    List<Shape> shapes =
        List.of(
            new Shape(1, plan.connections, 1, plan.mix, 0),
            new Shape(1, plan.connections, 16, plan.mix, 0));
    warmUps.add(new WarmUp(progress, plan.rounds.preparation).of(victim, shapes));
    RawLoad.fill(server.contender(server.aggressor()), plan.entries());
    if (plan.parts.contains(IsolationPlan.Part.FAIRNESS)) {
      for (IsolationTarget peer : server.peers()) {
        RawLoad.fill(server.contender(peer), plan.entries());
      }
    }
  }

  /**
   * Measures the victim beside all aggressors, one after the other.
   *
   * @param results is told each
   */
  void aggressors(Consumer<IsolationResult> results) {
    for (IsolationAggression kind : plan.aggressors) {
      results.accept(aggressor(kind, false));
      if (plan.limits
          && kind != IsolationAggression.CONTROL
          && kind != IsolationAggression.SNAPSHOTS
          && kind != IsolationAggression.PEERS) { // these are no tenant
        results.accept(aggressor(kind, true));
      }
    }
  }

  private IsolationResult aggressor(IsolationAggression kind, boolean limited) {
    String reason = subject.cannot(kind, limited);
    if (!reason.isEmpty()) {
      progress.say("%s: %s cannot be measured: %s", subject, kind, reason);
      return new IsolationResult(subject, kind, limited, List.of(), reason);
    }
    List<IsolationResult.Round> rounds = new ArrayList<>();
    String note = "";
    try {
      if (!plan.brief) {
        rehearse(
            kind + (limited ? ", at limit" : ""),
            nanos -> round(kind, limited, REHEARSAL_LEAD_NANOS, nanos));
      }
      for (int i = 1; i <= plan.rounds.rounds; i++) {
        server.process().requireAlive();
        IsolationResult.Round round = round(kind, limited, plan.leadNanos(), plan.rounds.nanos());
        rounds.add(round);
        tell(kind, limited, i, round);
      }
      server.process().requireAlive();
    } catch (BenchException e) {
      if (server.process().isAlive()) {
        throw new BenchException(
            subject + ", " + kind + (limited ? ", at limit" : "") + ": " + e.getMessage(), e);
      }
      note = "THE SERVER ENDED BY ITSELF beside this aggressor";
      progress.say("%s: %s; starting it anew", subject, note);
      restart();
    }
    return new IsolationResult(subject, kind, limited, rounds, note);
  }

  /**
   * Has a thing done, which does not count, until the server has compiled what it takes: its
   * compilers share a core with what is measured, for milliseconds at a time.
   *
   * @param step does it for so many nanoseconds
   */
  private void rehearse(String what, LongConsumer step) {
    long most = plan.rehearsalNanos();
    long begin = System.nanoTime();
    double compiling;
    do {
      ThreadTimes compilers = server.process().compilers();
      long before = System.nanoTime();
      step.accept(Math.min(most, REHEARSAL_NANOS));
      compiling = (double) compilers.nanosSince() / (System.nanoTime() - before);
    } while (compiling > AT_REST && System.nanoTime() - begin < most);
    progress.say(
        "%s, %s: rehearsed for %.0f s, compilers had %.1f %% of the core at last",
        subject, what, (System.nanoTime() - begin) / 1e9, compiling * 100);
  }

  private void restart() {
    crew.close();
    server.close();
    crew = newCrew();
    server = IsolationServer.start(subject, setting);
    elsewhereNanos = 0;
    victim = server.contender(server.victim());
    prepare();
  }

  /** The victim alone, then beside the aggressor, over the same connections. */
  private IsolationResult.Round round(
      IsolationAggression kind, boolean limited, long leadNanos, long nanos) {
    seed++;
    IsolationOrder order = order("aggressor", kind, server.aggressor(), plan.force(kind));
    try (IsolationVictim own =
        new IsolationVictim(
            victim, server.victim(), plan.connections, plan.rate, plan.mix, server::coreNanos)) {
      crew.call(IsolationOrder.Step.PREPARE, List.of(order));
      awaitCalm();
      collect();
      long begin = System.nanoTime() + HEAD_START_NANOS;
      long from = begin + leadNanos;
      IsolationSeen alone = own.run(begin, from, from + nanos, seed, this::loadNanos);
      if (limited) {
        server.limit(plan.quota());
      }
      collect();
      crew.begin(List.of(order));
      begin = System.nanoTime() + HEAD_START_NANOS;
      from = begin + leadNanos;
      crew.during(new IsolationTally.Times(from, from + nanos));
      IsolationSeen beside = own.run(begin, from, from + nanos, seed, this::loadNanos);
      IsolationDone done = crew.receive().getFirst();
      if (server.process().isAlive()) {
        if (limited) {
          server.limit(IsolationQuota.UNLIMITED);
        }
        crew.call(IsolationOrder.Step.CLEAN, List.of(order));
        awaitCalm();
      }
      return new IsolationResult.Round(alone, beside, done);
    }
  }

  /**
   * The processor time of what is beside the victim's load on its cores; never less than before.
   */
  private long loadNanos() {
    elsewhereNanos = Math.max(elsewhereNanos, server.elsewhereNanos());
    return crew.cpuNanos() + elsewhereNanos;
  }

  /**
   * Collects the garbage of this process, the victim's: a collection while it asks would stop it
   * for tens of milliseconds, and be taken for the server's.
   */
  private static void collect() {
    System.gc();
  }

  private IsolationOrder order(
      String name, IsolationAggression kind, IsolationTarget target, IsolationForce force) {
    return new IsolationOrder(
        name,
        IsolationOrder.Step.PREPARE,
        kind,
        target,
        server.hoard(),
        server.doors(),
        server.data() == null ? null : server.data().toString(),
        force,
        seed);
  }

  /** Waits until the server has done what others left it to do, so far as it ends soon. */
  private void awaitCalm() {
    long deadline = System.nanoTime() + (plan.brief ? SHORT_CALM_NANOS : CALM_NANOS);
    long used;
    do {
      server.process().requireAlive();
      long before = server.process().cpuNanos();
      Clock.sleepMillis(CALM_LOOK_MILLIS);
      server.process().requireAlive();
      used = server.process().cpuNanos() - before;
    } while (used > CALM_BUSY_NANOS && System.nanoTime() < deadline);
  }

  private void tell(
      IsolationAggression kind, boolean limited, int number, IsolationResult.Round round) {
    Window alone = round.alone().window();
    Window beside = round.beside().window();
    progress.say(
        "%s, %s%s, round %d/%d: p99 %,.0f us alone, %,.0f beside; %,.0f ops/s alone, %,.0f beside,"
            + " %d errors; the aggressor %,.0f/s",
        subject,
        kind,
        limited ? ", at limit" : "",
        number,
        plan.rounds.rounds,
        alone.micros(99),
        beside.micros(99),
        alone.operationsPerSecond(),
        beside.operationsPerSecond(),
        round.beside().failed(),
        round.aggressorPerSecond());
  }

  /** Measures the fairness among equal tenants, of which each offers twice what the one before. */
  IsolationFairness fairness() {
    List<IsolationOrder> orders = new ArrayList<>();
    List<String> loads = new ArrayList<>();
    for (int i = 0; i < server.peers().size(); i++) {
      IsolationForce force = new IsolationForce(FAIRNESS_CONNECTIONS << i, plan.pipeline << i, 0);
      loads.add(force.connections() + " x " + force.depth());
      IsolationTarget peer = server.peers().get(i).asking(FAIRNESS_KEYS);
      orders.add(order("equal-" + i, IsolationAggression.PIPELINES, peer, force));
    }
    List<IsolationFairness.Round> rounds = new ArrayList<>();
    try (IsolationCrew load = new IsolationCrew(folder().resolve("equals.log"), false, List.of())) {
      if (!plan.brief) {
        rehearse("fairness", nanos -> fairness(load, orders, nanos));
      }
      for (int i = 1; i <= plan.rounds.rounds; i++) {
        IsolationFairness.Round round = fairness(load, orders, plan.rounds.nanos());
        rounds.add(round);
        progress.say(
            "%s, fairness, round %d/%d: min-max %.3f, %s served",
            subject, i, plan.rounds.rounds, round.minMax(), round.served());
      }
    }
    return new IsolationFairness(subject, loads, rounds);
  }

  private IsolationFairness.Round fairness(
      IsolationCrew load, List<IsolationOrder> orders, long nanos) {
    load.call(IsolationOrder.Step.PREPARE, orders);
    awaitCalm();
    load.begin(orders);
    long from = System.nanoTime() + plan.leadNanos();
    long to = from + nanos;
    load.during(new IsolationTally.Times(from, to));
    Clock.sleepUntil(from);
    long early = System.nanoTime();
    long before = server.coreNanos();
    CoreTimes coresBefore = CoreTimes.now();
    Clock.sleepUntil(to);
    long serverNanos = server.coreNanos() - before;
    CoreTimes cores = CoreTimes.now().since(coresBefore);
    double took = System.nanoTime() - early;
    List<IsolationDone> done = load.receive();
    server.process().requireAlive();
    load.call(IsolationOrder.Step.CLEAN, orders);
    return new IsolationFairness.Round(
        done.stream().map(IsolationDone::answered).toList(),
        done.stream().map(IsolationDone::total).toList(),
        done.stream().mapToLong(one -> one.failed() + one.refused()).sum(),
        nanos,
        serverNanos / took,
        cores.serverNanos() / took);
  }

  @Override
  public void close() {
    try {
      crew.close();
    } finally {
      server.close();
    }
  }
}
