package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kvs bench restart}: back at the speed of the disk, and written at it (seed 003). */
@Command(
    name = "restart",
    description = {
      "Measure how fast servers are back with their data, and what it costs to write them.",
      "",
      "restarts: servers are filled, killed (SIGKILL) and started again in turns, with a warm and,"
          + " as root, with a cold page cache; told is the time until the first GET is answered,"
          + " what a start without data takes of it, and what the server says itself of loading."
          + " Beside it: redis-server with its log and with its snapshot, and the disk itself.",
      "",
      "writes: the server's processor time for a write, and writes per second, with durability"
          + " none, everysec and always, beside the same of redis-server. Servers run on core 0,"
          + " the load on core 1, in turns."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class RestartBench extends Bench {
  @Mixin private RestartPlan plan;

  @Override
  public Integer call() throws IOException {
    plan.check(spec);
    Programs installed = Programs.here();
    if (plan.hasRedis()) {
      installed.require(List.of(Program.REDIS));
    }
    Path redis = installed.find(Program.REDIS).orElse(Path.of(Program.REDIS.file));
    Path folder = results.make();
    Path servers = folder.resolve("servers");
    FileTree.delete(servers);
    Progress progress = progress();
    String peer = plan.hasRedis() ? "; redis " + Programs.version(redis) : "";
    String machine = peer + "; " + Machine.describe();
    List<String> tables = new ArrayList<>();
    if (plan.has(RestartPlan.Part.RESTARTS)) {
      plan.checkRoom(spec, folder);
      RestartReport report =
          new RestartReport(
              plan.restarts() + machine, new RestartRun(progress, plan, servers, redis).run());
      report.write(folder);
      tables.add(report.table());
    }
    if (plan.has(RestartPlan.Part.WRITES)) {
      WriteReport report =
          new WriteReport(
              Cores.describe() + "; " + plan.writes() + machine,
              new WriteRun(progress, plan, servers, redis).run());
      report.write(folder);
      tables.add(report.table());
    }
    FileTree.delete(servers);
    tell(String.join("\n\n", tables));
    return 0;
  }
}
