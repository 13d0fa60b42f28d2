package io.keyvalueserve.cli;

import io.keyvalueserve.server.config.Sizes;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Says on standard error how far something long is: on a terminal in one line that changes, with a
 * bar, elsewhere in a line every five seconds. What is done sooner says nothing. Thread-safe.
 */
final class Progress implements AutoCloseable {
  /** The total if it is unknown. */
  static final long UNKNOWN = -1;

  private static final String CLEAR_LINE = "\r\u001b[K";
  private static final long TERMINAL_NANOS = 200_000_000L;
  private static final long PLAIN_NANOS = 5_000_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int MOST_BAR = 30;
  private static final int LEAST_BAR = 5;

  private final PrintWriter err;
  private final boolean isTerminal;
  private final IntSupplier columns;
  private final LongSupplier clock;
  private long told;
  private boolean lineIsOpen;

  Progress(CommandSpec spec) {
    this(
        spec.commandLine().getErr(),
        Screen.of(spec).isErrTerminal(),
        columnsOf(Screen.of(spec)),
        System::nanoTime);
  }

  /** Looked at once: to ask costs a process. */
  private static IntSupplier columnsOf(Screen screen) {
    int columns = screen.isErrTerminal() ? screen.size().columns() : Style.UNBOUNDED;
    return () -> columns;
  }

  /**
   * @param columns how wide the terminal is
   * @param clock nanoseconds
   */
  Progress(PrintWriter err, boolean isTerminal, IntSupplier columns, LongSupplier clock) {
    this.err = err;
    this.isTerminal = isTerminal;
    this.columns = columns;
    this.clock = clock;
    this.told = clock.getAsLong();
  }

  /**
   * Says how far it is, unless it was said just now.
   *
   * @param what is being done
   * @param done so many bytes are
   * @param total of so many; {@link #UNKNOWN} if nobody knows
   * @param nanos since it began
   */
  synchronized void tell(String what, long done, long total, long nanos) {
    if (!isTime()) {
      return;
    }
    if (isTerminal) {
      err.print(CLEAR_LINE + bar(what, done, total, nanos, columns.getAsInt()));
      lineIsOpen = true;
    } else {
      err.println(line(what, done, total, nanos));
    }
    err.flush();
  }

  /** Says how far it is in other units than bytes, unless it was said just now. */
  synchronized void note(String text) {
    if (!isTime()) {
      return;
    }
    if (isTerminal) {
      int room = Math.max(1, columns.getAsInt() - 1);
      err.print(CLEAR_LINE + DisplayWidth.shortened(text, room));
      lineIsOpen = true;
    } else {
      err.println(text);
    }
    err.flush();
  }

  private boolean isTime() {
    long now = clock.getAsLong();
    if (now - told < (isTerminal ? TERMINAL_NANOS : PLAIN_NANOS)) {
      return false;
    }
    told = now;
    return true;
  }

  /** Returns how much of the total is done, at what rate, and the time left at that rate. */
  static String line(String what, long done, long total, long nanos) {
    double perSecond = done * NANOS_PER_SECOND / Math.max(1, nanos);
    String of = total == UNKNOWN ? "" : " of " + Sizes.text(total);
    String left =
        done == 0 || total == UNKNOWN
            ? ""
            : String.format(Locale.ROOT, ", %.0f s left", Math.max(0, total - done) / perSecond);
    return what + ": " + Sizes.text(done) + of + ", " + Sizes.text((long) perSecond) + "/s" + left;
  }

  /** Returns the same line behind a bar, if the total is known and there is room for a bar. */
  static String bar(String what, long done, long total, long nanos, int columns) {
    String line = line(what, done, total, nanos);
    int room = Math.min(MOST_BAR, columns - 1 - line.length() - " [] 100 %".length());
    if (total <= 0 || room < LEAST_BAR) {
      return DisplayWidth.shortened(line, Math.max(1, columns - 1));
    }
    double share = Math.clamp((double) done / total, 0, 1);
    int full = (int) (share * room);
    return String.format(
        Locale.ROOT,
        "[%s%s] %3d %% %s",
        "#".repeat(full),
        "-".repeat(room - full),
        (int) (share * 100),
        line);
  }

  @Override
  public synchronized void close() {
    if (lineIsOpen) {
      err.print(CLEAR_LINE);
      err.flush();
      lineIsOpen = false;
    }
  }
}
