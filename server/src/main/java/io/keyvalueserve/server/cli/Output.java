package io.keyvalueserve.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command prints: for a person, or as JSON for a program. */
final class Output {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** Whether it is for a program. */
  boolean isJson() {
    return json;
  }

  /** Prints the answer as it came, or its text. */
  void print(JsonNode answer, Object text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? answer.toPrettyString() : text.toString());
    out.flush();
  }
}
