package io.keyvalueserve.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.settings.MapStoreSettings;
import io.keyvalueserve.server.AlertAnswers.Noted;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes alerts, whether anybody watches or not. Each member notes those about itself. The oldest
 * member that holds data also notes those about the cluster and its tenants, which it asks all
 * members for. The cluster keeps them. Whoever becomes the oldest goes on with those that hold, and
 * ends those of members that are gone. Thread-safe; asking blocks.
 */
final class AlertWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AlertWatch.class);
  private static final String TOPIC = "alerts";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LOOKS_FOR_TRIM = 30;

  /** The ids of alerts that a member has about itself; see {@link AlertRules#ofMember}. */
  private static final Pattern OF_MEMBER = Pattern.compile("(?:memory|log|disk) (.+)");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final GridMember grid;
  private final MemoryFacts memory;
  private final Supplier<LiveSample> samples;
  private final Supplier<List<SnapshotJob>> latestSnapshots;
  private final Supplier<Map<TenantName, String>> failedPlans;
  private final AlertLog log = new AlertLog();
  private final StoredAlerts stored;
  private final RepeatedWarning unkept =
      new RepeatedWarning(LOG, "alerts could not be kept in the cluster and will be again");
  private @Nullable Scope scope; // of the timer's thread, as is the next one
  private int looks;
  private final RepeatedWarning failures =
      new RepeatedWarning(LOG, "alerts could not be looked for and will be again");
  private @Nullable LiveSample before; // of the timer's thread
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("kvs-alerts").daemon().factory());

  /**
   * Begins to look.
   *
   * @param samples takes a sample of the cluster; blocks
   * @param latestSnapshots returns the last job of each tenant that was to create a snapshot;
   *     blocks
   * @param failedPlans returns why snapshots that are due by plans could not be taken, by tenants
   * @param period from the end of one look to the next
   */
  AlertWatch(
      GridMember grid,
      MemoryFacts memory,
      Supplier<LiveSample> samples,
      Supplier<List<SnapshotJob>> latestSnapshots,
      Supplier<Map<TenantName, String>> failedPlans,
      Duration period) {
    this.latestSnapshots = latestSnapshots;
    this.failedPlans = failedPlans;
    this.grid = grid;
    this.memory = memory;
    this.samples = samples;
    this.stored = new StoredAlerts(grid.alerts());
    grid.answerers().add(TOPIC, question -> encode(log.all()));
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(
            this::look, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The alerts that a member answers for: its own, and the cluster's if it is the oldest. */
  private record Scope(String self, boolean isOldest, Set<String> members) {
    boolean has(Alert alert) {
      Matcher ofMember = OF_MEMBER.matcher(alert.id());
      if (alert.tenant() != null || !ofMember.matches()) {
        return isOldest;
      }
      String member = ofMember.group(1);
      return member.equals(self) || (isOldest && !members.contains(member));
    }
  }

  /**
   * Asks all members for what they have noted, and the cluster for what it has kept.
   *
   * @param most how many alerts at most: 1 or more
   */
  AlertAnswers everywhere(int most) {
    Map<String, Noted> all = kept();
    List<String> silent = new ArrayList<>();
    for (MemberAnswer answer : grid.questioner().ask(TOPIC, "", PATIENCE)) {
      String text = answer.text();
      if (text == null) {
        silent.add(answer.member());
      } else {
        decode(text).forEach(alert -> all.put(alert.key(), new Noted(answer.member(), alert)));
      }
    }
    List<Noted> noted = new ArrayList<>(all.values());
    noted.sort(AlertWatch::compare);
    return new AlertAnswers(noted.subList(0, Math.min(most, noted.size())), silent);
  }

  private Map<String, Noted> kept() {
    try {
      return stored.all();
    } catch (RuntimeException e) {
      LOG.debug("alerts that the cluster keeps cannot be read now", e);
      return new HashMap<>();
    }
  }

  /** Those that hold come first, then those that ended last. */
  private static int compare(Noted a, Noted b) {
    Instant endOfA = a.alert().until();
    Instant endOfB = b.alert().until();
    if (endOfA != null && endOfB != null && !endOfA.equals(endOfB)) {
      return endOfB.compareTo(endOfA);
    }
    if ((endOfA == null) != (endOfB == null)) {
      return endOfA == null ? -1 : 1;
    }
    return b.alert().since().compareTo(a.alert().since());
  }

  private void look() {
    try {
      Instant at = Instant.now();
      List<Alert> alerts =
          new ArrayList<>(AlertRules.ofMember(address(), memory.tiers(), grid.logFigures(), at));
      adopt(at);
      LiveSample sample = grid.isOldest() ? samples.get() : null;
      if (sample != null) {
        alerts.addAll(AlertRules.ofCluster(sample, before));
        alerts.addAll(ofStores(at));
        alerts.addAll(AlertRules.ofSnapshots(latestSnapshots.get(), at));
        alerts.addAll(AlertRules.ofPlans(failedPlans.get(), at));
      }
      before = sample;
      log.see(alerts, at);
      keep(at);
    } catch (RuntimeException e) {
      // The timer would not call again.
      if (!timer.isShutdown()) {
        failures.because(e);
      }
    }
  }

  /** Asks all members if something is behind a map. */
  private List<Alert> ofStores(Instant at) {
    Map<String, Duration> delays = new HashMap<>();
    grid.mapSettings()
        .forEach(
            map -> {
              MapStoreSettings store = map.store();
              if (store != null) {
                delays.put(map.map(), store.delay());
              }
            });
    return delays.isEmpty()
        ? List.of()
        : AlertRules.ofStores(delays, grid.storeQuestions().status().maps(), at);
  }

  /** Goes on with alerts that this member answers for since it started, or since others left. */
  private void adopt(Instant at) {
    Scope now =
        new Scope(
            address(),
            grid.isOldest(),
            grid.members().stream().map(MemberInfo::address).collect(Collectors.toSet()));
    if (now.equals(scope)) {
      return;
    }
    try {
      List<Alert> mine = stored.all().values().stream().map(Noted::alert).filter(now::has).toList();
      log.adopt(mine, at);
      stored.adopt(mine);
      scope = now;
    } catch (RuntimeException e) {
      unkept.because(e); // it is tried again at the next look
    }
  }

  private void keep(Instant at) {
    try {
      stored.keep(log.all(), address(), at);
      if (grid.isOldest() && looks++ % LOOKS_FOR_TRIM == 0) {
        stored.trim();
      }
    } catch (RuntimeException e) {
      if (!timer.isShutdown()) {
        unkept.because(e);
      }
    }
  }

  private String address() {
    return grid.members().stream()
        .filter(MemberInfo::local)
        .map(MemberInfo::address)
        .findFirst()
        .orElse("");
  }

  private static String encode(List<Alert> alerts) {
    ArrayNode all = JSON.createArrayNode();
    alerts.forEach(alert -> all.add(alert.encode()));
    return all.toString();
  }

  private static List<Alert> decode(String text) {
    try {
      List<Alert> alerts = new ArrayList<>();
      for (JsonNode each : JSON.readTree(text)) {
        alerts.add(Alert.decode(each));
      }
      return alerts;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no alerts: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
