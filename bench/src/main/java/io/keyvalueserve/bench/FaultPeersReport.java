package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Faults beside peers as a table and as JSON.
 *
 * @param conditions what was measured, and where
 */
record FaultPeersReport(String conditions, List<FaultPeersRun.Row> rows)
    implements CrashBench.Report {
  private static final String NAME = "fault-peers";
  private static final String FORMAT = "%-10s %-6s %9s %13s %14s %12s %13s %8s%n";

  @Override
  public List<?> violations() {
    return List.of();
  }

  @Override
  public String table() {
    StringBuilder table = new StringBuilder(conditions).append("\n\n");
    table.append(
        String.format(
            Locale.ROOT,
            FORMAT,
            "seconds",
            "fault",
            "it lasted",
            "others waited",
            "it came back",
            "whole after",
            "acknowledged",
            "lost"));
    rows.forEach(row -> table.append(line(row)).append('\n'));
    return table.toString();
  }

  /** A line of the table. */
  static String line(FaultPeersRun.Row row) {
    return String.format(
            Locale.ROOT,
            FORMAT,
            row.peer(),
            row.kind(),
            seconds(row.downNanos()),
            seconds(row.othersNanos()),
            seconds(row.returnNanos()),
            seconds(row.wholeNanos()),
            Table.count(row.acknowledged()),
            Table.count(row.lost()))
        .stripTrailing();
  }

  private static String seconds(long nanos) {
    return nanos == Long.MAX_VALUE ? "never" : String.format(Locale.ROOT, "%.1f", nanos / 1e9);
  }

  @Override
  public void write(Path folder) throws IOException {
    Files.writeString(folder.resolve(NAME + ".txt"), table());
    ObjectNode all = Json.object().put("conditions", conditions);
    all.set(
        "rows",
        Json.array(
            rows,
            row ->
                Json.object()
                    .put("peer", row.peer().toString())
                    .put("fault", row.kind().toString())
                    .put("lastedSeconds", row.downNanos() / 1e9)
                    .put("othersWaitedSeconds", row.othersNanos() / 1e9)
                    .put("cameBackSeconds", row.returnNanos() / 1e9)
                    .put("wholeSeconds", row.wholeNanos() / 1e9)
                    .put("acknowledged", row.acknowledged())
                    .put("lost", row.lost())));
    Files.writeString(folder.resolve(NAME + ".json"), Json.text(all));
  }
}
