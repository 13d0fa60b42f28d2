package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: the wall clock of one JVM is set while it runs, and nothing else of it changes. */
class SteppedClocksTest {
  private static final long HOUR = 3_600;
  private static final long WAIT_MILLIS = 200;

  /** The child: sets its own clock between two looks, and says how long waits took. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws InterruptedException {
      Path clock = Path.of(arguments[0]);
      for (long step : List.of(0L, HOUR, -HOUR)) {
        SteppedClocks.set(clock, step);
        Instant wall = Instant.now();
        long begin = System.nanoTime();
        Object monitor = new Object();
        synchronized (monitor) {
          monitor.wait(WAIT_MILLIS);
        }
        long waited = System.nanoTime() - begin;
        LockSupport.parkUntil(System.currentTimeMillis() + WAIT_MILLIS);
        long parked = System.nanoTime() - begin - waited;
        System.out.println(wall + " " + waited / 1_000_000 + " " + parked / 1_000_000);
      }
    }
  }

  @Test
  void setsTheClockOfAJvmAndLeavesItsWaitsAlone(@TempDir Path folder) throws Exception {
    assumeTrue(SteppedClocks.compiler().isPresent(), "no C compiler is installed");
    List<String[]> told = run(folder);
    long[] steps = {0, HOUR, -HOUR};
    assertThat(told).hasSize(steps.length);
    for (int i = 0; i < steps.length; i++) {
      Duration ahead = Duration.between(Instant.now(), Instant.parse(told.get(i)[0]));
      assertThat(ahead.toSeconds()).isBetween(steps[i] - 60, steps[i] + 1);
      assertThat(Long.parseLong(told.get(i)[1]))
          .as("a monitor")
          .isBetween(WAIT_MILLIS - 5, 30_000L);
      assertThat(Long.parseLong(told.get(i)[2])).as("until").isBetween(WAIT_MILLIS - 5, 30_000L);
    }
  }

  private static List<String[]> run(Path folder) throws IOException, InterruptedException {
    Path clock = folder.resolve("clock");
    SteppedClocks.set(clock, 0);
    List<String> command = new ArrayList<>(new SteppedClocks(folder).before(clock));
    command.addAll(
        Children.java(List.of("-Xmx32m"), Child.class.getName(), List.of(clock.toString())));
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(child.waitFor()).as(said).isZero();
      return said.lines().map(line -> line.split(" ")).toList();
    } finally {
      child.destroyForcibly();
    }
  }
}
