package io.keyvalueserve.tenancy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AuditRetentionTest {
  private static final long SEGMENT = 64 << 10;

  @TempDir Path directory;
  private final HandClock clock = new HandClock();

  @Test
  void keepsNoMoreBytesThanAllowedAndTheNewestEvents() throws Exception {
    AuditConfig config =
        AuditConfig.in(directory).keeping(SEGMENT, 4 * SEGMENT, Duration.ofDays(90));
    try (AuditLog log = Logs.open(config, clock)) {
      for (int i = 0; i < 8_000; i++) {
        log.record(occurrence(i));
        if (i % 100 == 0) {
          log.recordDurably(occurrence(i));
          assertThat(Logs.bytes(directory)).isLessThanOrEqualTo(4 * SEGMENT);
        }
      }
      List<AuditEvent> events = Logs.all(log);
      Logs.assertSequencesHaveNoGap(events);
      assertThat(events.getLast().sequence()).isEqualTo(8_080);
      assertThat(Logs.bytes(directory)).isGreaterThan(2 * SEGMENT);
      for (Path segment : Logs.segments(directory)) {
        assertThat(Files.size(segment)).isLessThanOrEqualTo(SEGMENT);
      }
    }
  }

  @Test
  void letsGoOfWhatIsTooOldATenthLaterAtMost() throws Exception {
    AuditConfig config = AuditConfig.in(directory).keeping(SEGMENT, 1 << 30, Duration.ofDays(10));
    try (AuditLog log = Logs.open(config, clock)) {
      for (int hour = 0; hour < 24 * 40; hour++) {
        AuditEvent newest = log.recordDurably(occurrence(hour));
        log.find(AuditQuery.all());
        Instant oldest = Logs.all(log).getFirst().time();
        Instant begin = newest.time().minus(Duration.ofDays(10));
        assertThat(oldest)
            .isAfterOrEqualTo(
                hour < 240 ? HandClock.START : begin.minus(Duration.ofDays(1)).minusSeconds(7_200));
        assertThat(oldest)
            .as("not too early")
            .isBeforeOrEqualTo(hour < 240 ? HandClock.START : begin.plusSeconds(3_600));
        clock.turn(Duration.ofHours(1));
      }
    }
  }

  @Test
  void appliesAgeToSegmentsItFindsWhenItIsOpened() throws Exception {
    AuditConfig config = AuditConfig.in(directory).keeping(SEGMENT, 1 << 30, Duration.ofDays(10));
    try (AuditLog log = Logs.open(config, clock)) {
      for (int i = 0; i < 1_000; i++) {
        log.record(occurrence(i));
      }
      assertThat(Logs.all(log)).hasSize(1_000);
      assertThat(Logs.segments(directory)).hasSizeGreaterThan(2);
    }
    clock.turn(Duration.ofDays(11));
    try (AuditLog log = Logs.open(config, clock)) {
      Logs.all(log);
      assertThat(Logs.segments(directory)).as("the newest stays").hasSize(1);
      assertThat(log.recordDurably(occurrence(0)).sequence()).isEqualTo(1_001);
    }
  }

  private static Occurrence occurrence(int number) {
    return Occurrence.quotaChanged(new Actor.Operator(""), new TenantName("acme"), "to " + number);
  }
}
