package io.keyvalueserve.server.cli;

import io.keyvalueserve.journal.InspectionProgress;
import io.keyvalueserve.journal.RecoveryProgress;
import io.keyvalueserve.server.config.Sizes;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * Says how far something long is: on a terminal in one line that changes, elsewhere in a line every
 * five seconds. What is done sooner says nothing. Thread-safe.
 */
final class DataProgress implements InspectionProgress, AutoCloseable {
  private static final long TERMINAL_NANOS = 200_000_000L;
  private static final long PLAIN_NANOS = 5_000_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;

  private final PrintWriter err;
  private final boolean terminal;
  private final long begun = System.nanoTime();
  private long told = begun;
  private long compactingSince;
  private boolean lineIsOpen;

  DataProgress(PrintWriter err) {
    this(err, System.console() != null && System.console().isTerminal());
  }

  DataProgress(PrintWriter err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  @Override
  public synchronized void reading(RecoveryProgress progress) {
    tell("reading", progress.bytes(), progress.totalBytes(), progress.nanos());
  }

  @Override
  public synchronized void compacting(long doneBytes, long totalBytes) {
    long now = System.nanoTime();
    compactingSince = compactingSince == 0 ? now : compactingSince;
    tell("compacting", doneBytes, totalBytes, now - compactingSince);
  }

  private void tell(String what, long done, long total, long nanos) {
    long now = System.nanoTime();
    if (now - told < (terminal ? TERMINAL_NANOS : PLAIN_NANOS)) {
      return;
    }
    told = now;
    String line = line(what, done, total, nanos);
    if (terminal) {
      err.print("\r\u001b[K" + line);
      lineIsOpen = true;
    } else {
      err.println(line);
    }
    err.flush();
  }

  /** So much of how much, how fast, and how long it takes if it goes on like that. */
  static String line(String what, long done, long total, long nanos) {
    double perSecond = done * NANOS_PER_SECOND / Math.max(1, nanos);
    String left =
        done == 0
            ? ""
            : String.format(Locale.ROOT, ", %.0f s left", Math.max(0, total - done) / perSecond);
    return String.format(
        Locale.ROOT,
        "%s: %s of %s, %s/s%s",
        what,
        Sizes.text(done),
        Sizes.text(total),
        Sizes.text((long) perSecond),
        left);
  }

  @Override
  public synchronized void close() {
    if (lineIsOpen) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }
}
