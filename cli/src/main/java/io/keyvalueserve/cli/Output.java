package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The form in which a command prints: for a person, or as JSON for a program. */
sealed class Output permits View {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Option(
      names = "--color",
      defaultValue = "auto",
      paramLabel = "auto|always|never",
      description =
          "Whether to use colours; auto: on a terminal, unless NO_COLOR is set. Default: auto")
  private Color color = Color.AUTO;

  /** Returns whether the output is for a program. */
  final boolean isJson() {
    return json;
  }

  /**
   * Prints the answer as it came, or its text.
   *
   * @param text a {@link TextTable}, a {@link Page}, or what {@code toString} says
   */
  final void print(JsonNode answer, Object text) {
    PrintWriter out = out();
    out.println(json ? answer.toPrettyString() : Page.in(text, style()));
    out.flush();
  }

  /** Says what is to be known besides, on standard error. */
  void warn(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(screen().errStyle(color).warning(text));
    err.flush();
  }

  /** Names the members that have not answered. */
  final void warnOfSilent(JsonNode answer) {
    answer.path("silent").forEach(member -> warn("member " + member.asText() + " gave no answer"));
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final CommandSpec spec() {
    return spec;
  }

  final Screen screen() {
    return Screen.of(spec);
  }

  final Style style() {
    return screen().outStyle(color);
  }
}
