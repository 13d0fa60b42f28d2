package io.keyvalueserve.tenancy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Crashes: the last file ends anywhere, or with garbage. Nothing before the torn line may be lost,
 * and sequences go on from there.
 */
@Timeout(60)
class AuditCrashTest {
  @TempDir Path directory;
  private final HandClock clock = new HandClock();

  /** Random events against a list of what is certain, through crash after crash. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void losesNothingBeforeTheTornLine(long seed) throws Exception {
    Random random = new Random(seed);
    RandomOccurrences occurrences = new RandomOccurrences(random);
    AuditConfig config = AuditConfig.in(directory).keeping(64 << 10, 1 << 30, Duration.ofDays(90));
    List<AuditEvent> model = new ArrayList<>();
    boolean torn = false;
    for (int crash = 0; crash < 25; crash++) {
      List<String> told = new ArrayList<>();
      try (AuditLog log = AuditLog.open(config, Logs.MEMBER, clock, told::add)) {
        assertThat(told).hasSize(torn ? 1 : 0);
        List<AuditEvent> survived = Logs.all(log);
        assertThat(survived).hasSize(model.size() + (torn ? 1 : 0));
        assertThat(survived.subList(0, model.size())).isEqualTo(model);
        if (torn) {
          assertThat(survived.getLast().kind()).isEqualTo(AuditKind.AUDIT_REPAIRED);
        }
        for (int i = random.nextInt(400); i > 0; i--) {
          log.record(occurrences.next());
          clock.turn(Duration.ofMillis(random.nextInt(300)));
        }
        model = new ArrayList<>(Logs.all(log));
        assertThat(model.subList(0, survived.size())).isEqualTo(survived);
        Logs.assertSequencesHaveNoGap(model);
        assertThat(model.isEmpty() ? 1 : model.getFirst().sequence()).isEqualTo(1);
      }
      torn = tear(random, model);
    }
  }

  /** What a disk that lost power may leave: a file that is longer than what was written to it. */
  @Test
  void cutsOffZerosAtTheEnd() throws Exception {
    AuditConfig config = AuditConfig.in(directory);
    try (AuditLog log = Logs.open(config, clock)) {
      log.recordDurably(occurrence());
    }
    Files.write(Logs.segments(directory).getLast(), new byte[5_000], StandardOpenOption.APPEND);
    try (AuditLog log = Logs.open(config, clock)) {
      log.recordDurably(occurrence());
      assertThat(Logs.all(log)).extracting(AuditEvent::sequence).containsExactly(1L, 2L, 3L);
      assertThat(log.find(AuditQuery.all()).damaged()).isEmpty();
    }
  }

  @Test
  void skipsDamagedLinesTellsTheirNumbersAndGivesTheirSequencesToNoOther() throws Exception {
    AuditConfig config = AuditConfig.in(directory);
    try (AuditLog log = Logs.open(config, clock)) {
      for (int i = 0; i < 5; i++) {
        log.recordDurably(occurrence());
      }
    }
    Path segment = Logs.segments(directory).getLast();
    List<String> lines = Files.readAllLines(segment);
    lines.set(1, "x".repeat(100_000));
    lines.set(4, lines.get(4).substring(1));
    Files.write(segment, lines);
    try (AuditLog log = Logs.open(config, clock)) {
      assertThat(log.recordDurably(occurrence()).sequence()).isEqualTo(6);
      for (AuditQuery.Order order : AuditQuery.Order.values()) {
        AuditPage page = log.find(AuditQuery.all().paged(order, 100));
        assertThat(page.events())
            .extracting(AuditEvent::sequence)
            .containsExactlyInAnyOrder(1L, 3L, 4L, 6L);
        assertThat(page.damaged()).extracting(DamagedLine::number).containsExactly(2L, 5L);
        assertThat(page.damaged())
            .extracting(DamagedLine::file)
            .containsOnly(segment.getFileName().toString());
      }
    }
  }

  private static Occurrence occurrence() {
    return Occurrence.tenantSuspended(new Actor.Operator(""), new TenantName("acme"));
  }

  /** Cuts the last file somewhere and the model with it; whether a line was torn. */
  private boolean tear(Random random, List<AuditEvent> model) throws Exception {
    List<Path> segments = Logs.segments(directory);
    if (segments.isEmpty()) {
      return false;
    }
    byte[] bytes = Files.readAllBytes(segments.getLast());
    byte[] left = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    Files.write(segments.getLast(), left);
    int whole = left.length;
    while (whole > 0 && left[whole - 1] != '\n') {
      whole--;
    }
    for (int i = whole; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        model.removeLast();
      }
    }
    return whole < left.length;
  }
}
