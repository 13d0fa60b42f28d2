package io.keyvalueserve.tenancy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How often the writer works; what it writes is in {@link AuditLogTest}. */
@Timeout(60)
class AuditWriterTest {
  private static final int CONNECTIONS = 400;
  private static final Duration SHORT = Duration.ofMillis(40);

  private final HandClock clock = new HandClock();
  private final CountingTrail trail = new CountingTrail();
  private @Nullable Thread thread;

  @Test
  void isNotWokenForEachConnectionWhileItCountsThem() throws Exception {
    AuditWriter writer = start(Duration.ofSeconds(30));
    writer.record(refusedAt(0));
    awaitSleep(1);
    int before = trail.passes.get();
    long start = System.nanoTime();
    for (int i = 1; i < CONNECTIONS; i++) {
      writer.record(refusedAt(i));
      LockSupport.parkNanos(50_000); // long enough for a thread that is woken each time
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    assertThat(trail.passes.get() - before)
        .as("it looks once a second by itself")
        .isLessThanOrEqualTo((int) seconds + 2);
    end(writer);
    assertThat(trail.calls.get()).isEqualTo(CONNECTIONS);
  }

  @Test
  void isWokenForTheFirstEventAfterItHasNoneToCount() throws Exception {
    AuditWriter writer = start(SHORT);
    for (int i = 0; i < 3; i++) {
      int before = trail.passes.get();
      writer.record(refusedAt(i)); // else it would sleep for a minute, and so would this
      awaitSleep(before + 1);
      clock.turn(SHORT);
      while (trail.calls.get() <= i) { // it looks by itself as the window is over
        Thread.sleep(1);
      }
      awaitSleep(before + 2);
    }
    end(writer);
  }

  private AuditWriter start(Duration window) {
    AuditWriter writer =
        new AuditWriter(
            trail,
            AuditConfig.inMemory().taking(1 << 10, window, 1 << 10),
            Logs.MEMBER,
            clock,
            new Troubles(text -> {}, clock));
    thread = Thread.ofPlatform().daemon().start(writer);
    return writer;
  }

  private void end(AuditWriter writer) throws InterruptedException {
    writer.end();
    thread().join();
  }

  private Thread thread() {
    return Objects.requireNonNull(thread);
  }

  private void awaitSleep(int passes) throws InterruptedException {
    while (trail.passes.get() < passes || thread().getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
  }

  private static Occurrence refusedAt(int number) {
    return Occurrence.requestRefused(new Actor.Client("10.0.0." + number), null, "x", "GET");
  }

  /** Counts the writer's passes, each of which ends with {@link #retain}. */
  private static final class CountingTrail implements Trail {
    final AtomicInteger passes = new AtomicInteger();
    final AtomicLong calls = new AtomicLong();
    private final MemoryTrail events = new MemoryTrail(1 << 10);

    @Override
    public long nextSequence() {
      return events.nextSequence();
    }

    @Override
    public Instant lastTime() {
      return events.lastTime();
    }

    @Override
    public void append(List<AuditEvent> more) {
      events.append(more);
      calls.addAndGet(Logs.calls(more));
    }

    @Override
    public void force() {}

    @Override
    public void retain(Instant now) {
      passes.incrementAndGet();
    }

    @Override
    public List<? extends Part> parts() {
      return events.parts();
    }

    @Override
    public void close() {}
  }
}
