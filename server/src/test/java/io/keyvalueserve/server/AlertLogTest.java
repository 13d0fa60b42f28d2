package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The list of alerts that a member keeps: times, alerts that come back, and its bound. */
class AlertLogTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final AlertLog log = new AlertLog();

  private static Instant at(int seconds) {
    return START.plusSeconds(seconds);
  }

  private static Alert alert(String id, boolean critical, int seconds) {
    return Alert.of(
        id, critical, id + (critical ? " is full" : " is nearly full"), null, at(seconds));
  }

  @Test
  void notesWhenAnAlertBeginsAndEnds() {
    log.see(List.of(alert("a", false, 0)), at(0));
    log.see(List.of(alert("a", true, 5), alert("b", false, 5)), at(5));
    log.see(List.of(alert("a", false, 10)), at(10));

    List<Alert> all = log.all();
    assertThat(all).extracting(Alert::id).containsExactly("a", "b");
    assertThat(all.getFirst().since()).isEqualTo(at(0));
    assertThat(all.getFirst().until()).isNull();
    assertThat(all.getFirst().critical()).as("it was worse before").isTrue();
    assertThat(all.getFirst().title()).isEqualTo("a is full");
    assertThat(all.getLast().since()).isEqualTo(at(5));
    assertThat(all.getLast().until()).isEqualTo(at(10));
    assertThat(all.getLast().critical()).isFalse();
  }

  @Test
  void anAlertThatSoonComesBackGoesOn() {
    log.see(List.of(alert("a", false, 0)), at(0));
    log.see(List.of(), at(5));
    log.see(List.of(alert("a", false, 60)), at(60));
    assertThat(log.all()).hasSize(1);
    assertThat(log.all().getFirst().since()).isEqualTo(at(0));
    assertThat(log.all().getFirst().until()).isNull();

    log.see(List.of(), at(65));
    log.see(List.of(alert("a", false, 200)), at(200));
    assertThat(log.all()).extracting(Alert::since).containsExactly(at(200), at(0));
  }

  @Test
  void forgetsThoseThatEndedFirst() {
    for (int i = 0; i <= AlertLog.MOST; i++) {
      log.see(List.of(alert("a" + i, false, i)), at(i));
    }
    log.see(List.of(), at(1_000));
    assertThat(log.all()).hasSize(AlertLog.MOST);
    assertThat(log.all().getFirst().id()).isEqualTo("a" + AlertLog.MOST);
    assertThat(log.all().getLast().id()).isEqualTo("a1");
  }

  @Test
  void boundsThoseThatHold() {
    log.see(
        IntStream.range(0, 2 * AlertLog.MOST).mapToObj(i -> alert("a" + i, false, 0)).toList(),
        at(0));
    assertThat(log.all()).hasSize(AlertLog.MOST);
  }

  @Test
  void goesOnWithWhatAnotherMemberNoted() {
    log.adopt(
        List.of(alert("a", true, 0), alert("b", false, 1), alert("c", false, 2).endedAt(at(90))),
        at(100));
    log.see(List.of(alert("a", false, 100), alert("c", false, 100)), at(100));
    assertThat(log.all()).extracting(Alert::id).containsExactly("a", "c", "b");
    assertThat(log.all()).extracting(Alert::since).containsExactly(at(0), at(2), at(1));
    assertThat(log.all().getFirst().title()).isEqualTo("a is full");
    assertThat(log.all().getLast().until()).isEqualTo(at(100));

    log.adopt(List.of(alert("a", true, 0), alert("b", false, 1)), at(105));
    assertThat(log.all()).as("what is known already").hasSize(3);
  }

  @Test
  void whatItNotedItselfGoesOnBesideAnEarlierAlertOfTheSameCause() {
    log.see(List.of(alert("a", false, 100)), at(100));
    log.adopt(List.of(alert("a", false, 0)), at(105));
    assertThat(log.all()).extracting(Alert::since).containsExactly(at(100), at(0));
    assertThat(log.all().getLast().until()).isEqualTo(at(100));
  }

  @Test
  void travelsBetweenMembers() {
    Alert ended = alert("a \"quoted\" <id>", true, 0).endedAt(at(9));
    assertThat(Alert.decode(ended.encode())).isEqualTo(ended);
  }
}
