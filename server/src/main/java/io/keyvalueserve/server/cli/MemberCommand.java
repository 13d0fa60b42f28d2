package io.keyvalueserve.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.config.Sizes;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kvs member ...} */
@Command(
    name = "member",
    description = "Shows the members of the cluster.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class MemberCommand implements Runnable {
  private static final int MOST_SHOWN = 10;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(
      name = "list",
      description = {
        "Lists the members with their roles, the oldest first; whether every entry has its backups;"
            + " which partitions have no copy; and how far the member that is asked has come with"
            + " loading what its disk has."
      },
      mixinStandardHelpOptions = true)
  void list(@Mixin AdminClient client, @Mixin View out) {
    out.show(() -> client.get("/api/v1/cluster"), MemberCommand::page);
  }

  private static Page page(JsonNode cluster) {
    Table members = new Table("MEMBER", "ROLE", "UUID", "HAZELCAST", "ASKED");
    for (JsonNode member : cluster.path("members")) {
      members.add(
          member.path("address").asText(),
          member.path("role").asText(),
          member.path("uuid").asText(),
          member.path("hazelcast").asText(),
          member.path("local").asBoolean() ? "yes" : "");
    }
    Table facts =
        Table.ofFacts(
            "backups",
            cluster.path("safe").asBoolean()
                ? "every entry has its own"
                : "not every entry has its own yet");
    facts.add("serves", serves(cluster.path("quorum")));
    if (cluster.path("lost").path("count").asInt() > 0) {
      facts.add("lost", lost(cluster.path("lost")));
    }
    if (cluster.has("loading")) {
      facts.add("loaded", loading(cluster.path("loading")));
    }
    return Page.of(members.shortening("UUID"), facts);
  }

  private static String serves(JsonNode quorum) {
    int voters = quorum.path("voters").size();
    if (!quorum.path("split").asText().equals("consistent")) {
      return "yes, without a majority too (split: available)";
    }
    int missing = quorum.path("missing").size();
    String reached =
        (voters - missing) + " of " + voters + " voters, " + quorum.path("majority") + " needed";
    List<String> lost = new ArrayList<>();
    quorum.path("missing").forEach(address -> lost.add(address.asText()));
    return (quorum.path("serves").asBoolean() ? "yes: reaches " : "no: reaches ")
        + reached
        + (missing == 0 ? "" : "; missing: " + String.join(", ", lost));
  }

  private static String lost(JsonNode lost) {
    List<String> partitions = new ArrayList<>();
    lost.path("partitions").forEach(partition -> partitions.add(partition.asText()));
    boolean all = partitions.size() <= MOST_SHOWN;
    return lost.path("count").asText()
        + " partitions have no copy and are refused: "
        + String.join(", ", all ? partitions : partitions.subList(0, MOST_SHOWN))
        + (all ? "" : ", ...");
  }

  private static String loading(JsonNode load) {
    String records =
        load.path("records").asText() + " of " + load.path("totalRecords").asText() + " records";
    return load.path("done").asBoolean()
        ? "all, " + records
        : records
            + ", "
            + Sizes.text(load.path("bytesPerSecond").asLong())
            + "/s, "
            + load.path("secondsLeft").asText()
            + " s left";
  }
}
