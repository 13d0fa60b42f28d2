package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Goal: whatever happens, what was certain is there, what was removed is not, and nothing is there
 * that was never written. Method: random histories on a disk that crashes and loses any part of
 * what was not synced, each compared with a model; one seed gives one history. {@code
 * -Dkvs.histories=N} runs more of them, {@code -Dkvs.history=S} one.
 */
class CrashModelTest {
  @Test
  void randomHistoriesWithCrashesAgreeWithTheModel() {
    String one = System.getProperty("kvs.history");
    if (one != null) {
      CrashHistory _ = run(Long.parseLong(one));
      return;
    }
    int histories = Integer.getInteger("kvs.histories", 300);
    int shrinkings = 0;
    int keptBack = 0;
    for (long seed = 1; seed <= histories; seed++) {
      CrashHistory history = run(seed);
      shrinkings += history.shrinkings();
      keptBack += history.keptBack();
    }
    assertThat(keptBack)
        .as("logs that were opened with keys kept back")
        .isGreaterThan(histories / 4);
    assertThat(shrinkings).as("manifests that were written anew").isGreaterThan(histories / 10);
  }

  private static CrashHistory run(long seed) {
    CrashHistory history = new CrashHistory(seed);
    try {
      history.run();
      return history;
    } catch (AssertionError | Exception e) {
      throw new AssertionError("run again with -Dkvs.history=" + seed, e);
    }
  }
}
