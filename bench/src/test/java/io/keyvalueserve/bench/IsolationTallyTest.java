package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IsolationTallyTest {
  @Test
  void countsRefusalsApartFromErrors() {
    IsolationTally tally = atAnyTime();
    tally.answered(3);
    tally.failed("THROTTLED 5000 operations a second");
    tally.failed("the server refused AUTH: -QUOTA 50 connections");
    tally.failed("com.hazelcast.core.HazelcastOverloadException: the tenant's 5000 are used up");
    tally.failed("OOM no room for key 17");
    tally.failed("OOM no room for key 18");
    IsolationDone done = tally.done();
    assertThat(done.answered()).isEqualTo(3);
    assertThat(done.refused()).isEqualTo(3);
    assertThat(done.errors()).hasSize(1).containsEntry("OOM", 2L);
    assertThat(done.failed()).isEqualTo(2);
  }

  @Test
  void countsOnlyWithinItsTime() {
    long now = System.nanoTime();
    IsolationTally over = new IsolationTally();
    over.answered(2);
    assertThat(over.isOver()).isFalse();
    over.during(new IsolationTally.Times(now - 2, now - 1));
    over.answered(3);
    over.failed("ERR no");
    assertThat(over.isOver()).isTrue();
    assertThat(over.done().answered()).isZero();
    assertThat(over.done().total()).isEqualTo(5);
    assertThat(over.done().errors()).isEmpty();
  }

  @Test
  void keepsFewKindsOfErrors() {
    IsolationTally tally = atAnyTime();
    for (char first = 'a'; first <= 'z'; first++) {
      for (char second = 'a'; second <= 'z'; second++) {
        tally.failed("kind " + first + second);
      }
    }
    assertThat(tally.done().errors()).hasSizeLessThan(100);
    assertThat(tally.done().failed()).isEqualTo(26 * 26);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OOM no room for 'key:17'|OOM",
        "ERR timeout: of key 17|ERR timeout: of key #",
        "the server answered: com.hazelcast.core.OperationTimeoutException: 17|OperationTimeoutException",
        "java.lang.IllegalStateException|IllegalStateException",
        "the server refused AUTH: -WRONGPASS no such user|WRONGPASS",
        "connection closed|connection closed"
      })
  void namesAnErrorByWhatDoesNotDiffer(String text, String kind) {
    assertThat(IsolationTally.kind(text)).isEqualTo(kind);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ERR THROTTLEDX", "a key QUOTAS", "ERR unknown command", ""})
  void takesNothingElseForARefusal(String text) {
    assertThat(IsolationTally.isRefusal(text)).isFalse();
  }

  @Test
  void hasBegunWithTheFirstAnswerOfAnyKind() throws InterruptedException {
    IsolationTally tally = new IsolationTally();
    Thread waiting = Thread.startVirtualThread(() -> tally.awaitBegin(Long.MAX_VALUE));
    tally.failed("ERR no");
    waiting.join();
    new IsolationTally().awaitBegin(1); // nothing comes: it does not wait for ever
  }

  private static IsolationTally atAnyTime() {
    IsolationTally tally = new IsolationTally();
    tally.during(new IsolationTally.Times(Long.MIN_VALUE, Long.MAX_VALUE));
    return tally;
  }
}
