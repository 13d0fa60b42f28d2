package io.keyvalueserve.tenancy.audit;

import static io.keyvalueserve.tenancy.audit.Logs.all;
import static io.keyvalueserve.tenancy.audit.Logs.assertSequencesHaveNoGap;
import static io.keyvalueserve.tenancy.audit.Logs.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AuditLogTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final Actor OPERATOR = new Actor.Operator("");

  @TempDir Path directory;
  private final HandClock clock = new HandClock();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void findsWhatWasRecordedBefore(boolean onDisk) {
    try (AuditLog log = Logs.open(config(onDisk), clock)) {
      for (int i = 0; i < 50; i++) {
        log.record(changed(i));
        log.record(refused("10.0.0.1", "x"));
        assertThat(calls(all(log))).isEqualTo(2L * (i + 1));
      }
      assertThat(all(log).getFirst())
          .isEqualTo(new AuditEvent(1, HandClock.START, Logs.MEMBER, changed(0), 1));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tellsWhereADurableEventIs(boolean onDisk) {
    try (AuditLog log = Logs.open(config(onDisk), clock)) {
      log.record(changed(0));
      AuditEvent event = log.recordDurably(Occurrence.tenantCreated(OPERATOR, ACME, "AbCdEfGhIj"));
      assertThat(event.sequence()).isEqualTo(2);
      assertThat(all(log)).element(1).isEqualTo(event);
    }
  }

  @Test
  void forcesDurableEventsToTheDiskBeforeItReturns() {
    FailingFiles files = new FailingFiles();
    try (AuditLog log = AuditLog.open(config(true), Logs.MEMBER, clock, text -> {}, files)) {
      log.record(changed(0));
      all(log);
      assertThat(files.forces).hasValue(0);
      log.recordDurably(changed(1));
      assertThat(files.forces).hasValue(1);
    }
  }

  @Test
  void writesAllThatWasRecordedBeforeItIsClosed() {
    AuditLog log = Logs.open(config(true), clock);
    for (int i = 0; i < 1_000; i++) {
      log.record(changed(i));
      log.record(refused("10.0.0.1", "x"));
    }
    log.close();
    log.close();
    log.record(changed(1_000));
    assertThat(calls(all(log))).as("can still be read").isEqualTo(2_000);
    assertThat(log.statistics().dropped()).isEqualTo(1);
    assertThatThrownBy(() -> log.recordDurably(changed(1_000)))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining("closed");
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("kvs-audit"));
  }

  @Test
  @Timeout(60) // ends a wait for an event that never comes
  void writesAWindowWhenItEndsThoughNobodyAsks() throws Exception {
    try (AuditLog log = Logs.open(config(true), clock)) {
      for (int i = 0; i < 100; i++) {
        log.record(refused("10.0.0.1", "x"));
      }
      clock.turn(Duration.ofSeconds(1));
      while (log.statistics().written() == 0) {
        Thread.sleep(5);
      }
      assertThat(all(log)).singleElement().extracting(AuditEvent::count).isEqualTo(100L);
    }
  }

  /** Many threads record while one asks: each call is there once, or counted as dropped. */
  @ParameterizedTest
  @ValueSource(ints = {16, 1 << 14})
  void losesNoCallAndRepeatsNoneWhenManyThreadsRecord(int handOverEvents) throws Exception {
    int threads = 4;
    int each = 5_000;
    AuditConfig config =
        config(true)
            .keeping(64 << 10, 256 << 20, Duration.ofDays(1))
            .taking(handOverEvents, Duration.ofSeconds(1), 8);
    AuditLog log = Logs.open(config, clock);
    try (var executor = Executors.newFixedThreadPool(threads + 1)) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        String thread = "t" + t;
        done.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    log.record(
                        i % 2 == 0
                            ? Occurrence.quotaChanged(OPERATOR, ACME, thread + "-" + i)
                            : refused(thread, "x" + i % 20));
                    if (i % 1_000 == 0) {
                      log.recordDurably(Occurrence.tenantCreated(OPERATOR, ACME, thread + "-" + i));
                    }
                  }
                }));
      }
      for (int i = 0; i < 10; i++) {
        clock.turn(Duration.ofMillis(700));
        assertSequencesHaveNoGap(all(log));
      }
      for (Future<?> future : done) {
        future.get();
      }
    }
    log.close();
    try (AuditLog again = Logs.open(config, clock)) {
      List<AuditEvent> events = all(again);
      assertSequencesHaveNoGap(events);
      assertThat(events.getFirst().sequence()).isEqualTo(1);
      assertThat(calls(events) + untold(log, events)).isEqualTo(threads * (each + 5L));
      assertThat(only(events, AuditKind.TENANT_CREATED)).hasSize(threads * 5);
      List<AuditEvent> changes = only(events, AuditKind.QUOTA_CHANGED);
      assertThat(new HashSet<>(changes.stream().map(AuditEvent::detail).toList()))
          .hasSize(changes.size());
      assertInOrderOfEachThread(changes);
      if (handOverEvents > threads * each) {
        assertThat(log.statistics().dropped()).isZero();
      }
    }
  }

  private static long untold(AuditLog log, List<AuditEvent> events) {
    return log.statistics().dropped()
        - only(events, AuditKind.AUDIT_DROPPED).stream().mapToLong(AuditEvent::count).sum();
  }

  private static void assertInOrderOfEachThread(List<AuditEvent> changes) {
    Map<String, Integer> last = new HashMap<>();
    for (AuditEvent change : changes) {
      String[] parts = change.detail().split("-", 2);
      Integer before = last.put(parts[0], Integer.parseInt(parts[1]));
      assertThat(Integer.parseInt(parts[1])).isGreaterThan(before == null ? -1 : before);
    }
  }

  @Test
  void neverWaitsForAHangingDiskAndTellsWhatItDropped() {
    FailingFiles files = new FailingFiles();
    CountDownLatch latch = new CountDownLatch(1);
    files.hanging = latch;
    AuditConfig config = config(true).taking(64, Duration.ofSeconds(1), 8);
    AuditLog log = AuditLog.open(config, Logs.MEMBER, clock, text -> {}, files);
    for (int i = 0; i < 10_000; i++) {
      log.record(changed(i));
    }
    assertThat(log.statistics().dropped()).isGreaterThanOrEqualTo(10_000 - 64 * 2);
    files.hanging = null;
    latch.countDown();
    List<AuditEvent> events = all(log);
    assertThat(calls(only(events, AuditKind.AUDIT_DROPPED))).isEqualTo(log.statistics().dropped());
    assertThat(calls(events)).isEqualTo(10_000);
    assertThat(calls(all(log))).as("told once").isEqualTo(10_000);
    log.close();
  }

  @Test
  void aClientInALoopTakesOnePlaceOfTheHandOver() {
    FailingFiles files = new FailingFiles();
    CountDownLatch latch = new CountDownLatch(1);
    files.hanging = latch;
    AuditConfig config = config(true).taking(16, Duration.ofSeconds(1), 8);
    AuditLog log = AuditLog.open(config, Logs.MEMBER, clock, text -> {}, files);
    for (int i = 0; i < 10_000; i++) {
      log.record(i % 2_000 == 0 ? changed(i) : refused("10.0.0.1", "x"));
    }
    assertThat(log.statistics().dropped()).isZero();
    files.hanging = null;
    latch.countDown();
    assertThat(calls(all(log))).isEqualTo(10_000);
    log.close();
  }

  @Test
  void keepsTheLastEventsInMemory() {
    try (AuditLog log = Logs.open(AuditConfig.inMemory().remembering(10), clock)) {
      for (int i = 0; i < 25; i++) {
        log.record(changed(i));
      }
      List<AuditEvent> events = all(log);
      assertThat(events).extracting(AuditEvent::sequence).startsWith(16L).endsWith(25L).hasSize(10);
    }
  }

  @Test
  void givesTimesThatDoNotFallUnlessTheClockIsSetBackByMuch() throws Exception {
    try (AuditLog log = Logs.open(config(true), clock)) {
      log.recordDurably(changed(0));
      clock.turn(Duration.ofSeconds(-30));
      AuditEvent smoothed = log.recordDurably(changed(1));
      assertThat(smoothed.time()).isEqualTo(HandClock.START);
      assertThat(Logs.segments(directory)).hasSize(1);
      clock.turn(Duration.ofHours(-1));
      AuditEvent earlier = log.recordDurably(changed(2));
      assertThat(earlier.time()).isEqualTo(clock.instant());
      assertThat(Logs.segments(directory)).as("in a segment times do not fall").hasSize(2);
    }
  }

  @Test
  void letsNobodyElseReadItsFiles() throws Exception {
    try (AuditLog log = Logs.open(config(true), clock)) {
      log.recordDurably(changed(0));
      if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        assertThat(Files.getPosixFilePermissions(Logs.segments(directory).getFirst()))
            .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      }
    }
  }

  @Test
  void letsNobodyElseWriteToItsDirectory() {
    try (AuditLog log = Logs.open(config(true), clock)) {
      assertThatThrownBy(() -> Logs.open(config(true), clock))
          .isInstanceOf(AuditException.class)
          .hasMessageContaining("one writer");
      log.recordDurably(changed(0));
    }
    Logs.open(config(true), clock).close();
  }

  @Test
  void opensAndClosesWithoutAnEvent() throws Exception {
    Logs.open(config(true), clock).close();
    assertThat(Logs.segments(directory)).isEmpty();
    try (AuditLog log = Logs.open(config(true), clock)) {
      assertThat(log.recordDurably(changed(0)).sequence()).isEqualTo(1);
    }
  }

  @Test
  void saysThatADirectoryIsNone() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> Logs.open(AuditConfig.in(file), clock))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining(file.toString());
  }

  private AuditConfig config(boolean onDisk) {
    return onDisk ? AuditConfig.in(directory) : AuditConfig.inMemory();
  }

  private static List<AuditEvent> only(List<AuditEvent> events, AuditKind kind) {
    return events.stream().filter(event -> event.kind() == kind).toList();
  }

  private static Occurrence changed(int number) {
    return Occurrence.quotaChanged(OPERATOR, ACME, "to " + number);
  }

  private static Occurrence refused(String address, String object) {
    return Occurrence.requestRefused(new Actor.Client(address), ACME, object, "GET");
  }
}
