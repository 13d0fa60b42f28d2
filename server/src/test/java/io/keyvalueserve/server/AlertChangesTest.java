package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The cluster learns of alerts that begin and end, also of those that a member has dropped. */
class AlertChangesTest {
  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

  private final AlertChanges changes = new AlertChanges();
  private final Map<String, Alert> cluster = new HashMap<>();

  private static Alert alert(String id) {
    return Alert.of(id, false, "title", null, NOON);
  }

  private void keep(List<Alert> alerts, Instant at) {
    Map<String, Alert> changed = changes.next(alerts, at);
    assertThat(changed).hasSizeLessThanOrEqualTo(AlertChanges.MOST_AT_ONCE);
    cluster.putAll(changed);
    changes.wrote(changed);
  }

  private long open() {
    return cluster.values().stream().filter(each -> each.until() == null).count();
  }

  @Test
  void anAlertThatWasDroppedEnds() {
    keep(List.of(alert("a"), alert("b")), NOON);
    assertThat(open()).isEqualTo(2);
    keep(List.of(alert("b")), NOON.plusSeconds(5));
    assertThat(cluster.get(alert("a").key())).isEqualTo(alert("a").endedAt(NOON.plusSeconds(5)));
    assertThat(open()).isEqualTo(1);
    assertThat(changes.next(List.of(alert("b")), NOON.plusSeconds(10))).isEmpty();
  }

  @Test
  void anAlertThatEndedJustNowIsNotDropped() {
    keep(List.of(alert("a")), NOON);
    Alert ended = alert("a").endedAt(NOON.plusSeconds(5));
    keep(List.of(ended), NOON.plusSeconds(5));
    assertThat(open()).as("it may come back").isEqualTo(1);
    keep(List.of(ended), NOON.plusSeconds(6).plus(AlertLog.PAUSE));
    assertThat(cluster).containsValue(ended).hasSize(1);
  }

  @Test
  void anAlertThatWasTakenOverAndDroppedEnds() {
    cluster.put(alert("a").key(), alert("a"));
    changes.adopt(cluster.values());
    keep(List.of(), NOON.plusSeconds(5));
    assertThat(open()).isZero();
  }

  @Test
  void aWriteThatFailedIsDoneAgain() {
    assertThat(changes.next(List.of(alert("a")), NOON)).hasSize(1);
    assertThat(changes.next(List.of(alert("a")), NOON)).hasSize(1);
  }

  /** More alerts end at once than the log of a member has room for. */
  @Test
  void allThatALogDropsEnd() {
    AlertLog log = new AlertLog();
    Instant at = NOON;
    for (int wave = 0; wave < 4; wave++) {
      List<Alert> now = new ArrayList<>();
      for (int i = 0; i < AlertLog.MOST; i++) {
        now.add(Alert.of("wave " + wave + " " + i, false, "title", null, at));
      }
      log.see(now, at);
      for (int look = 0; look < 4; look++) {
        at = at.plusSeconds(5);
        keep(log.all(), at);
      }
    }
    log.see(List.of(), at);
    for (Duration past = Duration.ZERO; past.compareTo(Duration.ofMinutes(2)) < 0; ) {
      past = past.plusSeconds(5);
      keep(log.all(), at.plus(past));
    }
    assertThat(cluster).hasSize(4 * AlertLog.MOST);
    assertThat(open()).isZero();
  }
}
