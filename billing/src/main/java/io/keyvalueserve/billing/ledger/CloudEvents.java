package io.keyvalueserve.billing.ledger;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import java.io.IOException;
import java.time.Instant;

/**
 * Writes usage events as CloudEvents 1.0 in JSON, structured mode ({@value #MEDIA_TYPE}).
 *
 * <p>{@code source} and {@code id} together are the event's identity, as the specification asks: a
 * consumer that has seen both has seen the event. {@code time} is the end of the minute. Quantities
 * are texts: they have up to 63 bits, and readers of JSON often keep 53. Stateless.
 */
public final class CloudEvents {
  /** The media type of one event in structured mode. */
  public static final String MEDIA_TYPE = "application/cloudevents+json";

  private static final String TYPE = "io.keyvalueserve.usage.v1";
  private static final ObjectMapper JSON = new ObjectMapper();

  private CloudEvents() {}

  /**
   * Writes one event, on one line and without an end of line.
   *
   * @throws IOException if {@code out} does
   */
  public static void write(UsageEvent event, Appendable out) throws IOException {
    UsageIdentity identity = event.identity();
    ObjectNode node = JSON.createObjectNode();
    node.put("specversion", "1.0");
    node.put("type", TYPE);
    node.put("source", "urn:uuid:" + identity.member());
    node.put("id", identity.text());
    node.put("time", Instant.ofEpochSecond((identity.minute() + 1) * 60).toString());
    QualifiedName map = identity.map();
    node.put("subject", map == null ? identity.tenant().value() : map.toString());
    node.put("datacontenttype", "application/json");
    ObjectNode data = node.putObject("data");
    data.put("tenant", identity.tenant().value());
    data.put("tenantNumber", identity.tenantNumber());
    if (map != null) {
      data.put("map", map.toString());
    }
    data.put("sharing", identity.sharing().label());
    if (identity.persistence() != Persistence.DEFAULT) {
      data.put("persistence", identity.persistence().text());
    }
    data.put("minute", Instant.ofEpochSecond(identity.minute() * 60).toString());
    ObjectNode quantities = data.putObject("quantities");
    event
        .quantities()
        .toMap()
        .forEach(
            (measure, quantity) ->
                quantities.put(measure.quantityLabel(), Long.toString(quantity)));
    out.append(node.toString());
  }

  /**
   * Writes events as lines, each with an LF at its end.
   *
   * @throws IOException if {@code out} does
   */
  public static void writeLines(Iterable<UsageEvent> events, Appendable out) throws IOException {
    for (UsageEvent event : events) {
      write(event, out);
      out.append('\n');
    }
  }
}
