package io.keyvalueserve.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs live} */
@Command(
    name = "live",
    description = {
      "Prints live figures of the cluster, or of a tenant, about every second until Ctrl-C: a JSON"
          + " object a line, for programs. 'kvs top' is for people.",
      "With KVS_KEY an access key of the tenant shows its own."
    },
    mixinStandardHelpOptions = true)
final class LiveCommand implements Runnable {
  /** The text before the data of an event (WHATWG HTML, section 9.2.6). */
  private static final String DATA = "data: ";

  @Parameters(arity = "0..1", paramLabel = "TENANT", description = "Default: the whole cluster.")
  private @Nullable String tenant;

  @Option(
      names = "--count",
      defaultValue = "0",
      paramLabel = "N",
      description = "End after so many. Default: not before Ctrl-C")
  private long count;

  @Mixin private AdminClient client = new AdminClient();
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    if (count < 0) {
      throw new ParameterException(spec.commandLine(), "--count '" + count + "': use 1 or more");
    }
    String path =
        tenant == null ? "/api/v1/live" : "/api/v1/tenants/" + AdminClient.part(tenant) + "/live";
    long[] told = {0};
    client.lines(path, line -> tell(line, told));
  }

  private boolean tell(String line, long[] told) {
    if (!line.startsWith(DATA)) {
      return true;
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(line.substring(DATA.length()));
    told[0]++;
    return !out.checkError() && told[0] != count; // checkError flushes, too
  }
}
