package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import io.keyvalueserve.server.config.Sizes;
import java.io.Console;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs member ...} */
@Command(
    name = "member",
    description = "Shows the members of the cluster, and forgets those that never come back.",
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

  @Command(
      name = "forget",
      description = {
        "Takes a member off the cluster that will never come back, so that the others wait neither"
            + " for it nor for its data. What only that member had is gone for good: its partitions"
            + " go on with an older copy if another member has one, and begin empty if not.",
        "Needs a majority of the voters, and a member that is down. Where no majority is left, stop"
            + " all members and start them with --restart-policy partial instead.",
        "If the member comes back all the same, it gives up what it had and joins as a new one."
      },
      mixinStandardHelpOptions = true)
  void forget(
      @Parameters(
              paramLabel = "MEMBER",
              description = "Its address (HOST:PORT) or its id, as lists and logs name it.")
          String member,
      @Option(names = "--yes", description = "Do not ask.") boolean yes,
      @Mixin AdminClient client,
      @Mixin Output out) {
    if (!yes) {
      confirm(member);
    }
    JsonNode forgotten = client.delete("/api/v1/cluster/members/" + AdminClient.part(member));
    out.print(
        forgotten,
        "member "
            + forgotten.path("address").asText()
            + " is forgotten; the cluster has "
            + forgotten.path("voters").size()
            + " voters");
  }

  @Command(
      name = "acknowledge",
      description = {
        "Takes note of what no copy had when the cluster started, so that the cluster can be safe"
            + " again. Prints what it was. Nothing is brought back, or removed."
      },
      mixinStandardHelpOptions = true)
  void acknowledge(@Mixin AdminClient client, @Mixin Output out) {
    JsonNode losses = client.post("/api/v1/cluster/acknowledge", AdminClient.object());
    out.print(losses, isNothing(losses) ? "nothing is lost" : "taken note of: " + losses(losses));
  }

  private static boolean isNothing(JsonNode losses) {
    return losses.path("records").asLong() == 0 && losses.path("damagedPlaces").asLong() == 0;
  }

  private static String losses(JsonNode losses) {
    List<String> maps = new ArrayList<>();
    losses.path("maps").properties().forEach(map -> maps.add(map.getKey() + " " + map.getValue()));
    return losses.path("records").asText()
        + " records that no copy had"
        + (maps.isEmpty() ? "" : " (" + String.join(", ", maps) + ")")
        + ", "
        + losses.path("damagedPlaces").asText()
        + " damaged places with unknown contents, in "
        + losses.path("partitions").size()
        + " partitions";
  }

  private static void confirm(String member) {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      throw new Failure("forgetting a member gives up what only it has: confirm with --yes");
    }
    String answer =
        console.readLine(
            "Forget member %s, and what only it has, for good? Type its name: ", member);
    if (!member.equals(answer)) {
      throw new Failure("nothing was changed");
    }
  }

  private static Page page(JsonNode cluster) {
    TextTable members = new TextTable("MEMBER", "ROLE", "UUID", "HAZELCAST", "ASKED");
    for (JsonNode member : cluster.path("members")) {
      members.add(
          member.path("address").asText(),
          member.path("role").asText(),
          member.path("uuid").asText(),
          member.path("hazelcast").asText(),
          member.path("local").asBoolean() ? "yes" : "");
    }
    TextTable facts =
        TextTable.ofFacts(
            "backups",
            cluster.path("safe").asBoolean()
                ? "every entry has its own"
                : "not every entry has its own yet");
    facts.add("serves", serves(cluster.path("quorum")));
    if (cluster.path("lost").path("count").asInt() > 0) {
      facts.add("lost", lost(cluster.path("lost")));
    }
    if (!isNothing(cluster.path("losses"))) {
      facts.add("gone", losses(cluster.path("losses")) + "; see 'kvs member acknowledge'");
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
