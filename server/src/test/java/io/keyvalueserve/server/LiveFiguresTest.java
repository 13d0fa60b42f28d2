package io.keyvalueserve.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.grid.Safety;
import io.keyvalueserve.grid.restart.Losses;
import io.keyvalueserve.server.LiveFigures.Frame;
import io.keyvalueserve.server.LiveFigures.Stream;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LiveFiguresTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final Identity TENANT = new Identity(ACME, 1, "key");
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicLong throttled = new AtomicLong();
  private final AtomicLong throttledInBetween = new AtomicLong(10);
  private final AtomicBoolean valid = new AtomicBoolean(true);
  private final AtomicBoolean failing = new AtomicBoolean();
  private volatile Set<TenantName> lastWatched = Set.of();
  private final LiveFigures figures =
      new LiveFigures(this::sample, identity -> valid.get(), Duration.ofMillis(5));

  @AfterEach
  void close() {
    figures.close();
  }

  /** A sample of every two seconds, by its own clock. */
  private LiveSample sample(Set<TenantName> watched) {
    lastWatched = watched;
    int look = looks.incrementAndGet();
    if (failing.get()) {
      throw new IllegalStateException("a member is away");
    }
    TenantUsage usage =
        new TenantUsage(
            0,
            0,
            0,
            throttled.addAndGet(throttledInBetween.get()),
            0,
            0,
            0,
            0,
            0,
            0,
            Map.of(),
            Map.of());
    return new LiveSample(
        BEGIN.plusSeconds(2L * look),
        List.of(),
        Map.of(),
        new Safety(true, List.of(), Losses.NONE),
        null,
        List.of(),
        null,
        Map.of(ACME, usage),
        Map.of(),
        1,
        usage,
        List.of(),
        List.of());
  }

  private static Frame next(Stream stream) throws InterruptedException {
    return requireNonNull(stream.next());
  }

  @Test
  void aTenantIsInSamplesWhileItIsWatched() throws Exception {
    try (Stream all = figures.open(null, null).orElseThrow()) {
      assertThat(next(all).number()).isPositive();
      assertThat(lastWatched).isEmpty();
      try (Stream first = figures.open(TENANT, ACME).orElseThrow()) {
        try (Stream second = figures.open(null, ACME).orElseThrow()) {
          assertThat(next(second).number()).isPositive();
        }
        assertThat(next(first).number()).isPositive();
        await().until(() -> lastWatched.equals(Set.of(ACME)));
      }
      await().until(() -> lastWatched.isEmpty());
    }
  }

  @Test
  void looksOnlyWhileSomebodyWatches() throws Exception {
    try (Stream stream = figures.open(null, null).orElseThrow()) {
      assertThat(next(stream).number()).isPositive();
    }
    int seen = looks.get();
    // One look may have been under way.
    await().during(Duration.ofMillis(100)).until(() -> looks.get() <= seen + 1);
  }

  @Test
  void showsAllWatchersTheSameFramesWhichAreOneLookEach() throws Exception {
    try (Stream one = figures.open(null, null).orElseThrow();
        Stream other = figures.open(TENANT, null).orElseThrow()) {
      Frame first = next(one);
      Frame second = next(one);
      assertThat(second.number()).isGreaterThan(first.number());
      Frame others = next(other);
      assertThat(others.number()).isLessThanOrEqualTo(looks.get());
      assertThat(next(other).number()).isGreaterThan(others.number());
    }
  }

  @Test
  void makesARateOfTheCountOfThrottledRequests() throws Exception {
    try (Stream stream = figures.open(null, null).orElseThrow()) {
      Frame frame = next(stream);
      while (frame.before() == null) {
        assertThat(frame.throttledPerSecond(ACME)).isZero();
        frame = next(stream);
      }
      assertThat(frame.throttledPerSecond(ACME)).isEqualTo(5);
      assertThat(frame.throttledPerSecond(new TenantName("nobody"))).isZero();
      throttledInBetween.set(-10); // as if members left again and again
      while (throttled(frame.now()) >= throttled(requireNonNull(frame.before()))) {
        frame = next(stream);
      }
      assertThat(frame.throttledPerSecond(ACME)).isZero();
    }
  }

  private static long throttled(LiveSample sample) {
    return requireNonNull(sample.tenants().get(ACME)).throttled();
  }

  @Test
  void endsForATenantWhoseKeyIsNoLongerValidAndForNobodyElse() throws Exception {
    try (Stream operator = figures.open(null, null).orElseThrow();
        Stream tenant = figures.open(TENANT, null).orElseThrow()) {
      assertThat(tenant.next()).isNotNull();
      valid.set(false);
      assertThat(tenant.next()).isNull();
      assertThat(operator.next()).isNotNull();
    }
  }

  @Test
  void boundsItsStreamsAndKeepsSomeForOperators() {
    List<Stream> open = new ArrayList<>();
    for (int i = 0; i < LiveFigures.MOST_OF_A_TENANT; i++) {
      open.add(figures.open(TENANT, null).orElseThrow());
    }
    assertThat(figures.open(TENANT, null)).isEmpty();
    for (int number = 2; open.size() < LiveFigures.MOST_OF_TENANTS; number++) {
      open.add(figures.open(new Identity(ACME, number, "key"), null).orElseThrow());
    }
    assertThat(figures.open(new Identity(ACME, 1_000, "key"), null)).isEmpty();
    for (int i = 0; i < LiveFigures.MOST_OF_OPERATORS; i++) {
      open.add(figures.open(null, null).orElseThrow());
    }
    assertThat(figures.open(null, null)).isEmpty();
    Stream left = open.getFirst();
    left.close();
    left.close();
    open.add(figures.open(TENANT, null).orElseThrow());
    assertThat(figures.open(TENANT, null)).isEmpty();
    open.forEach(Stream::close);
    assertThat(figures.open(null, null)).isPresent();
  }

  @Test
  void goesOnAfterALookThatFailed() throws Exception {
    failing.set(true);
    try (Stream stream = figures.open(null, null).orElseThrow()) {
      int seen = looks.get();
      await().until(() -> looks.get() > seen + 1);
      failing.set(false);
      assertThat(stream.next()).isNotNull();
    }
  }

  @Test
  void endsAllStreamsWhenItIsClosed() throws Exception {
    failing.set(true);
    try (Stream stream = figures.open(null, null).orElseThrow()) {
      CompletableFuture<@Nullable Frame> next = new CompletableFuture<>();
      Thread waiting =
          Thread.startVirtualThread(
              () -> {
                try {
                  next.complete(stream.next());
                } catch (InterruptedException e) {
                  next.completeExceptionally(e);
                }
              });
      await().until(() -> waiting.getState() == Thread.State.WAITING);
      figures.close();
      assertThat(next.join()).isNull();
      assertThat(figures.open(null, null)).isEmpty();
    }
  }
}
