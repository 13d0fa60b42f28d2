package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class BillMetricsTest {
  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger computed = new AtomicInteger();

  private void pass(long seconds) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  /** Asks until what is computed beside has come: a slow machine may take longer than a second. */
  private static void awaitFamilies(BillMetrics metrics, String wanted) {
    Awaitility.await()
        .pollInSameThread()
        .untilAsserted(() -> assertThat(metrics.families()).isEqualTo(wanted));
  }

  @Test
  void theFiguresAreGoodForAMinute() {
    BillMetrics metrics = new BillMetrics(() -> "n" + computed.incrementAndGet(), now::get);
    awaitFamilies(metrics, "n1");
    pass(59);
    assertThat(metrics.families()).isEqualTo("n1");
    assertThat(computed).hasValue(1);
    pass(2);
    awaitFamilies(metrics, "n2");
  }

  @Test
  void whatTakesLongIsDoneSeldom() {
    BillMetrics metrics =
        new BillMetrics(
            () -> {
              pass(30);
              return "n" + computed.incrementAndGet();
            },
            now::get);
    awaitFamilies(metrics, "n1");
    pass(19 * 30 - 1);
    assertThat(metrics.families()).isEqualTo("n1");
    assertThat(computed).hasValue(1);
    pass(2);
    awaitFamilies(metrics, "n2");
  }

  @Test
  void nobodyWaitsForWhatTakesLongAndItIsNotBegunTwice() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    BillMetrics metrics =
        new BillMetrics(
            () -> {
              computed.incrementAndGet();
              try {
                goOn.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return "late";
            },
            now::get);
    assertThat(metrics.families()).isEmpty();
    assertThat(metrics.families()).isEmpty();
    goOn.countDown();
    awaitFamilies(metrics, "late");
    assertThat(computed).hasValue(1);
  }

  @Test
  void afterAFailureItIsTriedAgain() {
    BillMetrics metrics =
        new BillMetrics(
            () -> {
              if (computed.incrementAndGet() == 1) {
                throw new IllegalStateException("of the test");
              }
              return "families";
            },
            now::get);
    awaitFamilies(metrics, "families");
    assertThat(computed).hasValue(2);
  }
}
