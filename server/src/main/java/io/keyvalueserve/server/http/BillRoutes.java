package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.POST;
import static io.keyvalueserve.server.http.Access.OPERATOR;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.common.uri.UriQuery;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.billing.ledger.Difference;
import io.keyvalueserve.billing.ledger.EntryHash;
import io.keyvalueserve.billing.ledger.Invoice;
import io.keyvalueserve.billing.ledger.InvoiceLine;
import io.keyvalueserve.billing.ledger.KeptBill;
import io.keyvalueserve.billing.ledger.LedgerEntry;
import io.keyvalueserve.billing.ledger.LedgerHead;
import io.keyvalueserve.billing.ledger.Posting;
import io.keyvalueserve.billing.ledger.TenantLedger.Result;
import io.keyvalueserve.billing.ledger.UsageSums.Grouping;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.grid.ledger.LedgerOwner;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.Billing;
import io.keyvalueserve.server.Billing.Bill;
import io.keyvalueserve.tenancy.TenantName;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The routes of usage and bills: operators see all and correct, tenants see their own. */
final class BillRoutes {
  private static final String TENANT = "/api/v1/tenants/{tenant}";
  private static final String MONTH = "month";
  static final Set<String> OF_VERIFY = Set.of(MONTH, "entries", "hash", "total");
  static final Set<String> OF_EXPORT = Set.of("format", MONTH, "issuer");
  private static final int MOST_GROUPS = 10_000;

  private final Administration administration;

  BillRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, TENANT + "/usage", TENANT_ITSELF, "showUsage", this::usage),
        new Route(GET, TENANT + "/bill", TENANT_ITSELF, "showBill", this::bill),
        new Route(GET, TENANT + "/bill/verify", TENANT_ITSELF, "verifyBill", this::verify),
        new Route(GET, TENANT + "/ledger", TENANT_ITSELF, "exportLedger", this::export),
        new Route(POST, TENANT + "/ledger/corrections", OPERATOR, "correctLedger", this::correct));
  }

  private Billing billing() {
    return administration.billing();
  }

  // ---- usage

  private void usage(ServerRequest request, ServerResponse response) {
    UriQuery query = request.query();
    Parameters.requireKnown(query, Set.of("from", "to", "by"));
    Instant end = Parameters.time(query, "to");
    Instant to = Objects.requireNonNullElseGet(end, Instant::now);
    Instant from =
        Objects.requireNonNullElseGet(
            Parameters.time(query, "from"), () -> billing().startOfMonth(to));
    Grouping by = grouping(query);
    requireFewGroups(from, to, by);
    TenantName tenant = Caller.ownTenant(request);
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", tenant.value())
            .put("from", from.toString())
            .put("to", to.toString())
            .put("by", label(by));
    ArrayNode groups = body.putArray("usage");
    billing()
        .usage(tenant, from, end, by)
        .forEach((group, sum) -> put(sum, groups.addObject().put("group", group)));
    HttpDoor.json(response, Status.OK_200, body);
  }

  private static void put(Map<Measure, BigInteger> sum, ObjectNode group) {
    ObjectNode quantities = group.putObject("quantities");
    sum.forEach(
        (measure, quantity) -> quantities.put(measure.quantityLabel(), quantity.toString()));
  }

  private static Grouping grouping(UriQuery query) {
    String text = Parameters.text(query, "by");
    return text == null
        ? Grouping.MAP
        : Arrays.stream(Grouping.values())
            .filter(by -> label(by).equals(text))
            .findFirst()
            .orElseThrow(
                () -> new HttpErrors.BadRequest("by", "'by' is map, minute, hour, day or month"));
  }

  private static String label(Grouping by) {
    return by.name().toLowerCase(Locale.ROOT);
  }

  private static void requireFewGroups(Instant from, Instant to, Grouping by) {
    if (!from.isBefore(to)) {
      throw new HttpErrors.BadRequest("from", "'from' is before 'to', and before now without it");
    }
    if (by.groupsOf(Duration.between(from, to).toMinutes()) > MOST_GROUPS) {
      throw new HttpErrors.BadRequest(
          "by",
          "these are more than "
              + MOST_GROUPS
              + " groups: ask for a shorter time, or for longer groups");
    }
  }

  // ---- bills

  private void bill(ServerRequest request, ServerResponse response) {
    Parameters.requireKnown(request.query(), Set.of(MONTH));
    Bill bill = billing().bill(Caller.ownTenant(request), month(request.query()));
    ObjectNode body = json(bill);
    administration
        .spending()
        .get(bill.invoice().tenant())
        .filter(cap -> cap.period().month().equals(bill.invoice().period().month()))
        .ifPresent(cap -> body.set("spendCap", SpendRoutes.json(cap, false)));
    HttpDoor.json(response, Status.OK_200, body);
  }

  static ObjectNode json(Bill bill) {
    Invoice invoice = bill.invoice();
    ObjectNode body =
        HttpDoor.object()
            .put("id", invoice.id())
            .put("tenant", invoice.tenant().value())
            .put(MONTH, invoice.period().month().toString())
            .put("zone", invoice.period().zone().getId())
            .put("currency", invoice.currency().getCurrencyCode())
            .put("total", invoice.total().toPlainString())
            .put("credit", invoice.credit().toPlainString());
    ObjectNode forecast =
        body.putObject("forecast")
            .put("total", bill.forecast().total().toPlainString())
            .put("basis", bill.forecast().basis());
    Instant since = bill.forecast().since();
    if (since != null) {
      forecast.put("since", since.toString());
    }
    ArrayNode lines = body.putArray("lines");
    invoice.lines().forEach(line -> lines.add(json(line)));
    body.set("head", json(invoice.head()));
    return body;
  }

  private static ObjectNode json(InvoiceLine line) {
    return HttpDoor.object()
        .put("rateCard", line.card())
        .put("from", line.from().toString())
        .put("to", line.to().toString())
        .put("measure", line.measure().label())
        .put("basis", line.basis().label())
        .put("sharing", line.sharing().label())
        .put("persistence", line.persistence().text())
        .put("band", line.band().label())
        .put("quantity", line.quantity().toPlainString())
        .put("free", line.free().toPlainString())
        .put("unit", line.unit())
        .put("per", line.per())
        .put("unitPrice", line.unitPrice().toPlainString())
        .put("amount", line.amount().toPlainString());
  }

  static ObjectNode json(LedgerHead head) {
    return HttpDoor.object().put("entries", head.entries()).put("hash", head.hash().hex());
  }

  private void verify(ServerRequest request, ServerResponse response) {
    UriQuery query = request.query();
    Parameters.requireKnown(query, OF_VERIFY);
    send(response, billing().verify(Caller.ownTenant(request), month(query), kept(query)));
  }

  /** Says whether a bill holds. */
  static void send(ServerResponse response, Optional<Difference> difference) {
    ObjectNode body = HttpDoor.object().put("valid", difference.isEmpty());
    difference.ifPresent(first -> body.put("difference", first.text()));
    HttpDoor.json(response, Status.OK_200, body);
  }

  static @Nullable KeptBill kept(UriQuery query) {
    String entries = Parameters.text(query, "entries");
    String hash = Parameters.text(query, "hash");
    String total = Parameters.text(query, "total");
    if (entries == null && hash == null && total == null) {
      return null;
    }
    if (entries == null || hash == null) {
      throw new HttpErrors.BadRequest(
          entries == null ? "entries" : "hash",
          "'entries' and 'hash' go together: they are the head of the bill that you kept");
    }
    if (!entries.matches("[0-9]{1,9}")) {
      throw new HttpErrors.BadRequest("entries", "'entries' is a whole number, 0 or more");
    }
    try {
      return new KeptBill(
          new LedgerHead(Long.parseLong(entries), new EntryHash(hash)),
          total == null ? null : money(total));
    } catch (IllegalArgumentException e) {
      throw new HttpErrors.BadRequest("hash", String.valueOf(e.getMessage()));
    }
  }

  private static BigDecimal money(String total) {
    if (!total.matches("-?[0-9]{1,30}(\\.[0-9]{1,12})?")) {
      throw new HttpErrors.BadRequest("total", "'total' is an amount such as 12.50");
    }
    return new BigDecimal(total);
  }

  static @Nullable YearMonth month(UriQuery query) {
    String text = Parameters.text(query, MONTH);
    try {
      return text == null ? null : YearMonth.parse(text);
    } catch (DateTimeException e) {
      throw new HttpErrors.BadRequest(MONTH, "'month' is a month such as 2030-01");
    }
  }

  // ---- the ledger

  private void export(ServerRequest request, ServerResponse response) {
    UriQuery query = request.query();
    Parameters.requireKnown(query, OF_EXPORT);
    Supplier<LedgerOwner> owner = () -> billing().owner(Caller.ownTenant(request));
    new LedgerExport(billing(), owner, month(query)).send(query, response);
  }

  private void correct(ServerRequest request, ServerResponse response) {
    Posting.Correction correction = correction(AdminRoutes.body(request));
    Result result = billing().correct(Caller.ownTenant(request), correction, Caller.actor(request));
    switch (result) {
      case Result.Appended appended -> send(response, Status.CREATED_201, appended.entry());
      case Result.Known known -> send(response, Status.OK_200, known.entry());
      case Result.Conflicting there ->
          conflict(
              request,
              response,
              "entry " + there.entry().number() + " is a correction of that id, and another one");
      case Result.Refused refused -> conflict(request, response, refused.why());
    }
  }

  private static void conflict(ServerRequest request, ServerResponse response, String why) {
    HttpErrors.send(request, response, Status.CONFLICT_409, "wrong_correction", why);
  }

  private static void send(ServerResponse response, Status status, LedgerEntry entry) {
    ObjectNode body = HttpDoor.object().put("entry", entry.number());
    if (entry.posting() instanceof Posting.Correction correction) {
      body.put("id", correction.id().toString());
    }
    body.set("head", json(entry.head()));
    HttpDoor.json(response, status, body);
  }

  private static Posting.Correction correction(JsonNode body) {
    Parameters.requireKnown(body, Set.of("id", "entry", "changes", "reason"));
    JsonNode entry = body.path("entry");
    if (!entry.isIntegralNumber() || !entry.canConvertToLong()) {
      throw new HttpErrors.BadRequest("entry", "'entry' is the number of an entry of usage");
    }
    JsonNode reason = body.path("reason");
    if (!reason.isTextual()) {
      throw new HttpErrors.BadRequest("reason", "'reason' is a text: say why");
    }
    try {
      return new Posting.Correction(
          id(body.path("id")), entry.longValue(), changes(body.path("changes")), reason.asText());
    } catch (IllegalArgumentException e) {
      throw new HttpErrors.BadRequest("body", String.valueOf(e.getMessage()));
    }
  }

  /** Returns the id of a correction. Without one it gets a new id, so it cannot be told again. */
  private static UUID id(JsonNode id) {
    try {
      return id.isMissingNode() ? UUID.randomUUID() : UUID.fromString(id.asText());
    } catch (IllegalArgumentException e) {
      throw new HttpErrors.BadRequest("id", "'id' is a UUID");
    }
  }

  private static Map<Measure, Long> changes(JsonNode changes) {
    if (!changes.isObject()) {
      throw new HttpErrors.BadRequest("changes", "'changes' is an object: {\"reads\":-3}");
    }
    Map<Measure, Long> read = new EnumMap<>(Measure.class);
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      if (!change.getValue().canConvertToExactIntegral() || !change.getValue().canConvertToLong()) {
        throw new HttpErrors.BadRequest("changes", "'" + change.getKey() + "' is a whole number");
      }
      read.put(measure(change.getKey()), change.getValue().longValue());
    }
    return read;
  }

  private static Measure measure(String label) {
    return Arrays.stream(Measure.values())
        .filter(measure -> measure.quantityLabel().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new HttpErrors.BadRequest(
                    "changes",
                    "nothing is measured as '"
                        + label
                        + "'; there are: "
                        + Arrays.stream(Measure.values())
                            .map(Measure::quantityLabel)
                            .collect(Collectors.joining(", "))));
  }
}
