package io.keyvalueserve.cli;

import io.keyvalueserve.cli.CompletionScript.Shell;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs completion} */
@Command(
    name = "completion",
    description = {
      "Prints a script with which a shell completes the command line: commands, options, their"
          + " values, and tenants and maps if a server with a key answers within a second.",
      "bash: source <(kvs completion bash); zsh: source <(kvs completion zsh);"
          + " fish: kvs completion fish | source"
    },
    mixinStandardHelpOptions = true)
final class CompletionCommand implements Runnable {
  @Parameters(paramLabel = "bash|zsh|fish", description = "For which shell.")
  private Shell shell = Shell.BASH;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(CompletionScript.of(spec.root().commandLine(), shell));
    out.flush();
  }
}
