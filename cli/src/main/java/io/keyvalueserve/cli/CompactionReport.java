package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.journal.JournalCompaction;
import io.keyvalueserve.journal.JournalStatistics;
import io.keyvalueserve.server.config.Sizes;
import java.nio.file.Path;
import java.util.Locale;

/** The result of {@code kvs data compact} for a log, as text and as JSON. */
final class CompactionReport {
  private final Path log;
  private final JournalCompaction done;
  private final DamageReport damage;

  CompactionReport(Path log, JournalCompaction done) {
    this.log = log;
    this.done = done;
    damage = new DamageReport(done.report().damage());
  }

  Page text() {
    TextTable table = new TextTable("", "CHUNKS", "BYTES", "LIVE", "AMPLIFICATION", "BLOBS");
    add(table, "before", done.before());
    add(table, "after", done.after());
    return Page.of("log  " + log, table, damage.isEmpty() ? "" : damage.text());
  }

  private static void add(TextTable table, String when, JournalStatistics sums) {
    table.add(
        when,
        String.valueOf(sums.chunks()),
        Sizes.text(sums.fileBytes()),
        Sizes.text(sums.liveBytes()),
        String.format(Locale.ROOT, "%.2f", sums.spaceAmplification()),
        Sizes.text(sums.blobBytes()));
  }

  ObjectNode json() {
    ObjectNode json = AdminClient.object().put("log", log.toString());
    json.set("before", json(done.before()));
    json.set("after", json(done.after()));
    json.set("damage", damage.json());
    return json;
  }

  private static ObjectNode json(JournalStatistics sums) {
    return AdminClient.object()
        .put("chunks", sums.chunks())
        .put("fileBytes", sums.fileBytes())
        .put("liveBytes", sums.liveBytes())
        .put("tombstoneBytes", sums.tombstoneBytes())
        .put("spaceAmplification", sums.spaceAmplification())
        .put("blobBytes", sums.blobBytes());
  }
}
