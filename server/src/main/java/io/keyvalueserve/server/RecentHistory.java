package io.keyvalueserve.server;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.metering.UsageQuantities;
import io.keyvalueserve.tenancy.QualifiedName;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The usage of tenants and maps on this member in the last hour, in steps of ten seconds. It is
 * read from the counters that meter usage for bills, so requests pay nothing for it. A step in
 * which a tenant used nothing and held nothing takes no memory. Kept in memory only: what is older,
 * and what was before the start, is in the ledger. Thread-safe.
 */
final class RecentHistory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RecentHistory.class);

  /** The length of a step. */
  static final int STEP_SECONDS = 10;

  /** The steps that are kept: those of an hour. */
  static final int STEPS = 360;

  /**
   * The runs of all tenants together, {@link HistoryRing.Run}s of some 85 bytes: 17 MB of the heap.
   * Each tenant that has any may have an equal part of them. So up to 555 tenants may have an hour
   * of steps that all differ. With more tenants, those whose figures change all the time have a
   * shorter history.
   */
  private static final int MOST_RUNS = 200_000;

  /**
   * The runs that a tenant may have in any case: two minutes of steps that all differ, some 1 KB.
   * Beyond 16,666 tenants whose figures change all the time, this is more than {@link #MOST_RUNS}
   * together.
   */
  private static final int FEWEST_RUNS = 12;

  private static final long LOOK_MILLIS = 1_000;
  private static final int STEP_MILLIS = STEP_SECONDS * 1_000;
  private static final double NANOS = 1e9;
  private static final int FIGURES = HistoryFigure.COUNT;

  private final UsageBook book;
  private final Holdings holdings;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final RepeatedWarning failures =
      new RepeatedWarning(LOG, "the history of tenants misses some seconds");
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("kvs-history").daemon().factory());

  private final Map<Integer, HistoryRing> rings = new HashMap<>(); // guarded by this
  private final int since;
  private int step; // of the timer's thread, as is the next one
  private long lookedAt;
  private volatile Map<QualifiedName, MapRate> maps = Map.of();

  /** A source of the bytes, entries and connections of tenants on this member. */
  @FunctionalInterface
  interface Holdings {
    /** Shows all tenants that may hold something. */
    void forEach(HeldVisitor visitor);
  }

  /** A visitor of what tenants hold. */
  @FunctionalInterface
  interface HeldVisitor {
    /** Shows one tenant; bytes and entries are those of all copies here. */
    void visit(int tenantNumber, long bytes, long entries, long connections);
  }

  /** The operations on a map in a second, whichever tenant did them. */
  record MapRate(double reads, double writes) {
    static final MapRate NONE = new MapRate(0, 0);

    MapRate plus(MapRate other) {
      return new MapRate(reads + other.reads, writes + other.writes);
    }
  }

  /** Remembers from now on; {@link #start} has it look. */
  RecentHistory(UsageBook book, Holdings holdings, InstantSource clock, LongSupplier nanoTime) {
    this.book = book;
    this.holdings = holdings;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.step = stepNow();
    this.since = step;
    this.lookedAt = nanoTime.getAsLong();
  }

  /** Begins to look, every second whether a step is over. */
  void start() {
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(
            () -> {
              try {
                look();
              } catch (RuntimeException e) {
                failures.because(e); // the timer would not call again
              }
            },
            LOOK_MILLIS,
            LOOK_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private int stepNow() {
    return Math.toIntExact(clock.millis() / STEP_MILLIS);
  }

  /** Notes what was used, if a step is over. */
  void look() {
    int now = stepNow();
    if (now == step) {
      return;
    }
    long nanos = nanoTime.getAsLong();
    double seconds = Math.max(1, nanos - lookedAt) / NANOS;
    int steps = Math.clamp(now - step, 0, STEPS);
    Map<Integer, float[]> figures = new HashMap<>();
    Map<QualifiedName, MapRate> rates = new HashMap<>();
    for (UsageBook.Sample sample : book.sample()) {
      float[] sums = figures.computeIfAbsent(sample.tenantNumber(), _ -> new float[FIGURES]);
      addFlows(sample.quantities(), steps * (double) STEP_SECONDS, sums);
      QualifiedName map = sample.map();
      if (map != null) {
        MapRate _ = rates.merge(map, rateOf(sample.quantities(), seconds), MapRate::plus);
      }
    }
    holdings.forEach(
        (tenant, bytes, entries, connections) -> {
          if ((bytes | entries | connections) != 0) {
            float[] sums = figures.computeIfAbsent(tenant, _ -> new float[FIGURES]);
            sums[HistoryFigure.MEMORY.index()] = (float) bytes;
            sums[HistoryFigure.ENTRIES.index()] = (float) entries;
            sums[HistoryFigure.CONNECTIONS.index()] = (float) connections;
          }
        });
    note(now - steps, steps, figures);
    maps = Map.copyOf(rates);
    step = now;
    lookedAt = nanos;
  }

  private static void addFlows(UsageQuantities quantities, double seconds, float[] sums) {
    for (HistoryFigure figure : HistoryFigure.values()) {
      if (!figure.isLevel()) {
        sums[figure.index()] += (float) (figure.of(quantities) / seconds);
      }
    }
  }

  private static MapRate rateOf(UsageQuantities quantities, double seconds) {
    double reads = quantities.of(Measure.READS) + quantities.of(Measure.QUERIES);
    return new MapRate(reads / seconds, HistoryFigure.WRITES.of(quantities) / seconds);
  }

  private synchronized void note(int first, int steps, Map<Integer, float[]> figures) {
    figures.forEach(
        (tenant, each) -> {
          if (!isNothing(each)) {
            rings.computeIfAbsent(tenant, _ -> new HistoryRing()).add(first, steps, each);
          }
        });
    int before = first + steps - STEPS;
    int most = Math.clamp(MOST_RUNS / Math.max(1, rings.size()), FEWEST_RUNS, STEPS);
    rings
        .values()
        .removeIf(
            ring -> {
              ring.forget(before, most);
              return ring.isEmpty();
            });
  }

  private static boolean isNothing(float[] figures) {
    for (float figure : figures) {
      if (figure != 0) {
        return false;
      }
    }
    return true;
  }

  /** Visits what a tenant used from one step to another, which is left out. */
  synchronized void forEach(int tenantNumber, int from, int to, Consumer<HistoryRing.Run> visitor) {
    HistoryRing ring = rings.get(tenantNumber);
    if (ring != null) {
      ring.forEach(
          from,
          to,
          (first, steps, figures) -> visitor.accept(new HistoryRing.Run(first, steps, figures)));
    }
  }

  /** Returns the operations on a map in a second, in the last ten seconds that are over. */
  MapRate rateOf(QualifiedName map) {
    return maps.getOrDefault(map, MapRate.NONE);
  }

  /** Returns the first step of which this member knows. */
  int since() {
    return since;
  }

  /** Returns the number of tenants of which anything is kept. */
  synchronized int size() {
    return rings.size();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
