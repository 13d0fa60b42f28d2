package io.keyvalueserve.maps.reclaim;

import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.gates.reclaim.Greedy;
import io.keyvalueserve.gates.reclaim.ReclaimAction;
import io.keyvalueserve.gates.reclaim.ReclaimConfig;
import io.keyvalueserve.gates.reclaim.ReclaimCounters;
import io.keyvalueserve.gates.reclaim.ReclaimPlan;
import io.keyvalueserve.gates.reclaim.ReclaimPlanner;
import io.keyvalueserve.gates.reclaim.ReclaimReason;
import io.keyvalueserve.gates.reclaim.ReclaimReport;
import io.keyvalueserve.gates.reclaim.TenantActivity;
import io.keyvalueserve.gates.reclaim.TenantGrowths;
import io.keyvalueserve.gates.reclaim.TenantMemory;
import io.keyvalueserve.maps.EntryUses;
import io.keyvalueserve.maps.Freed;
import io.keyvalueserve.maps.MemoryPressure;
import io.keyvalueserve.maps.MemoryTaker;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantState;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the memory of a member below its high watermark, and tenants below their quotas, by taking
 * from whom the plan says: values go to the disk or entries are deleted, as each map's setting
 * says. Has a thread of its own, which looks fifty times a second; requests pay nothing for it
 * (seed 004 section 2.3: garbage collection by tenant).
 *
 * <p>While memory is halfway from the high watermark to full, writes of those who have too much of
 * it wait ({@link Greedy}); and so does any write that finds none, as long as something can be
 * taken ({@link MemoryPressure}). When nothing can, they are refused as ever.
 */
public final class MemoryReclaimer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryReclaimer.class);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LOOK_MILLIS = 1_000;
  private static final int LOOKING_PART = 50;

  /** The same while nobody will have to give anything up soon. */
  private static final int QUIET_LOOKING_PART = 500;

  /** Quotas are looked at so often; and all else, while most of the memory is free. */
  private static final long QUOTA_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * The pause between looks while three quarters of the memory are free and no tenant has a quota.
   */
  private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /**
   * The number of looks in a row at which writes may find no memory before more is taken than
   * needed.
   */
  private static final int MOST_REFUSED = 10;

  private static final int PERCENT = 100;

  /** Memory is compacted when less than this part is in free pages, or a write found no room. */
  private static final int FREE_PAGES_PART = 64;

  /**
   * The divisor of the memory's size that gives how many bytes in free pages count as scarce. While
   * pages are scarce, tenants that have too much wait.
   */
  private static final int SCARCE_PAGES_PART = 256;

  /** No more than this part is kept for what is used soon. */
  private static final int MOST_SOON_PART = 8;

  private static final long SOON_MILLIS = 500;
  private static final int MOST_AHEAD = 8;

  /** A tenant over its quota is brought down to this much less than it, not to be back at once. */
  private static final int QUOTA_ROOM_PART = 64;

  private final NativeMaps maps;
  private final Admissions admissions;
  private final ReclaimConfig config;
  private final MemoryTaker taker;
  private final Holding holding;
  private final PacedCompaction compaction;
  private final PageFlow flow = new PageFlow(System::nanoTime);
  private final ReclaimCounters counters = new ReclaimCounters();
  private final ReclaimHistory history = new ReclaimHistory();
  private final Stuck stuck = new Stuck();
  private final Map<Integer, TenantActivity> activities = new HashMap<>();
  private final TenantGrowths growths = new TenantGrowths();
  private final Thread thread;
  private volatile boolean closed;
  private long refusals;
  private boolean refused;
  private boolean hasQuotas;
  private int refusedInTurn;
  private long nextLookNanos = System.nanoTime();

  /** The cheaper of two looks in turn counts: the first ones have code to load. */
  private long lastLookCost;

  private long quotasDueNanos = System.nanoTime();
  private long lastRoundMillis;
  private int ahead = 1;

  private MemoryReclaimer(NativeMaps maps, Admissions admissions, ReclaimConfig config) {
    this.maps = maps;
    this.admissions = admissions;
    this.config = config;
    this.taker = maps.taker(this::lookMeanwhile);
    this.holding = new Holding(maps.pressure());
    this.compaction = new PacedCompaction(this::compact, config.capacityBytes());
    this.thread = Thread.ofPlatform().name("kvs-reclaim").daemon().unstarted(this::run);
  }

  /** Begins. The member has started. */
  public static MemoryReclaimer start(
      NativeMaps maps, Admissions admissions, ReclaimConfig config) {
    MemoryReclaimer reclaimer = new MemoryReclaimer(maps, admissions, config);
    maps.pressure().begin(() -> LockSupport.unpark(reclaimer.thread));
    reclaimer.thread.start();
    return reclaimer;
  }

  /** Returns the configuration: when memory is taken, and from which tenant first. */
  public ReclaimConfig config() {
    return config;
  }

  /**
   * The memory that was reclaimed from a tenant for one reason in one way since the member started.
   *
   * @param bytes of memory that came free
   */
  public record Total(
      String tenant, ReclaimReason.Kind reason, ReclaimAction action, long bytes, long records) {}

  /** Returns what was reclaimed since the member started, from tenants that still exist. */
  public List<Total> totals() {
    Map<Integer, String> names = new HashMap<>();
    admissions.tenants().forEach(tenant -> names.put(tenant.number(), tenant.name().value()));
    return counters.readings().stream()
        .filter(reading -> names.containsKey(reading.tenant()))
        .map(
            reading ->
                new Total(
                    names.getOrDefault(reading.tenant(), ""),
                    reading.reason(),
                    reading.action(),
                    reading.bytes(),
                    reading.records()))
        .toList();
  }

  /**
   * A tenant that was made to wait with its writes because memory was short and it had too much of
   * it.
   *
   * @param times how often that began since the member started, whether it wrote then or not: 1 or
   *     more
   */
  public record Held(String tenant, long times) {}

  /** Returns the tenants that still exist and were made to wait. */
  public List<Held> held() {
    return admissions.tenants().stream()
        .map(tenant -> new Held(tenant.name().value(), holding.times(usage(tenant))))
        .filter(one -> one.times() > 0)
        .toList();
  }

  /** Returns the recent history of what was reclaimed. */
  public ReclaimHistory history() {
    return history;
  }

  /** Returns the number of compactions. */
  public long compactions() {
    return compaction.runs();
  }

  /** The bytes of pages that came free by that. */
  public long compactedBytes() {
    return compaction.gatheredBytes();
  }

  private void run() {
    while (!closed) {
      try {
        tick();
      } catch (RuntimeException e) {
        if (!closed) {
          LOG.error("memory could not be reclaimed, it will be tried again", e);
          LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
      }
      LockSupport.parkNanos(pauseNanos());
    }
  }

  /** Nobody fills the rest before the next look; and a write that found no room wakes us. */
  private long pauseNanos() {
    long held = maps.heap().blocks().held();
    long low = bytesOf(config.lowPercent());
    if (!isMemoryPlentiful()) {
      return TICK_NANOS;
    }
    return hasQuotas || held >= low / 4 ? QUOTA_NANOS : QUIET_NANOS;
  }

  private boolean isMemoryPlentiful() {
    return maps.heap().blocks().held() < bytesOf(config.lowPercent()) / 2;
  }

  private boolean areQuotasDue() {
    long now = System.nanoTime();
    boolean due = now - quotasDueNanos >= 0;
    if (due) {
      quotasDueNanos = now + QUOTA_NANOS - TICK_NANOS / 2;
    }
    return due;
  }

  private void tick() {
    long now = System.currentTimeMillis();
    if (System.nanoTime() - nextLookNanos >= 0) {
      lookAtActivity(now);
    }
    noteRefusals();
    boolean compacted = compactIfShort();
    long used = usedBytes();
    boolean quotas = areQuotasDue() && isAnyOverQuota();
    MemoryPressure pressure = maps.pressure();
    if (quotas || config.neededBytes(used) > 0) {
      boolean taken = reclaim(used, now);
      boolean freed = compactIfShort() || compacted || taken;
      pressure.setHopeless(!freed && config.neededBytes(used) > 0);
      holdIfTight();
      if (!freed) {
        holding.set(false);
      }
    } else {
      pressure.setHopeless(false);
      holding.set(false);
      if (used < bytesOf(config.lowPercent())) {
        holding.setHeld(Set.of());
      }
    }
  }

  /** Between batches of what is taken: these may last, and writes go on meanwhile. */
  private void lookMeanwhile() {
    noteRefusals();
    boolean _ = compactIfShort();
    holdIfTight();
  }

  /**
   * Keeps tenants that have too much from taking more while memory is tight, so that the others
   * need not wait.
   */
  private void holdIfTight() {
    long used = maps.usedBytes();
    boolean tight =
        (holding.isOn() ? used > releaseBytes() : isTight(used))
            || isUsedUpSoon()
            || (arePagesScarce() && compaction.mayHelp(scatteredBytes()));
    holding.set(tight);
  }

  /** Sets the tenants that take no more from now on while memory is short. */
  private void hold(Set<Integer> greedy, Map<Integer, Tenant> tenants) {
    Set<TenantHoldings> held = new HashSet<>();
    for (int number : greedy) {
      Tenant tenant = tenants.get(number);
      if (tenant != null) {
        held.add(usage(tenant));
      }
    }
    holding.setHeld(held);
    holdIfTight();
  }

  // ---- pages

  private boolean arePagesScarce() {
    return freePageBytes() < config.capacityBytes() / SCARCE_PAGES_PART;
  }

  /** Returns whether the free memory may be used up before the next look. */
  private boolean isUsedUpSoon() {
    long free = freePageBytes();
    return free < Math.min(flow.look(free), config.capacityBytes() / MOST_SOON_PART);
  }

  /** Bytes of pages that nobody has. */
  private long freePageBytes() {
    return config.capacityBytes() - maps.heap().blocks().held();
  }

  /** Whole pages are what a value of another size than before needs, or a table that grows. */
  private boolean compactIfShort() {
    if (freePageBytes() >= config.capacityBytes() / FREE_PAGES_PART && !refused) {
      return false;
    }
    boolean came = compaction.runIfWorthIt(scatteredBytes());
    refused &= !came;
    return came;
  }

  /** May last: who gives up memory does not take what is left of it meanwhile. */
  private long compact() {
    holding.set(true);
    return taker.compact();
  }

  /** Bytes in pages that somebody has, and nothing is in them. */
  private long scatteredBytes() {
    return maps.heap().blocks().held() - maps.usedBytes();
  }

  private void noteRefusals() {
    long now = maps.heap().refusals();
    refused |= now != refusals;
    refusals = now;
  }

  /**
   * Returns the bytes in use. If a write found no memory although some is free, and compaction does
   * not help, returns at least one byte more than the high watermark.
   */
  private long usedBytes() {
    long used = maps.usedBytes();
    refusedInTurn = refused ? refusedInTurn + 1 : 0;
    boolean isFull =
        refused && (refusedInTurn > MOST_REFUSED || !compaction.mayHelp(scatteredBytes()));
    refused = false;
    return isFull ? Math.max(used, bytesOf(config.highPercent()) + 1) : used;
  }

  private long bytesOf(int percent) {
    return config.capacityBytes() / PERCENT * percent
        + config.capacityBytes() % PERCENT * percent / PERCENT;
  }

  /** Halfway from the high watermark to full. */
  private boolean isTight(long used) {
    return used > (bytesOf(config.highPercent()) + config.capacityBytes()) / 2;
  }

  /** A quarter of the way. */
  private long releaseBytes() {
    return bytesOf(config.highPercent())
        + (config.capacityBytes() - bytesOf(config.highPercent())) / 4;
  }

  // ---- who is active

  private void lookAtActivity(long now) {
    long begin = ranNanos();
    Map<TenantHoldings, EntryUses> uses = maps.accounts().uses();
    Map<Integer, TenantActivity> present = new HashMap<>();
    Set<TenantHoldings> usages = new HashSet<>();
    for (Tenant tenant : admissions.tenants()) {
      TenantHoldings usage = usage(tenant);
      usages.add(usage);
      EntryUses used = uses.getOrDefault(usage, EntryUses.NONE);
      TenantActivity activity = activities.get(tenant.number());
      if (activity == null) {
        activity = new TenantActivity(used.all(), used.again(), now);
      } else {
        activity.look(used.all(), used.again(), now);
      }
      present.put(tenant.number(), activity);
      growths.look(tenant.number(), usage.bytesHere());
    }
    activities.clear();
    activities.putAll(present);
    growths.keepOnly(present.keySet());
    holding.keepOnly(usages);
    long cost = ranNanos() - begin;
    long part = isMemoryPlentiful() ? QUIET_LOOKING_PART : LOOKING_PART;
    nextLookNanos =
        System.nanoTime()
            + Math.max(
                TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS), Math.min(cost, lastLookCost) * part);
    lastLookCost = cost;
  }

  /**
   * Returns for how long this thread has run. The time of waiting for a processor is not in it: it
   * would put off the next look for long on a busy machine.
   */
  private static long ranNanos() {
    return THREADS.isCurrentThreadCpuTimeSupported()
        ? THREADS.getCurrentThreadCpuTime()
        : System.nanoTime();
  }

  private TenantHoldings usage(Tenant tenant) {
    return admissions.usage(tenant.name().value());
  }

  // ---- reclaiming

  private boolean isAnyOverQuota() {
    boolean limited = false;
    boolean over = false;
    for (TenantHoldings usage : admissions.memoryLimited()) {
      limited = true;
      over |= usage.bytesHere() > usage.mostBytesHere();
    }
    hasQuotas = limited;
    return over;
  }

  /** Returns whether anything came free. */
  private boolean reclaim(long used, long now) {
    long begin = System.nanoTime();
    Map<Integer, Tenant> tenants = new HashMap<>();
    List<TenantMemory> usages = new ArrayList<>();
    taker.look();
    for (Tenant tenant : admissions.tenants()) {
      TenantHoldings usage = usage(tenant);
      if (tenant.state() != TenantState.DELETED && usage.bytesHere() > 0) {
        tenants.put(tenant.number(), tenant);
        TenantMemory holds = usageOf(tenant, usage, now);
        usages.add(holds);
        growths.look(tenant.number(), holds.heldBytes());
      }
    }
    ReclaimPlan plan = ReclaimPlanner.plan(config, used + aheadBytes(used, now), usages, now);
    hold(Greedy.of(usages, plan, growths::bytes), tenants);
    List<ReclaimReport.Item> items = new ArrayList<>();
    for (ReclaimPlan.Take take : plan.takes()) {
      Tenant tenant = tenants.get(take.tenant());
      if (tenant != null && !closed) {
        items.addAll(carryOut(take, tenant, now));
      }
    }
    long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    ReclaimReport report =
        new ReclaimReport(Instant.ofEpochMilli(now), tookMillis, plan.neededBytes(), items);
    counters.add(report);
    return report.freedBytes() > 0;
  }

  /** Memory that fills as fast as it is taken is taken in larger parts: writes wait less often. */
  private long aheadBytes(long used, long now) {
    if (config.neededBytes(used) == 0) {
      return 0;
    }
    ahead = now - lastRoundMillis < SOON_MILLIS ? Math.min(MOST_AHEAD, 2 * ahead) : 1;
    lastRoundMillis = now;
    return config.capacityBytes() / PERCENT * 2 * (ahead - 1);
  }

  private TenantMemory usageOf(Tenant tenant, TenantHoldings usage, long now) {
    long held = usage.bytesHere();
    boolean gives = !stuck.isOne(tenant.number(), held, now) && taker.mayTakeFrom(usage);
    usage.setStuck(!gives);
    long most = usage.mostBytesHere();
    long quota = held > most ? most - most / QUOTA_ROOM_PART : most;
    TenantActivity activity =
        activities.computeIfAbsent(tenant.number(), absent -> new TenantActivity(0, 0, now));
    return new TenantMemory(
        tenant.number(),
        held,
        activity.lastActiveMillis(),
        activity.usesPerSecond(),
        activity.countedPerSecond(),
        Math.toIntExact(tenant.quota().of(Limit.WEIGHT)),
        Math.min(gives ? usage.keptBytesHere() : held, quota),
        quota,
        ReclaimAction.SPILL);
  }

  /** First what comes back, then, if that was not enough, what does not. */
  private List<ReclaimReport.Item> carryOut(ReclaimPlan.Take take, Tenant tenant, long now) {
    TenantHoldings usage = usage(tenant);
    if (stuck.isOne(tenant.number(), usage.bytesHere(), now)) {
      return List.of();
    }
    List<ReclaimReport.Item> items = new ArrayList<>();
    Freed toDisk = taker.spill(usage, take.bytes());
    if (toDisk.records() == 0 && compaction.run()) { // there was no room for what stays of them
      toDisk = taker.spill(usage, take.bytes());
    }
    long spilled = note(items, take, tenant, ReclaimAction.SPILL, toDisk);
    long evicted = 0;
    if (spilled < take.bytes()) {
      evicted =
          note(
              items,
              take,
              tenant,
              ReclaimAction.DELETE,
              taker.evict(usage, take.bytes() - spilled));
    }
    if (spilled + evicted == 0) {
      stuck.note(tenant.number(), usage.bytesHere(), now);
      usage.setStuck(true);
    }
    return items;
  }

  private long note(
      List<ReclaimReport.Item> items,
      ReclaimPlan.Take planned,
      Tenant tenant,
      ReclaimAction action,
      Freed freed) {
    if (freed.records() == 0 && freed.obstacle().isEmpty()) {
      return 0;
    }
    long bytes = Math.max(0, freed.bytes());
    growths.taken(tenant.number(), bytes);
    ReclaimPlan.Take take =
        new ReclaimPlan.Take(planned.tenant(), planned.bytes(), planned.reason(), action);
    items.add(new ReclaimReport.Item(take, bytes, freed.records()));
    tell(tenant, take.reason(), action, bytes, freed);
    return bytes;
  }

  private void tell(
      Tenant tenant, ReclaimReason why, ReclaimAction action, long bytes, Freed freed) {
    Instant now = Instant.now();
    boolean news =
        history.add(
            new ReclaimHistory.Event(
                now,
                now,
                tenant.name().value(),
                action,
                why,
                bytes,
                freed.records(),
                freed.obstacle()));
    if (news && !freed.obstacle().isEmpty()) {
      LOG.warn("memory could not be taken: tenant={}: {}", tenant.name(), freed.obstacle());
    } else if (news) {
      LOG.info("taking memory: tenant={} {} why={}", tenant.name(), action, why);
    }
  }

  /** Ends; blocks until it has. Before the member goes down. Idempotent. */
  @Override
  public void close() {
    closed = true;
    maps.pressure().end();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    holding.set(false);
  }
}
