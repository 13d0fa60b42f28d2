package io.keyvalueserve.bench;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What a bad link does to packets, each way.
 *
 * @param delayMillis how much later they come
 * @param jitterMillis by how much that varies; less than the delay
 * @param lossPercent how many of a hundred do not come
 */
public record SlowLink(int delayMillis, int jitterMillis, int lossPercent) {
  private static final int LONGEST_DELAY_MILLIS = 300;
  private static final int HIGHEST_LOSS_PERCENT = 15;

  /** Draws one. */
  static SlowLink draw(SplittableRandom random) {
    int delay = random.nextInt(10, LONGEST_DELAY_MILLIS + 1);
    return new SlowLink(
        delay, random.nextInt(1 + delay / 2), random.nextInt(HIGHEST_LOSS_PERCENT + 1));
  }

  /** What the program tc calls it. */
  List<String> netem() {
    return List.of(
        "netem",
        "delay",
        delayMillis + "ms",
        jitterMillis + "ms",
        "loss",
        "random",
        lossPercent + "%");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%d±%d ms, %d %% lost", delayMillis, jitterMillis, lossPercent);
  }
}
