package io.keyvalueserve.billing.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.tenancy.Persistence;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/**
 * Entries of a ledger as lines of JSON, with all that is needed to check them elsewhere: {@code
 * hash} is the SHA-256 of {@code bytes} without their last 32, and {@code previous} the hash of the
 * entry before. Quantities are texts: they have up to 63 bits, and readers of JSON often keep 53.
 * Stateless.
 */
public final class EntryJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private EntryJson() {}

  /**
   * Writes entries, each on a line with an LF at its end.
   *
   * @throws IOException if {@code out} does
   */
  public static void writeLines(Iterable<LedgerEntry> entries, Appendable out) throws IOException {
    for (LedgerEntry entry : entries) {
      out.append(node(entry).toString()).append('\n');
    }
  }

  /**
   * The bytes of an entry, from its line.
   *
   * @throws IllegalArgumentException if it has none
   */
  public static byte[] bytes(String line) {
    try {
      JsonNode bytes = JSON.readTree(line).path("bytes");
      return Base64.getDecoder().decode(bytes.asText("-"));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IllegalArgumentException("it is no line of JSON with an entry's 'bytes'", e);
    }
  }

  private static ObjectNode node(LedgerEntry entry) {
    ObjectNode node = JSON.createObjectNode();
    node.put("entry", entry.number());
    node.put("recordedAt", entry.recordedAt().toString());
    switch (entry.posting()) {
      case Posting.Usage usage -> put(usage.event(), node.putObject("usage"));
      case Posting.Correction correction -> put(correction, node.putObject("correction"));
    }
    node.put("previous", entry.previous().hex());
    node.put("hash", entry.hash().hex());
    node.put("bytes", Base64.getEncoder().encodeToString(LedgerCodec.encode(entry)));
    return node;
  }

  private static void put(UsageEvent event, ObjectNode node) {
    UsageIdentity identity = event.identity();
    node.put("member", identity.member().toString());
    node.put("incarnation", identity.incarnation());
    node.put("interval", identity.interval());
    if (identity.map() != null) {
      node.put("map", identity.map().toString());
    }
    node.put("sharing", identity.sharing().label());
    if (identity.persistence() != Persistence.DEFAULT) {
      node.put("persistence", identity.persistence().text());
    }
    node.put("minute", Instant.ofEpochSecond(identity.minute() * 60).toString());
    put(event.quantities().toMap(), node.putObject("quantities"));
  }

  private static void put(Posting.Correction correction, ObjectNode node) {
    node.put("id", correction.id().toString());
    node.put("of", correction.entry());
    node.put("reason", correction.reason());
    put(correction.changes(), node.putObject("changes"));
  }

  private static void put(Map<Measure, Long> quantities, ObjectNode node) {
    quantities.forEach(
        (measure, quantity) -> node.put(measure.quantityLabel(), Long.toString(quantity)));
  }
}
