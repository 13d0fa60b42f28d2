package io.keyvalueserve.server.cli;

import java.time.Duration;

/**
 * What happens when the process is told to end by Ctrl-C or SIGTERM: the work is ended in order,
 * and the exit code is 0. If that takes too long the process ends all the same, with 1.
 */
final class EndSignal {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private EndSignal() {}

  /** Runs the end once, on a thread of its own, when the process is told to end. */
  static void onEnd(Runnable end) {
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("kvs-end")
                .unstarted(
                    () -> {
                      Thread deadline = Thread.ofPlatform().daemon().start(EndSignal::haltLate);
                      end.run();
                      deadline.interrupt();
                      // The JVM would end with 128 + the signal's number, which reads as a failure.
                      Runtime.getRuntime().halt(0);
                    }));
  }

  private static void haltLate() {
    try {
      Thread.sleep(DEADLINE);
      Runtime.getRuntime().halt(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // ended in time
    }
  }
}
