package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One holder at a time, nobody forgotten. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PartitionLockTest {
  private static final int ROUNDS = 100_000;

  private final PartitionLock lock = new PartitionLock();
  private long plain;

  @Test
  void isReentrantForBothWaysIn() {
    lock.enter();
    assertThat(lock.tryEnter()).isTrue();
    lock.enter();
    lock.exit();
    lock.exit();
    assertThat(lock.isHeld()).isTrue();
    lock.exit();
    assertThat(lock.isHeld()).isFalse();
    assertThat(lock.tryEnter()).isTrue();
    lock.exit();
  }

  @Test
  void isNotTriedInVainByItsHolderOnly() throws Exception {
    lock.enter();
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      assertThat(other.submit(lock::tryEnter).get()).isFalse();
      assertThat(other.submit(lock::isHeld).get()).isFalse();
      lock.exit();
      assertThat(other.submit(lock::tryEnter).get()).isTrue();
      assertThat(lock.isHeld()).isFalse();
    }
  }

  @Test
  void handsItselfOverToWhoWaitsHoweverManyTry() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Long>> tryers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        tryers.add(threads.submit(() -> tryUntil(stop)));
      }
      long waited = threads.submit(this::waitAgainAndAgain).get();
      stop.set(true);
      long sum = waited;
      for (Future<Long> tryer : tryers) {
        sum += tryer.get();
      }
      assertThat(plain).isEqualTo(sum); // none lost: nobody was in at the same time
    }
    assertThat(lock.tryEnter()).isTrue();
  }

  @Test
  void servesTwoWhoWait() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<Long> first = threads.submit(this::waitAgainAndAgain);
      Future<Long> second = threads.submit(this::waitAgainAndAgain);
      assertThat(first.get() + second.get()).isEqualTo(plain);
    }
  }

  @Test
  void keepsAnInterruptForLater() throws Exception {
    lock.enter();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<Boolean> waiting =
          threads.submit(
              () -> {
                Thread.currentThread().interrupt();
                lock.enter();
                lock.exit();
                return Thread.interrupted();
              });
      assertThat(waiting.isDone()).isFalse();
      lock.exit();
      assertThat(waiting.get()).isTrue();
    }
  }

  private long waitAgainAndAgain() {
    for (int i = 0; i < ROUNDS; i++) {
      lock.enter();
      plain++;
      lock.exit();
    }
    return ROUNDS;
  }

  private long tryUntil(AtomicBoolean stop) {
    long entered = 0;
    while (!stop.get()) {
      if (lock.tryEnter()) {
        plain++;
        entered++;
        lock.exit();
      }
    }
    return entered;
  }
}
