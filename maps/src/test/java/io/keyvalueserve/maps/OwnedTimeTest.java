package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The thread that moves the clocks of partitions runs small tasks too. */
final class OwnedTimeTest {
  @Test
  void runsTasksAgainAndAgainAlsoIfOneFails() throws InterruptedException {
    CountDownLatch failing = new CountDownLatch(2);
    CountDownLatch running = new CountDownLatch(2);
    try (OwnedTime time = new OwnedTime(1, partition -> true, System::nanoTime)) {
      time.repeat(
          () -> {
            failing.countDown();
            throw new IllegalStateException("for the test");
          },
          1);
      time.repeat(running::countDown, 200);
      time.start();
      assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(failing.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(time.of(0).getAsLong()).isPositive();
    }
  }

  @Test
  void runsNoTaskBeforeItIsDue() throws InterruptedException {
    AtomicInteger rare = new AtomicInteger();
    CountDownLatch often = new CountDownLatch(3);
    try (OwnedTime time = new OwnedTime(1, partition -> true, System::nanoTime)) {
      time.repeat(rare::incrementAndGet, TimeUnit.DAYS.toMillis(1));
      time.repeat(often::countDown, 1);
      time.start();
      assertThat(often.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(rare).hasValue(1);
  }
}
