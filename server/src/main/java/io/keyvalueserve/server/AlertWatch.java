package io.keyvalueserve.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.server.AlertAnswers.Noted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes alerts, whether anybody watches or not. Each member notes those about itself. The oldest
 * member that holds data also notes those about the cluster and its tenants, which it asks all
 * members for. Thread-safe; asking blocks.
 */
final class AlertWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AlertWatch.class);
  private static final String TOPIC = "alerts";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final GridMember grid;
  private final MemoryFacts memory;
  private final Supplier<LiveSample> samples;
  private final AlertLog log = new AlertLog();
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
   * @param period from the end of one look to the next
   */
  AlertWatch(GridMember grid, MemoryFacts memory, Supplier<LiveSample> samples, Duration period) {
    this.grid = grid;
    this.memory = memory;
    this.samples = samples;
    grid.answerers().add(TOPIC, question -> encode(log.all()));
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(
            this::look, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Asks all members for what they have noted.
   *
   * @param most how many alerts at most: 1 or more
   */
  AlertAnswers everywhere(int most) {
    List<Noted> noted = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (MemberAnswer answer : grid.questioner().ask(TOPIC, "", PATIENCE)) {
      String text = answer.text();
      if (text == null) {
        silent.add(answer.member());
      } else {
        decode(text).forEach(alert -> noted.add(new Noted(answer.member(), alert)));
      }
    }
    noted.sort(AlertWatch::compare);
    return new AlertAnswers(noted.subList(0, Math.min(most, noted.size())), silent);
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
      LiveSample sample = grid.isOldest() ? samples.get() : null;
      if (sample != null) {
        alerts.addAll(AlertRules.ofCluster(sample, before));
      }
      before = sample;
      log.see(alerts, at);
    } catch (RuntimeException e) {
      // The timer would not call again.
      if (!timer.isShutdown()) {
        failures.because(e);
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
