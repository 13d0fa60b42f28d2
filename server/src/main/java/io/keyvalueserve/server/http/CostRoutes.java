package io.keyvalueserve.server.http;

import static io.helidon.http.Method.POST;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.billing.pricing.Quote;
import io.keyvalueserve.billing.pricing.Rate;
import io.keyvalueserve.resp.command.CommandCost;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.tenancy.TenantName;
import java.util.List;
import java.util.Set;

/**
 * The route that tells the charge for a request. Operators may ask for every tenant, tenants for
 * themselves.
 */
final class CostRoutes {
  private static final String COMMAND = "command";
  private static final String USAGE =
      "'command' is a Redis command, a list of texts: {\"command\":[\"SET\",\"user:1\",\"ada\"]}";

  private final Administration administration;

  CostRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(POST, "/api/v1/tenants/{tenant}/cost", TENANT_ITSELF, "quoteCost", this::cost));
  }

  private void cost(ServerRequest request, ServerResponse response) {
    TenantName tenant = Caller.ownTenant(request);
    byte[][] command = command(AdminRoutes.body(request));
    CommandCost cost;
    try {
      cost = administration.billing().cost(tenant, command);
    } catch (CommandException e) {
      String line = new String(e.reply().line(), UTF_8);
      throw new HttpErrors.BadRequest(
          COMMAND, "'command': " + (line.startsWith("ERR ") ? line.substring(4) : line));
    }
    HttpDoor.json(response, Status.OK_200, json(tenant, cost));
  }

  private static byte[][] command(JsonNode body) {
    Parameters.requireKnown(body, Set.of(COMMAND));
    JsonNode words = body.path(COMMAND);
    if (!words.isArray() || words.isEmpty()) {
      throw new HttpErrors.BadRequest(COMMAND, USAGE);
    }
    byte[][] command = new byte[words.size()][];
    for (int i = 0; i < command.length; i++) {
      if (!words.path(i).isTextual()) {
        throw new HttpErrors.BadRequest(COMMAND, USAGE);
      }
      command[i] = words.path(i).asText().getBytes(UTF_8);
    }
    return command;
  }

  private static ObjectNode json(TenantName tenant, CommandCost cost) {
    Quote quote = cost.quote();
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", tenant.value())
            .put("at", quote.at().toString())
            .put("currency", quote.currency().getCurrencyCode())
            .put("amount", quote.amount().toPlainString())
            .put("minute", quote.minute().toPlainString())
            .put("band", quote.band().label())
            .put("card", quote.card())
            .put("operation", cost.operationLabel())
            .put("operations", cost.operations())
            .put("bytesIn", cost.bytesIn());
    ArrayNode parts = body.putArray("parts");
    for (Quote.Part part : quote.parts()) {
      parts
          .addObject()
          .put("measure", part.measure().label())
          .put("units", part.units())
          .put("amount", part.amount().toPlainString());
    }
    ArrayNode storage = body.putArray("storage");
    for (Quote.Storage price : quote.storage()) {
      Rate rate = price.rate();
      storage
          .addObject()
          .put("persistence", price.persistence().text())
          .put("measure", rate.measure().label())
          .put("basis", rate.basis().label())
          .put("unit", rate.basis().unit(rate.measure()))
          .put("per", rate.per())
          .put("unitPrice", price.unitPrice().toPlainString());
    }
    return body;
  }
}
