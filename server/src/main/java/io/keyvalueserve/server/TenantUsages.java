package io.keyvalueserve.server;

import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.TenantRates;
import io.keyvalueserve.gates.admission.Admission;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.fairness.WaitRates;
import io.keyvalueserve.gates.fairness.Waits;
import io.keyvalueserve.gates.latency.Latencies;
import io.keyvalueserve.gates.latency.LatencyWindow;
import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The usage of tenants, on this member and on all. Thread-safe; asking all blocks. */
final class TenantUsages implements AutoCloseable {
  private static final String TOPIC = "usage";
  private static final String BUSIEST_TOPIC = "usage.busiest";
  private static final String ALL_TOPIC = "usage.all";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * The number of things that are looked at once a second, one after the other. Looking at all of
   * them in one go would hold up a core.
   */
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
  private volatile Supplier<ChannelFigures> channels = () -> ChannelFigures.NONE;
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
    grid.answerers().add(BUSIEST_TOPIC, this::answerBusiest);
    grid.answerers().add(ALL_TOPIC, question -> allHere().encode());
  }

  /** Has the figures of channels told from now on. */
  void channelsFrom(Supplier<ChannelFigures> door) {
    channels = door;
  }

  /** Returns the figures of channels of Redis clients at this member. */
  ChannelFigures channelsHere() {
    return channels.get();
  }

  /** Has waits told from now on that a kind of threads meters, together with those of others. */
  void waitsFrom(Supplier<Collection<Waits>> threads) {
    waiting.add(threads);
  }

  /** Returns the time that each tenant has waited for all kinds of threads. */
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
      case 0 -> rates.look(meters, now);
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
   * Answers a question of lines "ranking number": the names of so many tenants for each ranking,
   * each name once, one in a line.
   */
  private String answerBusiest(String question) {
    Set<String> names = new LinkedHashSet<>();
    for (String line : question.lines().toList()) {
      String[] words = line.split(" ", 2);
      Ranking.of(words[0])
          .ifPresent(
              ranking ->
                  busiestHere(ranking, Integer.parseInt(words[1]))
                      .forEach(tenant -> names.add(tenant.value())));
    }
    return String.join("\n", names);
  }

  /**
   * The tenants that have most of something on this member, the first ones most; none that has
   * nothing of it.
   *
   * @param most how many at most: 1 or more
   */
  List<TenantName> busiestHere(Ranking ranking, int most) {
    PriorityQueue<Ranked> best = new PriorityQueue<>(Comparator.comparingDouble(Ranked::figure));
    for (Tenant tenant : admissions.tenants()) {
      double figure = tenant.state() == TenantState.DELETED ? 0 : figureHere(ranking, tenant);
      if (figure > 0 && (best.size() < most || figure > best.element().figure())) {
        best.add(new Ranked(tenant.name(), figure));
        if (best.size() > most) {
          best.remove();
        }
      }
    }
    return best.stream()
        .sorted(Comparator.comparingDouble(Ranked::figure).reversed())
        .map(Ranked::tenant)
        .toList();
  }

  private record Ranked(TenantName tenant, double figure) {}

  private record Used(TenantName tenant, TenantUsage usage) {}

  private double figureHere(Ranking ranking, Tenant tenant) {
    return switch (ranking) {
      case OPERATIONS -> rates.of(tenant.name()).operations();
      case BYTES_IN -> rates.of(tenant.name()).bytesIn();
      case BYTES_OUT -> rates.of(tenant.name()).bytesOut();
      case MEMORY -> admissions.usage(tenant.name().value()).allBytesHere();
      case CONNECTIONS -> sessions.count(tenant.number());
      case THROTTLED -> admissions.of(identity(tenant)).throttled();
      case WAITED -> waits.of(tenant.number()).waited();
    };
  }

  private static Identity identity(Tenant tenant) {
    return new Identity(tenant.name(), tenant.number(), "");
  }

  /**
   * The tenants that have most on any member. A tenant that is not among the first of any member is
   * not found.
   *
   * @param most how many of each ranking a member names
   */
  Set<TenantName> busiest(Map<Ranking, Integer> most) {
    String question =
        most.entrySet().stream()
            .map(each -> each.getKey().text() + " " + each.getValue())
            .collect(Collectors.joining("\n"));
    Set<TenantName> found = new LinkedHashSet<>();
    for (MemberAnswer answer : grid.questioner().ask(BUSIEST_TOPIC, question, PATIENCE)) {
      String text = answer.text();
      if (text != null) {
        text.lines().map(TenantName::new).forEach(found::add);
      }
    }
    return found;
  }

  /**
   * The tenants that have most, with what they use on all members, and others by name up to the
   * number that is asked for.
   *
   * @param order by what they are in order
   * @param rankings by what the members choose
   * @param also tenants that are among them in any case
   * @param most how many, besides those: 1 or more
   */
  Administration.Top top(
      Ranking order, List<Ranking> rankings, Collection<TenantName> also, int most) {
    Map<Ranking, Integer> numbers = new EnumMap<>(Ranking.class);
    rankings.forEach(ranking -> numbers.put(ranking, Math.max(1, most / rankings.size())));
    Set<TenantName> found = busiest(numbers);
    if (found.size() < most) {
      List<TenantName> named = directory.page("", "", most).stream().map(Tenant::name).toList();
      named.stream().limit(most).takeWhile(name -> found.size() < most).forEach(found::add);
    }
    Set<TenantName> asked = new LinkedHashSet<>(found);
    asked.addAll(also);
    asked.removeIf(name -> !isPresent(name));
    List<TenantName> names = List.copyOf(asked);
    Everywhere used = everywhere(names);
    List<Used> all = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      all.add(new Used(names.get(i), used.usages().get(i)));
    }
    all.sort(
        Comparator.comparingDouble((Used each) -> -order.of(each.usage()))
            .thenComparing(Used::tenant));
    Map<TenantName, TenantUsage> sorted = new LinkedHashMap<>();
    for (Used each : all) {
      if (sorted.size() < most || also.contains(each.tenant())) {
        sorted.put(each.tenant(), each.usage());
      }
    }
    return new Administration.Top(sorted, used.silent());
  }

  private boolean isPresent(TenantName name) {
    return directory.find(name).filter(tenant -> tenant.state() != TenantState.DELETED).isPresent();
  }

  /** A tenant as this member knows it. */
  Optional<Tenant> tenant(TenantName name) {
    return directory.find(name);
  }

  /** Returns the number of tenants. */
  int tenantCount() {
    return directory.count();
  }

  /**
   * Returns the usage of all tenants on all members together; see {@link #allHere}. Each entry
   * counts once.
   */
  TenantUsage all() {
    TenantUsage sum = TenantUsage.NOTHING;
    for (MemberAnswer answer : grid.questioner().ask(ALL_TOPIC, "", PATIENCE)) {
      String text = answer.text();
      sum = text == null ? sum : sum.plus(TenantUsage.decode(text));
    }
    return sum.once(grid.quotas().copies());
  }

  /**
   * Returns the usage of all tenants on this member together, without locks, waits and latencies.
   * Memory and entries include backups.
   */
  TenantUsage allHere() {
    double operations = 0;
    double bytesIn = 0;
    double bytesOut = 0;
    for (TenantRates.Rates each : rates.all().values()) {
      operations += each.operations();
      bytesIn += each.bytesIn();
      bytesOut += each.bytesOut();
    }
    long memory = 0;
    long entries = 0;
    long throttled = 0;
    for (Tenant tenant : admissions.tenants()) {
      if (tenant.state() != TenantState.DELETED) {
        Admission admission = admissions.of(identity(tenant));
        memory += admission.usage().allBytesHere();
        entries += admission.usage().entriesHere();
        throttled += admission.throttled();
      }
    }
    return new TenantUsage(
        operations,
        bytesIn,
        bytesOut,
        throttled,
        memory,
        entries,
        sessions.count(),
        0,
        0,
        0,
        Map.of(),
        Map.of());
  }

  /**
   * The usage of tenants on all members, each entry counted once.
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

  /** Returns the usage of a tenant on this member. */
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

  /** Shows what each tenant holds on this member, backups counted. */
  void forEachHolding(RecentHistory.HeldVisitor visitor) {
    for (Tenant tenant : admissions.tenants()) {
      if (tenant.state() != TenantState.DELETED) {
        Admission admission = admissions.of(identity(tenant));
        visitor.visit(
            tenant.number(),
            admission.usage().allBytesHere(),
            admission.usage().entriesHere(),
            sessions.count(tenant.number()));
      }
    }
  }

  /**
   * Returns the backlog of a tenant's Hazelcast clients on this member; all 0 if there is no such
   * tenant.
   */
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

  /**
   * Returns the number of Hazelcast clients that this member has cut off because they did not read.
   */
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

  /** Returns the latencies of all tenants' requests on this member in the last ten seconds. */
  Latencies latenciesHere() {
    return latencies.all();
  }

  /** Returns the operations of all tenants that this member admits in a second. */
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
