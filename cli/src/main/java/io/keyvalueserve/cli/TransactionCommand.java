package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs transaction ...} */
@Command(
    name = "transaction",
    description = {
      "Changes several entries at once: all of them, or none.",
      "It needs an access key of the tenant (KVS_KEY or --key-file): the operator key opens no"
          + " entries. The tenant dev of a server with --dev needs none on the same machine."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class TransactionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "run",
      description = {
        "Does up to 1,000 operations on a tenant's maps, and on maps granted to it. If one cannot"
            + " be done, nothing is changed.",
        "They are a JSON object: {\"operations\":[{\"op\":\"check\",\"map\":\"m\",\"key\":\"k\","
            + "\"exists\":false},{\"op\":\"put\",\"map\":\"m\",\"key\":\"k\",\"value\":\"v\"}]}",
        "The operations are check, get, put, delete and increment."
      },
      mixinStandardHelpOptions = true)
  void run(
      @Parameters(paramLabel = "TENANT") String tenant,
      @Parameters(paramLabel = "FILE|-", description = "A file, or - for standard input.")
          String file,
      @Mixin AdminClient client,
      @Mixin Output out) {
    String path = "/api/v1/tenants/" + AdminClient.part(tenant) + "/transactions";
    JsonNode answer = client.postText(path, EntryCommand.textOf(file));
    out.print(answer, EntryCommand.results(answer));
  }
}
