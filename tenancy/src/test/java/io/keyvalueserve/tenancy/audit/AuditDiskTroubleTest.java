package io.keyvalueserve.tenancy.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AuditDiskTroubleTest {
  @TempDir Path directory;
  private final HandClock clock = new HandClock();
  private final FailingFiles files = new FailingFiles();
  private final List<String> told = new CopyOnWriteArrayList<>();

  @Test
  void refusesDurableEventsWhileTheDiskIsFullAndTellsWhatWasLostAfterwards() {
    try (AuditLog log = open()) {
      log.recordDurably(occurrence(0));
      files.full = true;
      for (int i = 1; i <= 3; i++) {
        Occurrence failing = occurrence(i);
        assertThatThrownBy(() -> log.recordDurably(failing))
            .isInstanceOf(AuditException.class)
            .hasMessageContaining("no space left")
            .hasMessageContaining("quota.changed");
      }
      log.record(occurrence(4));
      assertThat(Logs.all(log)).as("readers see whole lines only").hasSize(1);
      assertThat(log.find(AuditQuery.all()).damaged()).isEmpty();
      files.full = false;
      log.recordDurably(occurrence(5));
      List<AuditEvent> events = Logs.all(log);
      Logs.assertSequencesHaveNoGap(events);
      assertThat(Logs.calls(events)).isEqualTo(6);
      assertThat(events)
          .filteredOn(event -> event.kind() == AuditKind.AUDIT_LOST)
          .singleElement()
          .extracting(AuditEvent::count)
          .isEqualTo(4L);
      assertThat(log.statistics().lost()).isEqualTo(4);
    }
    try (AuditLog again = open()) {
      assertThat(again.find(AuditQuery.all()).damaged()).isEmpty();
      assertThat(Logs.calls(Logs.all(again))).isEqualTo(6);
    }
  }

  @Test
  void complainsOnceAMinute() {
    try (AuditLog log = open()) {
      files.full = true;
      for (int i = 0; i < 30; i++) {
        log.record(occurrence(i));
        Logs.all(log);
        clock.turn(Duration.ofSeconds(5));
      }
      assertThat(told).hasSize(3).allMatch(text -> text.contains("no space left"));
      assertThat(told.get(1)).containsPattern("[0-9]+ more");
      files.full = false;
      Logs.all(log);
      assertThat(told).hasSize(4).last().asString().contains("written again");
    }
  }

  /** The system may forget what it could not write: the file is not trusted any more. */
  @Test
  void beginsANewSegmentAfterOneCouldNotBeForced() throws Exception {
    try (AuditLog log = open()) {
      log.recordDurably(occurrence(0));
      files.unforced = true;
      assertThatThrownBy(() -> log.recordDurably(occurrence(1)))
          .isInstanceOf(AuditException.class)
          .hasMessageContaining("not certain");
      files.unforced = false;
      assertThat(log.recordDurably(occurrence(2)).sequence()).isEqualTo(3);
      assertThat(Logs.segments(directory))
          .extracting(path -> path.getFileName().toString())
          .containsExactly(Segment.name(1), Segment.name(3));
      assertThat(Logs.all(log)).hasSize(3);
    }
  }

  /** Everything fails at random; counts sum up to the calls all the same. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void countsEveryCallWhateverFails(long seed) {
    Random random = new Random(seed);
    RandomOccurrences occurrences = new RandomOccurrences(random);
    int calls = 0;
    try (AuditLog log = open()) {
      for (int step = 0; step < 50; step++) {
        files.full = random.nextInt(3) == 0;
        files.unforced = random.nextInt(3) == 0;
        files.uncut = random.nextInt(3) == 0;
        files.closedForNew = random.nextInt(3) == 0;
        for (int i = random.nextInt(100); i > 0; i--) {
          log.record(occurrences.next());
          calls++;
        }
        clock.turn(Duration.ofMillis(random.nextInt(3_000)));
        try {
          calls++;
          log.recordDurably(occurrence(step));
        } catch (AuditException e) {
          assertThat(e).hasMessageContaining("not certain");
        }
        Logs.assertSequencesHaveNoGap(Logs.all(log));
      }
      mend();
      Logs.all(log);
      List<AuditEvent> events = Logs.all(log);
      assertThat(Logs.calls(events)).isEqualTo(calls);
      assertThat(events.getFirst().sequence()).isEqualTo(1);
      assertThat(log.find(AuditQuery.all()).damaged()).isEmpty();
    }
    try (AuditLog again = open()) {
      assertThat(Logs.calls(Logs.all(again))).isEqualTo(calls);
    }
  }

  private void mend() {
    files.full = false;
    files.unforced = false;
    files.uncut = false;
    files.closedForNew = false;
  }

  private AuditLog open() {
    AuditConfig config = AuditConfig.in(directory).keeping(64 << 10, 1 << 30, Duration.ofDays(90));
    return AuditLog.open(config, Logs.MEMBER, clock, told::add, files);
  }

  private static Occurrence occurrence(int number) {
    return Occurrence.quotaChanged(new Actor.Operator(""), new TenantName("acme"), "to " + number);
  }
}
