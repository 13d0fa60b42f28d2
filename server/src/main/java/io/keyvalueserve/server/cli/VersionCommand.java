package io.keyvalueserve.server.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.server.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says which version this is. */
@Command(
    name = "version",
    description = "Says which version this is.",
    mixinStandardHelpOptions = true)
final class VersionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public void run() {
    Version version = Version.current();
    String text =
        json
            ? new ObjectMapper()
                .createObjectNode()
                .put("version", version.version())
                .put("hazelcast", version.hazelcast())
                .put("java", Runtime.version().toString())
                .toString()
            : String.join(System.lineSeparator(), lines());
    spec.commandLine().getOut().println(text);
    spec.commandLine().getOut().flush();
  }

  private static String[] lines() {
    Version version = Version.current();
    return new String[] {
      "KeyValueServe " + version.version(),
      "Hazelcast " + version.hazelcast(),
      "Java " + Runtime.version()
    };
  }

  static final class Provider implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return lines();
    }
  }
}
