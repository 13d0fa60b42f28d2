package io.keyvalueserve.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The place where a command prints.
 *
 * @param isOutTerminal whether a person sees standard output
 * @param isErrTerminal whether a person sees standard error
 * @param allowsColors whether the environment has nothing against colours
 * @param askedSize says how large the terminal is now
 * @param pause waits so many seconds; false if it is to end instead
 */
record Screen(
    boolean isOutTerminal,
    boolean isErrTerminal,
    boolean allowsColors,
    Supplier<Size> askedSize,
    IntPredicate pause) {
  private static final Size USUAL = new Size(24, 80);
  private static final Pattern STTY = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
  private static final Pattern COLUMNS = Pattern.compile("[1-9]\\d{1,4}");
  private static final int OUT = 1;
  private static final int ERR = 2;

  /** Lines, and columns of a line. */
  record Size(int lines, int columns) {}

  /** Returns the screen of this process. */
  static Screen ofProcess() {
    return new Screen(
        isTerminal(OUT),
        isTerminal(ERR),
        allowsColors(System.getenv("NO_COLOR"), System.getenv("TERM")),
        () -> size(System.getenv("COLUMNS")),
        Screen::sleep);
  }

  /** Returns the screen of a command. */
  static Screen of(CommandSpec spec) {
    return spec.root().userObject() instanceof KvsCommand kvs ? kvs.screen() : ofProcess();
  }

  /** Returns the style of standard output. */
  Style outStyle(Color color) {
    return new Style(
        isOutTerminal ? size().columns() : Style.UNBOUNDED, colored(color, isOutTerminal));
  }

  /** Returns the style of standard error. */
  Style errStyle(Color color) {
    return new Style(Style.UNBOUNDED, colored(color, isErrTerminal));
  }

  Size size() {
    return askedSize.get();
  }

  private boolean colored(Color color, boolean isTerminal) {
    return color == Color.ALWAYS || (color == Color.AUTO && isTerminal && allowsColors);
  }

  /**
   * Returns whether colours are allowed. As no-color.org defines it, any {@code NO_COLOR} but an
   * empty one forbids them. A dumb terminal would show the sequences.
   */
  static boolean allowsColors(@Nullable String noColor, @Nullable String term) {
    return (noColor == null || noColor.isEmpty()) && !"dumb".equals(term);
  }

  /**
   * Returns whether a descriptor is a terminal. On Linux the descriptor tells; elsewhere the
   * console stands for both.
   */
  private static boolean isTerminal(int descriptor) {
    try {
      String file = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      Console console = System.console();
      return console != null && console.isTerminal();
    }
  }

  /** The columns that were said, else those of the terminal. */
  private static Size size(@Nullable String columns) {
    Size asked = askStty();
    return columns != null && COLUMNS.matcher(columns).matches()
        ? new Size(asked.lines(), Integer.parseInt(columns))
        : asked;
  }

  private static Size askStty() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(Path.of("/dev/tty").toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (var answer = stty.getInputStream()) {
        String text = new String(answer.readNBytes(64), StandardCharsets.US_ASCII);
        if (!stty.waitFor(1, TimeUnit.SECONDS)) {
          stty.destroyForcibly();
        }
        return parse(text);
      }
    } catch (IOException e) {
      return USUAL;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return USUAL;
    }
  }

  /** Parses the output of {@code stty size}. Returns the usual size if that says nothing useful. */
  static Size parse(String text) {
    Matcher size = STTY.matcher(text);
    if (!size.matches()) {
      return USUAL;
    }
    int lines = Integer.parseInt(size.group(1));
    int columns = Integer.parseInt(size.group(2));
    return lines == 0 || columns == 0 ? USUAL : new Size(lines, columns);
  }

  private static boolean sleep(int seconds) {
    try {
      TimeUnit.SECONDS.sleep(seconds);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
