package io.keyvalueserve.grid.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.grid.WaitingLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many requests wait, counted once each and given back once each. */
@Timeout(60)
class WaitingRequestsTest {
  private static final int ACME = 1;
  private static final int GLOBEX = 2;

  private final TenantsWaiting all = new TenantsWaiting(new WaitingLimit(10, 1_000));
  private final WaitingRequests acme = new WaitingRequests(all.enter(ACME));

  @Test
  void aTenantHasSoManyRequestsWaitingOverAllItsSessionsAndNoMore() {
    WaitingRequests second = new WaitingRequests(all.enter(ACME));
    WaitingRequests others = new WaitingRequests(all.enter(GLOBEX));
    for (int i = 0; i < 5; i++) {
      assertThat(acme.admit(i, 1)).isTrue();
      assertThat(second.admit(i, 1)).isTrue();
    }
    assertThat(acme.admit(5, 1)).isFalse();
    assertThat(second.admit(5, 1)).isFalse();
    assertThat(others.admit(5, 1)).isTrue();
    assertThat(all.requests(ACME)).isEqualTo(10);
    assertThat(acme.refusal()).contains("requests=10").contains("bytes=10");
    second.answered(4);
    second.answered(4); // twice
    second.answered(5); // was refused
    assertThat(all.requests(ACME)).isEqualTo(9);
    assertThat(acme.admit(5, 1)).isTrue();
    assertThat(acme.admit(6, 1)).isFalse();
  }

  @Test
  void bytesAreBoundedButWhatIsLongMayWaitAlone() {
    assertThat(acme.admit(1, 5_000)).isTrue();
    assertThat(acme.admit(2, 1)).isFalse();
    acme.answered(1);
    assertThat(acme.admit(3, 600)).isTrue();
    assertThat(acme.admit(4, 401)).isFalse();
    assertThat(acme.admit(4, 400)).isTrue();
    assertThat(all.bytes(ACME)).isEqualTo(1_000);
  }

  @Test
  void whatASessionLeavesBehindIsGivenBackOnce() {
    WaitingRequests second = new WaitingRequests(all.enter(ACME));
    assertThat(acme.admit(1, 10)).isTrue();
    assertThat(acme.admit(1, 20)).isTrue(); // the same again
    assertThat(second.admit(1, 30)).isTrue();
    assertThat(all.requests(ACME)).isEqualTo(2);
    assertThat(all.bytes(ACME)).isEqualTo(50);
    acme.end();
    acme.end();
    acme.answered(1); // too late
    assertThat(acme.admit(2, 10)).isTrue(); // nobody will hear of it
    assertThat(all.requests(ACME)).isEqualTo(1);
    assertThat(all.bytes(ACME)).isEqualTo(30);
    second.end();
    assertThat(all.requests(ACME)).isZero();
    assertThat(all.bytes(ACME)).isZero();
  }

  @Test
  void nothingIsLeftWhateverHappensAtOnce() throws InterruptedException {
    WaitingRequests kept = new WaitingRequests(all.enter(ACME));
    for (int round = 0; round < 200; round++) {
      WaitingRequests session = new WaitingRequests(all.enter(ACME));
      CountDownLatch begin = new CountDownLatch(1);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int kind = i;
        Random random = new Random(3L * round + i);
        threads.add(
            Thread.ofPlatform()
                .daemon()
                .start(
                    () -> {
                      try {
                        begin.await();
                      } catch (InterruptedException e) {
                        return;
                      }
                      for (int n = 0; n < 500; n++) {
                        switch (kind) {
                          case 0 -> {
                            boolean _ = session.admit(random.nextInt(20), 1 + random.nextInt(9));
                          }
                          case 1 -> session.answered(random.nextInt(20));
                          default -> {
                            if (n == 400) {
                              session.end();
                            }
                          }
                        }
                      }
                    }));
      }
      begin.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(all.requests(ACME)).isZero();
      assertThat(all.bytes(ACME)).isZero();
    }
    kept.end();
    acme.end();
    assertThat(all.requests(ACME)).isZero();
  }
}
