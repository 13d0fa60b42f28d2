package io.keyvalueserve.server;

import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantMeters;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantRates;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.admission.Admission;
import io.keyvalueserve.tenancy.admission.Admissions;
import io.keyvalueserve.tenancy.fairness.WaitRates;
import io.keyvalueserve.tenancy.fairness.Waits;
import io.keyvalueserve.tenancy.latency.Latencies;
import io.keyvalueserve.tenancy.latency.LatencyWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What tenants use: on this member, and on all. Thread-safe; asking all blocks. */
final class TenantUsages implements AutoCloseable {
  private static final String TOPIC = "usage";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What is looked at once in a second, one after the other: at a stretch it holds up a core. */
  private static final int LOOKS = 4;

  private static final long LOOK_MILLIS = 1_000 / LOOKS;

  private final GridMember grid;
  private final TenantDirectory directory;
  private final SessionRegistry sessions;
  private final Admissions admissions;
  private final TenantRates rates = new TenantRates();
  private final WaitRates waits = new WaitRates();
  private final LatencyWindow<TenantMeters.Key> latencies = new LatencyWindow<>();
  private final List<Supplier<Collection<Waits>>> waiting = new CopyOnWriteArrayList<>();
  private volatile LongConsumer looksToo = nanos -> {};
  private int look; // of the timer's thread
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("kvs-rates").daemon().factory());

  TenantUsages(
      GridMember grid,
      TenantDirectory directory,
      SessionRegistry sessions,
      TenantMeters meters,
      Admissions admissions) {
    this.grid = grid;
    this.directory = directory;
    this.sessions = sessions;
    this.admissions = admissions;
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(() -> look(meters), 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    grid.answerers().add(TOPIC, this::answer);
  }

  /** Has waits told from now on that a kind of threads meters, together with those of others. */
  void waitsFrom(Supplier<Collection<Waits>> threads) {
    waiting.add(threads);
  }

  /** What each tenant has waited for all kinds of threads. */
  private Collection<Waits> allWaits() {
    Map<Integer, Waits> all = new HashMap<>();
    for (Supplier<Collection<Waits>> threads : waiting) {
      threads.get().forEach(each -> all.merge(each.tenant(), each, Waits::plus));
    }
    return all.values();
  }

  /** Has somebody else look once in a second too; it gets the time in nanoseconds. */
  void alsoLook(LongConsumer other) {
    looksToo = other;
  }

  private void look(TenantMeters meters) {
    long now = System.nanoTime();
    switch (look++ % LOOKS) {
      case 0 -> rates.look(meters.readings(), now);
      case 1 -> waits.look(allWaits(), now);
      case 2 -> latencies.look(meters.latencies());
      default -> looksToo.accept(now);
    }
  }

  /** A line for each tenant that is named in a line. */
  private String answer(String tenants) {
    return tenants
        .lines()
        .map(tenant -> here(new TenantName(tenant)).encode())
        .collect(Collectors.joining("\n"));
  }

  /**
   * What tenants use on all members, each entry counted once.
   *
   * @param usages of the members that answered, by the order in which tenants were asked for
   * @param silent the addresses of members that gave no answer
   */
  record Everywhere(List<TenantUsage> usages, List<String> silent) {}

  /** Asks all members. */
  Everywhere everywhere(List<TenantName> tenants) {
    String question = tenants.stream().map(TenantName::value).collect(Collectors.joining("\n"));
    TenantUsage[] sums = new TenantUsage[tenants.size()];
    Arrays.fill(sums, TenantUsage.NOTHING);
    List<String> silent = new ArrayList<>();
    for (MemberAnswer answer : grid.questioner().ask(TOPIC, question, PATIENCE)) {
      String text = answer.text();
      List<String> lines = text == null ? List.of() : text.lines().toList();
      if (lines.size() == sums.length) {
        for (int i = 0; i < sums.length; i++) {
          sums[i] = sums[i].plus(TenantUsage.decode(lines.get(i)));
        }
      } else {
        silent.add(answer.member());
      }
    }
    int copies = grid.quotas().copies();
    return new Everywhere(Arrays.stream(sums).map(sum -> sum.once(copies)).toList(), silent);
  }

  /** What a tenant uses on this member. */
  TenantUsage here(TenantName name) {
    Optional<Tenant> tenant =
        directory.find(name).filter(known -> known.state() != TenantState.DELETED);
    if (tenant.isEmpty()) {
      return TenantUsage.NOTHING;
    }
    int number = tenant.get().number();
    Admission admission = admissions.of(new Identity(name, number, ""));
    TenantRates.Rates now = rates.of(name);
    return new TenantUsage(
        now.operations(),
        now.bytesIn(),
        now.bytesOut(),
        admission.throttled(),
        admission.usage().allBytesHere(),
        admission.usage().entriesHere(),
        sessions.count(number),
        grid.quotas().locksHere(name),
        waits.of(number).waited(),
        waits.of(number).longestNanos(),
        byName(waits.of(number).behind()),
        latenciesHere(name));
  }

  /** What a tenant's Hazelcast clients wait for on this member; nothing if there is no such one. */
  ClientBacklog backlogHere(TenantName name) {
    return directory
        .find(name)
        .map(Tenant::number)
        .map(
            number ->
                new ClientBacklog(
                    grid.waitingRequests(number),
                    grid.waitingBytes(number),
                    grid.unreadBytes(number)))
        .orElse(new ClientBacklog(0, 0, 0));
  }

  /** How many Hazelcast clients this member has cut off, as they did not read. */
  long clientsCutOffHere() {
    return grid.clientsCutOff();
  }

  private Map<Door, Latencies> latenciesHere(TenantName name) {
    Map<Door, Latencies> byDoor = new EnumMap<>(Door.class);
    for (Door door : Door.values()) {
      Latencies recent = latencies.of(new TenantMeters.Key(name, door));
      if (recent.count() > 0) {
        byDoor.put(door, recent);
      }
    }
    return byDoor;
  }

  /** How long the requests of all tenants took on this member in the last ten seconds. */
  Latencies latenciesHere() {
    return latencies.all();
  }

  /** How many operations of all tenants this member admits in a second. */
  double operationsHere() {
    return admissions.tenants().stream()
        .mapToDouble(tenant -> rates.of(tenant.name()).operations())
        .sum();
  }

  private Map<String, Double> byName(Map<Integer, Double> byNumber) {
    Map<String, Double> byName = new HashMap<>();
    for (Tenant tenant : byNumber.isEmpty() ? List.<Tenant>of() : admissions.tenants()) {
      Double seconds = byNumber.get(tenant.number());
      if (seconds != null) {
        byName.put(tenant.name().value(), seconds);
      }
    }
    return byName;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
