package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.journal.JournalContents;
import io.keyvalueserve.journal.JournalStatistics;
import io.keyvalueserve.journal.RecoveryReport;
import io.keyvalueserve.server.config.Sizes;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The report of {@code kvs data verify} and {@code inspect} about a log, as text and as JSON. */
final class DataReport {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Path log;
  private final JournalContents contents;
  private final DamageReport damage;

  DataReport(Path log, JournalContents contents) {
    this.log = log;
    this.contents = contents;
    damage = new DamageReport(contents.report().damage());
  }

  boolean isWhole() {
    return damage.isWhole();
  }

  // ---- text

  /** Returns what was read, and whether the log is whole. */
  Page verification() {
    RecoveryReport read = contents.report();
    TextTable table = whose();
    table.add(
        "read",
        "%s in %d chunks in %.1f s"
            .formatted(Sizes.text(read.bytes()), read.chunks(), read.nanos() / NANOS_PER_SECOND));
    table.add("alive", alive());
    String result =
        damage.isWhole()
            ? "the log is whole"
            : "the log is damaged in %d place%s"
                .formatted(damage.places(), damage.places() == 1 ? "" : "s");
    return Page.of(table, damage.text(), result);
  }

  /** Returns the figures of the log. */
  Page text(boolean withChunks, boolean withMaps) {
    JournalStatistics sums = contents.statistics();
    long sealed = contents.chunks().stream().filter(JournalContents.ChunkFigures::isSealed).count();
    TextTable table = whose();
    table.add(
        "chunks",
        "%d (%d sealed), %s".formatted(sums.chunks(), sealed, Sizes.text(sums.fileBytes())));
    table.add(
        "live",
        "%s, of which %s are removes, clears and drops"
            .formatted(Sizes.text(sums.liveBytes()), Sizes.text(sums.tombstoneBytes())));
    table.add(
        "amplification",
        String.format(
            Locale.ROOT, "%.2f bytes in chunks for a live one", sums.spaceAmplification()));
    table.add("blobs", contents.blobs() + ", " + Sizes.text(sums.blobBytes()));
    table.add("quarantine", contents.quarantined() + " files");
    table.add("alive", alive());
    String hint =
        damage.isEmpty()
            ? ""
            : damage.text() + System.lineSeparator() + "'kvs data verify' looks at everything";
    return Page.of(table, withChunks ? chunks() : "", withMaps ? maps() : "", hint);
  }

  private TextTable whose() {
    TextTable table = TextTable.ofFacts("log", log.toString());
    table.add("cluster", contents.cluster());
    table.add("member", contents.member());
    table.add("payload format", String.valueOf(contents.payloadFormat()));
    return table;
  }

  private String alive() {
    long records = contents.maps().stream().mapToLong(JournalContents.MapFigures::records).sum();
    long bytes = contents.maps().stream().mapToLong(JournalContents.MapFigures::payloadBytes).sum();
    return "%d records in %d maps, %s"
        .formatted(records, contents.maps().size(), Sizes.text(bytes));
  }

  private TextTable chunks() {
    TextTable table =
        new TextTable("CHUNK", "STREAM", "STATE", "BYTES", "LIVE", "DEAD", "FRAMES", "RECORDS");
    for (JournalContents.ChunkFigures chunk : contents.chunks()) {
      table.add(
          String.valueOf(chunk.id()),
          String.valueOf(chunk.stream()),
          state(chunk),
          Sizes.text(chunk.fileBytes()),
          Sizes.text(chunk.liveBytes()),
          Sizes.text(chunk.deadBytes()),
          String.valueOf(chunk.frames()),
          String.valueOf(chunk.records()));
    }
    return table;
  }

  private static String state(JournalContents.ChunkFigures chunk) {
    return (chunk.isSealed() ? "sealed" : "open") + (chunk.isDamaged() ? ", damaged" : "");
  }

  private TextTable maps() {
    TextTable table = new TextTable("MAP", "RECORDS", "BYTES");
    List<JournalContents.MapFigures> largestFirst =
        contents.maps().stream()
            .sorted(
                Comparator.comparingLong(JournalContents.MapFigures::payloadBytes)
                    .reversed()
                    .thenComparing(JournalContents.MapFigures::name))
            .toList();
    for (JournalContents.MapFigures map : largestFirst) {
      table.add(map.name(), String.valueOf(map.records()), Sizes.text(map.payloadBytes()));
    }
    return table;
  }

  // ---- JSON

  /** All of it. */
  ObjectNode json() {
    JournalStatistics sums = contents.statistics();
    ObjectNode json = AdminClient.object();
    json.put("log", log.toString())
        .put("cluster", contents.cluster())
        .put("member", contents.member())
        .put("payloadFormat", contents.payloadFormat())
        .put("whole", damage.isWhole())
        .put("readBytes", contents.report().bytes())
        .put("readSeconds", contents.report().nanos() / NANOS_PER_SECOND)
        .put("fileBytes", sums.fileBytes())
        .put("liveBytes", sums.liveBytes())
        .put("tombstoneBytes", sums.tombstoneBytes())
        .put("spaceAmplification", sums.spaceAmplification())
        .put("blobs", contents.blobs())
        .put("blobBytes", sums.blobBytes())
        .put("quarantinedFiles", contents.quarantined());
    ArrayNode chunks = json.putArray("chunks");
    for (JournalContents.ChunkFigures chunk : contents.chunks()) {
      chunks
          .addObject()
          .put("id", chunk.id())
          .put("stream", chunk.stream())
          .put("file", chunk.file())
          .put("sealed", chunk.isSealed())
          .put("damaged", chunk.isDamaged())
          .put("fileBytes", chunk.fileBytes())
          .put("liveBytes", chunk.liveBytes())
          .put("deadBytes", chunk.deadBytes())
          .put("tombstoneBytes", chunk.tombstoneBytes())
          .put("frames", chunk.frames())
          .put("records", chunk.records());
    }
    ArrayNode maps = json.putArray("maps");
    for (JournalContents.MapFigures map : contents.maps()) {
      maps.addObject()
          .put("name", map.name())
          .put("records", map.records())
          .put("payloadBytes", map.payloadBytes());
    }
    json.set("damage", damage.json());
    return json;
  }
}
