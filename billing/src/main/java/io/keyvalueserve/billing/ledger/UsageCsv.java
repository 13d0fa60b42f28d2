package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Writes usage events as comma-separated values (RFC 4180), one to a row. Stateless. */
public final class UsageCsv {
  private UsageCsv() {}

  /**
   * Writes a header and all events.
   *
   * @throws IOException if {@code out} does
   */
  public static void write(Iterable<UsageEvent> events, Appendable out) throws IOException {
    List<String> header =
        new ArrayList<>(
            List.of(
                "member",
                "incarnation",
                "interval",
                "tenant",
                "tenantNumber",
                "map",
                "sharing",
                "persistence",
                "minute"));
    for (Measure measure : Measure.values()) {
      header.add(measure.quantityLabel());
    }
    Csv.row(out, header);
    for (UsageEvent event : events) {
      Csv.row(out, row(event));
    }
  }

  private static List<String> row(UsageEvent event) {
    UsageIdentity identity = event.identity();
    List<String> row = new ArrayList<>();
    row.add(identity.member().toString());
    row.add(Long.toString(identity.incarnation()));
    row.add(Long.toString(identity.interval()));
    row.add(identity.tenant().value());
    row.add(Integer.toString(identity.tenantNumber()));
    row.add(identity.map() == null ? "" : identity.map().toString());
    row.add(identity.sharing().label());
    row.add(identity.persistence().text());
    row.add(Instant.ofEpochSecond(identity.minute() * 60).toString());
    for (Measure measure : Measure.values()) {
      row.add(Long.toString(event.quantities().of(measure)));
    }
    return row;
  }
}
