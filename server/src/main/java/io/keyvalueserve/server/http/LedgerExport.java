package io.keyvalueserve.server.http;

import io.helidon.common.uri.UriQuery;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.billing.ledger.BillOpenMetrics;
import io.keyvalueserve.billing.ledger.CloudEvents;
import io.keyvalueserve.billing.ledger.EntryJson;
import io.keyvalueserve.billing.ledger.FocusCsv;
import io.keyvalueserve.billing.ledger.InvoiceCsv;
import io.keyvalueserve.billing.ledger.LedgerEntry;
import io.keyvalueserve.billing.ledger.UsageCsv;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.grid.ledger.LedgerOwner;
import io.keyvalueserve.server.Billing;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes a tenant's ledger or bill in the format that is asked for. All that can go wrong does so
 * before the first byte; then it is streamed.
 */
final class LedgerExport {
  private static final String USUAL_ISSUER = "KeyValueServe";

  private final Billing billing;
  private final Supplier<LedgerOwner> owner;
  private final @Nullable YearMonth month;

  /**
   * @param owner says whose ledger it is, when the parameters are known to be right
   * @param month null for this month of bills, and for all there is of the ledger
   */
  LedgerExport(Billing billing, Supplier<LedgerOwner> owner, @Nullable YearMonth month) {
    this.billing = billing;
    this.owner = owner;
    this.month = month;
  }

  private interface Document {
    void write(Appendable out) throws IOException;
  }

  /** Sends what the parameters say. */
  void send(UriQuery query, ServerResponse response) {
    String format = Parameters.text(query, "format");
    String issuer = Parameters.text(query, "issuer");
    if (issuer != null && (issuer.isBlank() || !"focus".equals(format))) {
      throw new HttpErrors.BadRequest(
          "issuer", "'issuer' is who issues the bill, for the format focus; not blank");
    }
    switch (format == null ? "json" : format) {
      case "json" -> sendEntries(response);
      case "csv" -> sendUsage(response, "text/csv", UsageCsv::write);
      case "cloudevents" -> sendUsage(response, "application/x-ndjson", CloudEvents::writeLines);
      case "focus" -> sendFocus(response, issuer == null ? USUAL_ISSUER : issuer);
      case "invoice" -> sendInvoice(response);
      case "openmetrics" -> sendMetrics(response);
      default ->
          throw new HttpErrors.BadRequest(
              "format", "'format' is json, csv, cloudevents, focus, invoice or openmetrics");
    }
  }

  private void sendEntries(ServerResponse response) {
    List<LedgerEntry> entries = billing.entries(owner.get(), month);
    stream(response, "application/x-ndjson", out -> EntryJson.writeLines(entries, out));
  }

  private interface UsageFormat {
    void write(Iterable<UsageEvent> events, Appendable out) throws IOException;
  }

  private void sendUsage(ServerResponse response, String type, UsageFormat format) {
    List<LedgerEntry> entries = billing.entries(owner.get(), month);
    Iterable<UsageEvent> events =
        () -> entries.stream().map(LedgerEntry::usage).flatMap(Optional::stream).iterator();
    stream(response, type, out -> format.write(events, out));
  }

  private void sendFocus(ServerResponse response, String issuer) {
    var invoice = billing.bill(owner.get(), month).invoice();
    stream(response, "text/csv", out -> FocusCsv.write(List.of(invoice), issuer, out));
  }

  private void sendInvoice(ServerResponse response) {
    var invoice = billing.bill(owner.get(), month).invoice();
    stream(response, "text/csv", out -> InvoiceCsv.write(invoice, out));
  }

  private void sendMetrics(ServerResponse response) {
    var figures = billing.month(owner.get(), month);
    stream(
        response,
        MetricsText.CONTENT_TYPE,
        out -> {
          BillOpenMetrics.writeFamilies(List.of(figures), out);
          out.append(BillOpenMetrics.END);
        });
  }

  private static void stream(ServerResponse response, String type, Document document) {
    response.header(HeaderNames.CONTENT_TYPE, type).header(HeaderNames.CACHE_CONTROL, "no-store");
    try (Writer out =
        new BufferedWriter(
            new OutputStreamWriter(response.outputStream(), StandardCharsets.UTF_8))) {
      document.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
