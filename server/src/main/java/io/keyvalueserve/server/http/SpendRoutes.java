package io.keyvalueserve.server.http;

import static io.helidon.http.Method.DELETE;
import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.PUT;
import static io.keyvalueserve.server.http.Access.OPERATOR;
import static io.keyvalueserve.server.http.Access.TENANT_ITSELF;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.billing.spending.Hook;
import io.keyvalueserve.billing.spending.SpendAction;
import io.keyvalueserve.billing.spending.SpendLimit;
import io.keyvalueserve.billing.spending.TenantCap;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.Spending;
import io.keyvalueserve.tenancy.TenantName;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The routes of spend caps: operators change them, tenants see their own. */
final class SpendRoutes {
  private static final String CAP = "/api/v1/tenants/{tenant}/spend-cap";
  private static final Pattern AMOUNT = Pattern.compile("\\d{1,12}(\\.\\d{1,18})?");
  private static final Set<String> FIELDS =
      Set.of("cap", "action", "burstPercent", "warnPercents", "webhook");
  private static final Set<String> HOOK_FIELDS = Set.of("url", "secret");
  private static final int USUAL_BURST_PERCENT = 10;
  private static final List<Integer> USUAL_WARNINGS = List.of(50, 80, 100);

  private final Administration administration;

  SpendRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, "/api/v1/spend-caps", OPERATOR, "listSpendCaps", this::list),
        new Route(GET, CAP, TENANT_ITSELF, "showSpendCap", this::show),
        new Route(PUT, CAP, OPERATOR, "replaceSpendCap", this::replace),
        new Route(DELETE, CAP, OPERATOR, "clearSpendCap", this::clear));
  }

  private void list(ServerRequest request, ServerResponse response) {
    ObjectNode body = HttpDoor.object();
    ArrayNode caps = body.putArray("spendCaps");
    administration.spending().all().forEach(view -> caps.add(json(view, true)));
    HttpDoor.json(response, Status.OK_200, body);
  }

  private void show(ServerRequest request, ServerResponse response) {
    TenantName tenant = Caller.ownTenant(request);
    Spending.View view = administration.spending().get(tenant).orElseThrow(() -> noCap(tenant));
    HttpDoor.json(response, Status.OK_200, json(view, Caller.of(request).tenant() == null));
  }

  private void replace(ServerRequest request, ServerResponse response) {
    TenantName tenant = Caller.ownTenant(request);
    JsonNode body = AdminRoutes.body(request);
    requireKnown(body, FIELDS, "");
    SpendAction action =
        SpendAction.ofLabel(body.has("action") ? text(body, "action") : SpendAction.REFUSE.label());
    SpendLimit limit =
        new SpendLimit(
            amount(body),
            administration.spending().currency(),
            action,
            burst(body, action),
            percents(body));
    Spending.View view =
        administration.spending().set(tenant, limit, hook(body), Caller.actor(request));
    HttpDoor.json(response, Status.OK_200, json(view, true));
  }

  private void clear(ServerRequest request, ServerResponse response) {
    TenantName tenant = Caller.ownTenant(request);
    if (!administration.spending().clear(tenant, Caller.actor(request))) {
      throw noCap(tenant);
    }
    HttpDoor.json(
        response,
        Status.OK_200,
        HttpDoor.object().put("tenant", tenant.value()).put("state", "cleared"));
  }

  private static HttpErrors.Refused noCap(TenantName tenant) {
    return new HttpErrors.Refused(
        Status.NOT_FOUND_404,
        "no_spend_cap",
        "tenant '" + tenant + "' has no spend cap; an operator can set one with 'kvs cap set'",
        0);
  }

  // ---- what is wanted

  private static void requireKnown(JsonNode body, Set<String> known, String within) {
    for (Map.Entry<String, JsonNode> field : body.properties()) {
      if (!known.contains(field.getKey())) {
        throw new HttpErrors.BadRequest(
            within + field.getKey(),
            "a spend cap has no field '"
                + within
                + field.getKey()
                + "'; there are: "
                + String.join(", ", known.stream().sorted().toList()));
      }
    }
  }

  private static String text(JsonNode body, String field) {
    JsonNode value = body.path(field);
    if (!value.isTextual()) {
      throw new HttpErrors.BadRequest(field, "'" + field + "' is a text");
    }
    return value.asText();
  }

  /** A text, so that no reader rounds it. */
  private static BigDecimal amount(JsonNode body) {
    JsonNode cap = body.path("cap");
    if (!cap.isTextual() || !AMOUNT.matcher(cap.asText()).matches()) {
      throw new HttpErrors.BadRequest(
          "cap", "the body needs 'cap', an amount of money as a text: {\"cap\":\"100.50\"}");
    }
    return new BigDecimal(cap.asText());
  }

  private static int burst(JsonNode body, SpendAction action) {
    if (!body.has("burstPercent")) {
      return action == SpendAction.THROTTLE ? USUAL_BURST_PERCENT : 100;
    }
    return percent(body.path("burstPercent"), "burstPercent");
  }

  private static List<Integer> percents(JsonNode body) {
    JsonNode percents = body.path("warnPercents");
    if (percents.isMissingNode()) {
      return USUAL_WARNINGS;
    }
    if (!percents.isArray()) {
      throw new HttpErrors.BadRequest("warnPercents", "'warnPercents' is a list: [50, 80, 100]");
    }
    List<Integer> all = new ArrayList<>();
    percents.forEach(percent -> all.add(percent(percent, "warnPercents")));
    return all;
  }

  private static int percent(JsonNode value, String field) {
    if (!value.isInt()) {
      throw new HttpErrors.BadRequest(field, "'" + field + "' has whole numbers from 1 to 100");
    }
    return value.intValue();
  }

  private static @Nullable Hook hook(JsonNode body) {
    JsonNode hook = body.path("webhook");
    if (hook.isMissingNode() || hook.isNull()) {
      return null;
    }
    if (!hook.isObject()) {
      throw new HttpErrors.BadRequest("webhook", "'webhook' is an object with 'url' and 'secret'");
    }
    requireKnown(hook, HOOK_FIELDS, "webhook.");
    return new Hook(hook.path("url").asText(), hook.path("secret").asText());
  }

  // ---- what is answered

  /**
   * @param isForOperator whether the webhook is shown
   */
  static ObjectNode json(Spending.View view, boolean isForOperator) {
    SpendLimit limit = view.limit();
    ObjectNode body =
        HttpDoor.object()
            .put("tenant", view.tenant().value())
            .put("cap", limit.cap().toPlainString())
            .put("currency", limit.currency().getCurrencyCode())
            .put("action", limit.action().label())
            .put("burstPercent", limit.burstPercent());
    ArrayNode percents = body.putArray("warnPercents");
    limit.warnPercents().forEach(percents::add);
    Hook hook = view.hook();
    if (hook != null && isForOperator) {
      ObjectNode shown = body.putObject("webhook").put("url", hook.url());
      if (view.hookMistake() != null) {
        shown.put("notCalled", "it " + view.hookMistake());
      }
    }
    body.put("month", view.period().month().toString())
        .put("monthEnds", view.period().end().toString())
        .put("spent", plain(view.spent()))
        .put("left", plain(view.left()))
        .put("admits", view.roomAt() == null);
    Instant roomAt = view.roomAt();
    if (roomAt != null) {
      body.put("roomAt", roomAt.toString());
    }
    ArrayNode warnings = body.putArray("warnings");
    for (TenantCap.Warning each : view.warnings()) {
      warnings
          .addObject()
          .put("id", each.id())
          .put("percent", each.warning().percent())
          .put("spent", plain(each.warning().spent()))
          .put("at", Instant.ofEpochMilli(each.atMillis()).toString())
          .put("told", each.isTold());
    }
    return body;
  }

  private static String plain(BigDecimal amount) {
    return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
  }
}
