package io.keyvalueserve.cli;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The orderly end of the process after Ctrl-C or SIGTERM: the work is ended in order, and the exit
 * code is 0. If that takes too long, the process ends all the same, with 1.
 */
final class EndSignal {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private final AtomicBoolean armed = new AtomicBoolean(true);

  private EndSignal() {}

  /** Runs the end once, on a thread of its own, when the process is told to end. */
  static EndSignal onEnd(Runnable end) {
    EndSignal signal = new EndSignal();
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("kvs-end").unstarted(() -> signal.run(end)));
    return signal;
  }

  /** The work has ended by itself: the process ends with whatever code it likes. */
  void disarm() {
    armed.set(false);
  }

  private void run(Runnable end) {
    if (!armed.getAndSet(false)) {
      return;
    }
    Thread deadline = Thread.ofPlatform().daemon().start(EndSignal::haltLate);
    end.run();
    deadline.interrupt();
    // The JVM would end with 128 + the signal's number, which reads as a failure.
    Runtime.getRuntime().halt(0);
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
