package io.keyvalueserve.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The terminal's other screen, without a cursor, with each key coming as it is pressed. {@link
 * #close} gives the terminal back as it was, and so does the end of the process by Ctrl-C or
 * SIGTERM. Its modes are set by {@code stty}, which every Unix has. Thread-safe.
 */
final class FullScreen implements AutoCloseable {
  private static final String ENTER = "\u001b[?1049h\u001b[?25l";
  private static final String LEAVE = "\u001b[0m\u001b[?25h\u001b[?1049l";
  private static final File TERMINAL = new File("/dev/tty");
  private static final long PATIENCE_SECONDS = 5;
  private static final int END = -1;

  private final PrintWriter out;
  private final String modes;
  private final LinkedBlockingQueue<Integer> input = new LinkedBlockingQueue<>();
  private final EndSignal end;
  private boolean closed;

  /** The size of a terminal. */
  record Size(int width, int height) {
    private static final Size USUAL = new Size(80, 24);

    /** Parses the output of {@code stty size}. */
    static Size parse(@Nullable String text) {
      String[] words = text == null ? new String[0] : text.strip().split(" ", -1);
      try {
        Size size =
            words.length == 2
                ? new Size(Integer.parseInt(words[1]), Integer.parseInt(words[0]))
                : USUAL;
        return size.width < 1 || size.height < 1 ? USUAL : size;
      } catch (NumberFormatException e) {
        return USUAL;
      }
    }
  }

  private FullScreen(PrintWriter out, String modes) {
    this.out = out;
    this.modes = modes;
    this.end = EndSignal.onEnd(this::restore);
    out.print(ENTER);
    out.flush();
  }

  /**
   * Takes the terminal.
   *
   * @return null if there is none, or no {@code stty}
   */
  static @Nullable FullScreen open(PrintWriter out, InputStream keys) {
    String modes = stty("-g");
    if (modes == null || modes.isBlank()) {
      return null;
    }
    // From here on whatever ends the process gives the terminal back.
    FullScreen screen = new FullScreen(out, modes.strip());
    if (stty("-icanon", "-echo", "min", "1", "time", "0", "susp", "undef") == null) {
      screen.close();
      return null;
    }
    Thread _ = Thread.ofPlatform().daemon().name("kvs-keys").start(() -> screen.readAll(keys));
    return screen;
  }

  private void readAll(InputStream keys) {
    try {
      int next;
      do {
        next = keys.read();
        input.add(next);
      } while (next != END);
    } catch (IOException e) {
      input.add(END);
    }
  }

  /** Returns the present size. */
  Size size() {
    return Size.parse(stty("size"));
  }

  /** Shows a frame, in one write. */
  synchronized void show(String frame) {
    if (!closed) {
      out.print(frame);
      out.flush();
    }
  }

  /**
   * The next byte of a key; waits for it.
   *
   * @return null if none came in time; -1 for the end of input
   */
  @Nullable Integer key(long millis) throws InterruptedException {
    return input.poll(millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    end.disarm();
    restore();
  }

  private synchronized void restore() {
    if (!closed) {
      closed = true;
      out.print(LEAVE);
      out.flush();
      String _ = stty(modes);
    }
  }

  /** Runs {@code stty} and returns its output, or null if it could not be run, or failed. */
  private static @Nullable String stty(String... arguments) {
    List<String> command = new ArrayList<>(List.of("stty"));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(TERMINAL)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0
          ? said
          : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
