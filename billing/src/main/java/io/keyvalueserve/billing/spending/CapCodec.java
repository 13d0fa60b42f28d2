package io.keyvalueserve.billing.spending;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.tenancy.TenantName;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a tenant's spend cap: JSON with a version; money is a text. Fields that a
 * later version adds are ignored.
 */
public final class CapCodec {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private CapCodec() {}

  /** The record as text. */
  public static String encode(TenantCap cap) {
    ObjectNode record =
        JSON.createObjectNode()
            .put("v", VERSION)
            .put("tenant", cap.tenant().value())
            .put("number", cap.tenantNumber())
            .put("since", cap.since())
            .put("revision", cap.revision());
    SpendLimit limit = cap.limit();
    if (limit != null) {
      ObjectNode node =
          record
              .putObject("limit")
              .put("cap", limit.cap().toPlainString())
              .put("currency", limit.currency().getCurrencyCode())
              .put("action", limit.action().label())
              .put("burstPercent", limit.burstPercent());
      ArrayNode percents = node.putArray("warnPercents");
      limit.warnPercents().forEach(percents::add);
    }
    Hook hook = cap.hook();
    if (hook != null) {
      record.putObject("hook").put("url", hook.url()).put("secret", hook.secret());
    }
    ArrayNode warnings = record.putArray("warnings");
    for (TenantCap.Warning each : cap.warnings()) {
      SpendWarning warning = each.warning();
      warnings
          .addObject()
          .put("id", each.id())
          .put("month", warning.period().month().toString())
          .put("zone", warning.period().zone().getId())
          .put("percent", warning.percent())
          .put("spent", warning.spent().toPlainString())
          .put("cap", warning.cap().toPlainString())
          .put("at", each.atMillis())
          .put("told", each.isTold());
    }
    return record.toString();
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException if it is damaged
   */
  public static TenantCap decode(String text) {
    try {
      return fromJson(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "a record of a spend cap is not JSON: " + e.getOriginalMessage(), e);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "a record of a spend cap holds no time where it should", e);
    }
  }

  private static TenantCap fromJson(JsonNode record) {
    int version = required(record, "v").asInt();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "a record of a spend cap is of version " + version + ", this program reads " + VERSION);
    }
    List<TenantCap.Warning> warnings = new ArrayList<>();
    for (JsonNode each : required(record, "warnings")) {
      warnings.add(
          new TenantCap.Warning(
              required(each, "id").asText(),
              new SpendWarning(
                  new BillingPeriod(
                      YearMonth.parse(required(each, "month").asText()),
                      ZoneId.of(required(each, "zone").asText())),
                  required(each, "percent").asInt(),
                  new BigDecimal(required(each, "spent").asText()),
                  new BigDecimal(required(each, "cap").asText())),
              required(each, "at").asLong(),
              required(each, "told").asBoolean()));
    }
    return new TenantCap(
        new TenantName(required(record, "tenant").asText()),
        required(record, "number").asInt(),
        limit(record.get("limit")),
        hook(record.get("hook")),
        required(record, "since").asLong(),
        warnings,
        required(record, "revision").asLong());
  }

  private static @Nullable SpendLimit limit(@Nullable JsonNode node) {
    if (node == null) {
      return null;
    }
    List<Integer> percents = new ArrayList<>();
    required(node, "warnPercents").forEach(percent -> percents.add(percent.asInt()));
    return new SpendLimit(
        new BigDecimal(required(node, "cap").asText()),
        Currency.getInstance(required(node, "currency").asText()),
        SpendAction.ofLabel(required(node, "action").asText()),
        required(node, "burstPercent").asInt(),
        percents);
  }

  private static @Nullable Hook hook(@Nullable JsonNode node) {
    return node == null
        ? null
        : new Hook(required(node, "url").asText(), required(node, "secret").asText());
  }

  private static JsonNode required(JsonNode node, String field) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("a record of a spend cap lacks the field '" + field + "'");
    }
    return value;
  }
}
