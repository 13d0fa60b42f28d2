package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.keyvalueserve.server.http.Access.OPERATOR;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.common.uri.UriQuery;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.billing.ledger.Invoice;
import io.keyvalueserve.grid.ledger.LedgerOwner;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.Billing;
import io.keyvalueserve.server.Billing.ListedBill;
import io.keyvalueserve.tenancy.TenantName;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The routes of all bills, those of tenants that were deleted too: a ledger stays under the number
 * that its tenant had. For operators.
 */
final class AllBillRoutes {
  private static final String BILLS = "/api/v1/bills";
  private static final String ONE = BILLS + "/{tenant}/{number}";
  private static final String MONTH = "month";

  private final Administration administration;

  AllBillRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, BILLS, OPERATOR, "listBills", this::list),
        new Route(GET, ONE, OPERATOR, "showListedBill", this::bill),
        new Route(GET, ONE + "/verify", OPERATOR, "verifyListedBill", this::verify),
        new Route(GET, ONE + "/ledger", OPERATOR, "exportListedLedger", this::export));
  }

  private Billing billing() {
    return administration.billing();
  }

  private void list(ServerRequest request, ServerResponse response) {
    UriQuery query = request.query();
    Parameters.requireKnown(query, Set.of(MONTH, "deleted"));
    boolean deletedAlone = isTrue(query, "deleted");
    ObjectNode body = HttpDoor.object();
    ArrayNode bills = body.putArray("bills");
    for (ListedBill listed : billing().list(BillRoutes.month(query))) {
      if (!deletedAlone || listed.state() == null) {
        bills.add(json(listed));
      }
    }
    HttpDoor.json(response, Status.OK_200, body);
  }

  private static boolean isTrue(UriQuery query, String name) {
    String text = Parameters.text(query, name);
    if (text != null && !text.equals("true") && !text.equals("false")) {
      throw new HttpErrors.BadRequest(name, "'" + name + "' is true or false");
    }
    return "true".equals(text);
  }

  private static ObjectNode json(ListedBill listed) {
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", listed.owner().tenant().value())
            .put("number", listed.owner().number())
            .put(
                "state",
                listed.state() == null
                    ? "deleted"
                    : listed.state().name().toLowerCase(Locale.ROOT));
    Invoice invoice = listed.invoice();
    if (invoice == null) {
      return body.put("error", listed.error());
    }
    body.put(MONTH, invoice.period().month().toString())
        .put("currency", invoice.currency().getCurrencyCode())
        .put("total", invoice.total().toPlainString());
    body.set("head", BillRoutes.json(invoice.head()));
    return body;
  }

  private void bill(ServerRequest request, ServerResponse response) {
    Parameters.requireKnown(request.query(), Set.of(MONTH));
    HttpDoor.json(
        response,
        Status.OK_200,
        BillRoutes.json(billing().bill(owner(request), BillRoutes.month(request.query()))));
  }

  private void verify(ServerRequest request, ServerResponse response) {
    UriQuery query = request.query();
    Parameters.requireKnown(query, BillRoutes.OF_VERIFY);
    BillRoutes.send(
        response,
        billing().verify(owner(request), BillRoutes.month(query), BillRoutes.kept(query)));
  }

  private void export(ServerRequest request, ServerResponse response) {
    UriQuery query = request.query();
    Parameters.requireKnown(query, BillRoutes.OF_EXPORT);
    new LedgerExport(billing(), () -> owner(request), BillRoutes.month(query))
        .send(query, response);
  }

  private LedgerOwner owner(ServerRequest request) {
    TenantName tenant = new TenantName(request.path().pathParameters().get("tenant"));
    String number = request.path().pathParameters().get("number");
    if (!number.matches("[0-9]{1,9}")) {
      throw new HttpErrors.BadRequest(
          "number", "'number' is a tenant's number, as /api/v1/bills has it");
    }
    return billing()
        .owner(tenant, Integer.parseInt(number))
        .orElseThrow(
            () ->
                new HttpErrors.Refused(
                    Status.NOT_FOUND_404,
                    "no_such_ledger",
                    "no tenant '"
                        + tenant
                        + "' had the number "
                        + number
                        + "; 'kvs bill list' shows those with a ledger",
                    0));
  }
}
