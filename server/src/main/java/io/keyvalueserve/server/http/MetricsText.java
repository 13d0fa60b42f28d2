package io.keyvalueserve.server.http;

import io.keyvalueserve.billing.ledger.BillOpenMetrics;
import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.gates.peer.PeerBudget;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.ClusterView;
import io.keyvalueserve.tenancy.TenantName;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Metrics in the OpenMetrics text form. Counts are read when somebody asks. Only some tenants have
 * series of their own ({@link OwnTenants}), so that a scrape stays small however many there are;
 * those of any tenant can be asked for by its name. Thread-safe.
 */
final class MetricsText {
  static final String CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private final Administration administration;
  private final PrometheusMeterRegistry registry;
  private final MemoryMetrics memory;
  private final ReclaimMetrics reclaim;
  private final QuotaMetrics quotas;
  private final SpendMetrics spending;
  private final BillMetrics bills;
  private final OwnTenants own;
  private final TenantCounters counters;
  private final LatencyMetrics latencies;
  private final LogMetrics log;
  private volatile Set<TenantName> billed = Set.of();

  MetricsText(Administration administration, TenantPolicy policy) {
    this.administration = administration;
    registry = registryOf(administration);
    Gauge.builder("kvs.sessions", administration, Administration::sessions)
        .description("Sessions open on this member")
        .register(registry);
    Gauge.builder("kvs.partitions.lost", administration, one -> one.lostHere().size())
        .description("Partitions of this member that have no copy left and are refused")
        .register(registry);
    Gauge.builder("kvs.records.lost", administration, one -> one.lossesHere().count())
        .description("Records that no copy had when this member started; until acknowledged")
        .register(registry);
    Gauge.builder("kvs.places.lost", administration, one -> one.lossesHere().places())
        .description("Damaged places of logs with unknown contents that no copy had")
        .register(registry);
    Gauge.builder("kvs.log.damaged", administration, one -> one.isLogDamaged() ? 1 : 0)
        .description("Whether this member's log was damaged and is not whole again yet")
        .register(registry);
    registerChannels(administration);
    MergeMetrics.register(registry, administration.changes());
    register(policy.peers());
    register(policy.admissions().memberHeap());
    own = new OwnTenants(administration, System::nanoTime);
    counters = new TenantCounters(registry);
    latencies = new LatencyMetrics(administration::latencies);
    registry.getPrometheusRegistry().register(latencies);
    registry
        .getPrometheusRegistry()
        .register(new StoreMetrics(administration.mapStores()::here, System::currentTimeMillis));
    registry
        .getPrometheusRegistry()
        .register(new SnapshotMetrics(administration.snapshots().jobs()));
    registry.getPrometheusRegistry().register(new HibernationMetrics(administration.hibernating()));
    log = new LogMetrics(registry, administration);
    quotas = new QuotaMetrics(registry);
    spending = new SpendMetrics(registry);
    bills =
        new BillMetrics(() -> BillMetrics.of(administration.billing(), billed), System::nanoTime);
    memory = new MemoryMetrics(registry, administration.memory());
    reclaim = new ReclaimMetrics(registry, administration.reclaimed());
  }

  /** Returns a registry with the metrics of any member: of its process, and of its cluster. */
  // The garbage collection metrics listen for as long as the process lives, as this registry does.
  @SuppressWarnings("resource")
  static PrometheusMeterRegistry registryOf(ClusterView cluster) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmGcMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    Gauge.builder("kvs.members", cluster, view -> view.members().size())
        .description("Members of the cluster")
        .register(registry);
    Gauge.builder("kvs.member.serves", cluster, view -> view.quorum().serves() ? 1 : 0)
        .description("1 while a majority of the cluster lets this member serve, else 0")
        .register(registry);
    Gauge.builder("kvs.quorum.voters", cluster, view -> view.quorum().voters().size())
        .description("Members whose majority decides who serves")
        .register(registry);
    Gauge.builder("kvs.quorum.missing", cluster, view -> view.quorum().missing().size())
        .description("Voters that do not answer this member")
        .register(registry);
    return registry;
  }

  synchronized String scrape() {
    memory.update(administration.memory());
    reclaim.update(administration.reclaimed());
    log.update(administration);
    Set<TenantName> chosen = own.now();
    billed = chosen;
    counters.update(administration.readings(), chosen);
    latencies.choose(chosen);
    quotas.update(administration, chosen, administration.tenantCount() > chosen.size());
    spending.update(administration.spending());
    return withEnd(registry.scrape(CONTENT_TYPE), bills.families());
  }

  /**
   * Returns the series of some tenants, and nothing else.
   *
   * @param tenants that there are
   */
  String scrape(Set<TenantName> tenants) {
    PrometheusMeterRegistry part = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try {
      TenantCounters counts = new TenantCounters(part);
      counts.update(
          administration.readings().stream()
              .filter(reading -> tenants.contains(reading.tenant()))
              .toList(),
          tenants);
      LatencyMetrics took =
          new LatencyMetrics(
              () ->
                  administration.latencies().entrySet().stream()
                      .filter(each -> tenants.contains(each.getKey().tenant()))
                      .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
      took.choose(tenants);
      part.getPrometheusRegistry().register(took);
      new QuotaMetrics(part).update(administration, tenants, false);
      return withEnd(part.scrape(CONTENT_TYPE), BillMetrics.of(administration.billing(), tenants));
    } finally {
      part.close();
    }
  }

  private static String withEnd(String text, String more) {
    return text.endsWith(BillOpenMetrics.END)
        ? text.substring(0, text.length() - BillOpenMetrics.END.length())
            + more
            + BillOpenMetrics.END
        : text;
  }

  private void register(MemberHeap heap) {
    for (HeapUse use : HeapUse.values()) {
      Gauge.builder("kvs.heap.used.bytes", heap, known -> known.used(use))
          .description("Bytes of this member's Java heap that tenants and peers use")
          .tag("use", use.label())
          .register(registry);
    }
    Gauge.builder("kvs.heap.reserved.bytes", heap, MemberHeap::reserved)
        .description("Bytes of this member's Java heap that are reserved for all uses together")
        .register(registry);
    Gauge.builder("kvs.heap.limit.bytes", heap, MemberHeap::most)
        .description("The most bytes of this member's Java heap that may be reserved together")
        .register(registry);
  }

  private void registerChannels(Administration served) {
    for (ChannelKind kind : ChannelKind.values()) {
      Gauge.builder(
              "kvs.channel.subscriptions",
              served,
              one -> one.channelsHere().subscriptions().applyAsLong(kind))
          .description("Subscriptions of Redis clients on this member")
          .tag("kind", kind.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    FunctionCounter.builder(
            "kvs.channel.messages.delivered", served, one -> one.channelsHere().delivered())
        .description("Messages written to subscribers on this member")
        .register(registry);
    FunctionCounter.builder(
            "kvs.channel.subscribers.cut.off", served, one -> one.channelsHere().cutOff())
        .description("Subscribers that were cut off, as they did not read")
        .register(registry);
  }

  private void register(PeerBudget peers) {
    Gauge.builder("kvs.peers.without.key.connections", peers, PeerBudget::connections)
        .description("Connections open on this member that have not authenticated")
        .register(registry);
    Gauge.builder("kvs.peers.without.key.bytes", peers, PeerBudget::bytes)
        .description("Bytes buffered for connections that have not authenticated")
        .register(registry);
    FunctionCounter.builder("kvs.peers.without.key.evictions", peers, PeerBudget::evictions)
        .description("Connections without a key closed to make room, or for holding too much")
        .register(registry);
    FunctionCounter.builder("kvs.peers.without.key.timeouts", peers, PeerBudget::timeouts)
        .description("Connections closed as they did not authenticate in time")
        .register(registry);
  }
}
