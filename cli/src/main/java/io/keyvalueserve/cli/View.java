package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The output of a command that shows data: once, or with {@code --watch} until Ctrl-C. */
final class View extends Output {
  private static final String HOME = "\u001b[H";
  private static final String CLEAR = "\u001b[2J";
  private static final String CLEAR_LINE = "\u001b[K";
  private static final String CLEAR_REST = "\u001b[J";
  private static final String USUAL_SECONDS = "2";

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = USUAL_SECONDS,
      preprocessor = OnlyAttached.class,
      paramLabel = "SECONDS",
      description =
          "Again every so many seconds, 1 to 3600, until Ctrl-C: --watch=5. Default: 2. On a"
              + " terminal in place; with --json an object a line.")
  private @Nullable Integer seconds;

  private final List<String> warnings = new ArrayList<>();

  /**
   * Asks and prints the answer.
   *
   * @param text makes a {@link TextTable}, a {@link Page} or another text of it
   */
  void show(Supplier<JsonNode> question, Function<JsonNode, ?> text) {
    if (seconds == null) {
      JsonNode answer = question.get();
      print(answer, isJson() ? "" : text.apply(answer));
      return;
    }
    int pause = requireInRange(seconds);
    boolean isFirst = true;
    do {
      JsonNode answer = question.get();
      if (isJson()) {
        out().println(answer);
      } else {
        draw(text.apply(answer), isFirst);
      }
      isFirst = false;
    } while (!out().checkError() && screen().pause().test(pause)); // checkError flushes, too
  }

  private int requireInRange(int pause) {
    if (pause < 1 || pause > 3600) {
      throw new ParameterException(
          spec().commandLine(), "--watch '" + pause + "': use 1 to 3600 seconds");
    }
    return pause;
  }

  private void draw(Object text, boolean isFirst) {
    PrintWriter out = out();
    String lines = Page.in(text, style());
    if (!isRedrawn()) {
      out.println(isFirst ? lines : System.lineSeparator() + lines);
      return;
    }
    List<String> frame = new ArrayList<>(Page.lines(lines));
    frame.addAll(warnings);
    warnings.clear();
    int most = Math.max(1, screen().size().lines() - 1); // the cursor is on the last one
    out.print(isFirst ? CLEAR + HOME : HOME);
    for (int i = 0; i < Math.min(most, frame.size()); i++) {
      boolean isCut = i == most - 1 && frame.size() > most;
      out.print(isCut ? "(" + (frame.size() - i) + " lines more)" : frame.get(i));
      out.println(CLEAR_LINE);
    }
    out.print(CLEAR_REST);
  }

  private boolean isRedrawn() {
    return seconds != null && screen().isOutTerminal() && !isJson();
  }

  /**
   * Prints a warning. If the screen is redrawn, the warning is drawn with it, as it would be lost
   * otherwise.
   */
  @Override
  void warn(String text) {
    if (isRedrawn()) {
      warnings.add(style().warning(text));
    } else {
      super.warn(text);
    }
  }

  /** The seconds are joined by '=': else what follows is an argument of the command. */
  static final class OnlyAttached implements IParameterPreprocessor {
    @Override
    @SuppressWarnings("JdkObsolete") // picocli's own type
    public boolean preprocess(
        Stack<String> arguments, CommandSpec command, ArgSpec option, Map<String, Object> info) {
      if (!"=".equals(info.get("separator"))) {
        arguments.push(USUAL_SECONDS);
      }
      return false;
    }
  }
}
