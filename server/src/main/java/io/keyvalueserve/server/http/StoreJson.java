package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.grid.catalogue.ExternalStore;
import io.keyvalueserve.grid.settings.MapStoreSettings;
import io.keyvalueserve.grid.settings.StoreFormat;
import io.keyvalueserve.grid.settings.StoreMode;
import io.keyvalueserve.server.StoreAdministration;
import io.keyvalueserve.server.config.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** External stores, and what is behind maps, in requests and answers. Stateless. */
final class StoreJson {
  /** The field of a map's settings that says what is behind it. */
  static final String STORE = "store";

  /** The value of {@link #STORE} that takes the store off; null does so too. */
  static final String NONE = "none";

  private static final String JDBC_URL = "jdbcUrl";
  private static final String USER = "user";
  private static final String PASSWORD = "password";
  private static final String POOL_SIZE = "poolSize";
  private static final String TIMEOUT = "timeout";
  private static final Set<String> OF_STORE = Set.of(JDBC_URL, USER, PASSWORD, POOL_SIZE, TIMEOUT);

  private static final String NAME = "name";
  private static final String TABLE = "table";
  private static final String MODE = "mode";
  private static final String KEY_COLUMN = "keyColumn";
  private static final String VALUE_COLUMNS = "valueColumns";
  private static final String FORMAT = "format";
  private static final String BATCH = "batch";
  private static final String DELAY = "delay";
  private static final String NEGATIVE_TTL = "negativeTtl";
  private static final String TIME_TO_LIVE = "timeToLive";
  private static final String LOAD = "load";
  private static final String EAGER = "eager";
  private static final String LAZY = "lazy";
  private static final String MOST_WAITING = "mostWaiting";
  private static final String MOST_RATE = "mostRate";
  private static final String REFRESH_AHEAD = "refreshAhead";
  private static final String FOLLOW = "follow";
  private static final Set<String> OF_MAP =
      Set.of(
          NAME,
          TABLE,
          MODE,
          KEY_COLUMN,
          VALUE_COLUMNS,
          FORMAT,
          BATCH,
          DELAY,
          NEGATIVE_TTL,
          TIME_TO_LIVE,
          LOAD,
          MOST_WAITING,
          MOST_RATE,
          REFRESH_AHEAD,
          FOLLOW);

  private StoreJson() {}

  // ---- stores

  /** Returns a store without its password. */
  static ObjectNode of(StoreAdministration.View view) {
    ExternalStore store = view.store();
    ObjectNode body = HttpDoor.object().put(NAME, store.name()).put(JDBC_URL, store.jdbcUrl());
    if (store.user() != null) {
      body.put(USER, store.user());
    }
    body.put("hasPassword", store.sealedPassword() != null)
        .put(POOL_SIZE, store.poolSize())
        .put(TIMEOUT, Durations.text(store.timeout()));
    ArrayNode maps = body.putArray("maps");
    view.maps().forEach(maps::add);
    return body;
  }

  /** Reads how a store is to be. */
  static StoreAdministration.Wanted wanted(JsonNode body) {
    Parameters.requireKnown(body, OF_STORE);
    JsonNode password = body.get(PASSWORD);
    return new StoreAdministration.Wanted(
        required(body, JDBC_URL, "where the database is, such as jdbc:postgresql://host/database"),
        text(body, USER),
        password == null
            ? StoreAdministration.Password.KEEP
            : password.isNull()
                ? StoreAdministration.Password.NONE
                : new StoreAdministration.Password.Of(password(password)),
        number(body, POOL_SIZE, ExternalStore.USUAL_POOL_SIZE),
        duration(body, TIMEOUT, ExternalStore.USUAL_TIMEOUT));
  }

  private static String password(JsonNode value) {
    if (!value.isTextual() || value.asText().isEmpty()) {
      throw new HttpErrors.BadRequest(
          PASSWORD,
          "password: it is no text, or an empty one; leave it out to keep the one there is, or use"
              + " null for none");
    }
    return value.asText();
  }

  // ---- maps

  /** Returns what is behind a map. */
  static ObjectNode of(MapStoreSettings settings) {
    ObjectNode body =
        HttpDoor.object()
            .put(NAME, settings.store())
            .put(TABLE, settings.table())
            .put(MODE, settings.mode().text())
            .put(KEY_COLUMN, settings.keyColumn());
    ArrayNode columns = body.putArray(VALUE_COLUMNS);
    settings.valueColumns().forEach(columns::add);
    body.put(FORMAT, settings.format().text())
        .put(BATCH, settings.batch())
        .put(DELAY, Durations.text(settings.delay()))
        .put(NEGATIVE_TTL, Durations.text(settings.negativeTtl()))
        .put(
            TIME_TO_LIVE,
            settings.timeToLive() == null ? NONE : Durations.text(settings.timeToLive()));
    return body.put(LOAD, settings.eager() ? EAGER : LAZY)
        .put(MOST_WAITING, settings.mostWaiting())
        .put(MOST_RATE, settings.mostRate())
        .put(REFRESH_AHEAD, settings.refreshAhead())
        .put(FOLLOW, settings.follow());
  }

  /** Reads what is to be behind a map; null for nothing. */
  static @Nullable MapStoreSettings behind(JsonNode value) {
    if (value.isNull() || (value.isTextual() && value.asText().equals(NONE))) {
      return null;
    }
    if (!value.isObject()) {
      throw new HttpErrors.BadRequest(
          STORE,
          "store: " + value + " is not possible; use none, or an object with 'name' and 'table'");
    }
    Parameters.requireKnown(value, OF_MAP);
    StoreFormat format = format(value);
    return new MapStoreSettings(
        required(value, NAME, "the external store, as 'kvs store list' shows it"),
        required(value, TABLE, "a table of the store"),
        mode(value),
        orElse(text(value, KEY_COLUMN), MapStoreSettings.USUAL_KEY_COLUMN),
        columns(value, format),
        format,
        number(value, BATCH, MapStoreSettings.USUAL_BATCH),
        duration(value, DELAY, MapStoreSettings.USUAL_DELAY),
        duration(value, NEGATIVE_TTL, MapStoreSettings.USUAL_NEGATIVE_TTL),
        timeToLive(value),
        eager(value),
        number(value, MOST_WAITING, MapStoreSettings.USUAL_MOST_WAITING),
        number(value, MOST_RATE, 0),
        number(value, REFRESH_AHEAD, 0),
        follow(value));
  }

  private static boolean follow(JsonNode body) {
    JsonNode value = body.path(FOLLOW);
    if (value.isMissingNode() || value.isBoolean()) {
      return value.asBoolean();
    }
    throw noneOf(FOLLOW, value.asText(), "true or false");
  }

  private static StoreMode mode(JsonNode body) {
    String text = orElse(text(body, MODE), StoreMode.READ_THROUGH.text());
    return StoreMode.ofText(text)
        .orElseThrow(() -> noneOf(MODE, text, "read-through, write-through or write-behind"));
  }

  private static StoreFormat format(JsonNode body) {
    String text = orElse(text(body, FORMAT), StoreFormat.VALUE.text());
    return StoreFormat.ofText(text).orElseThrow(() -> noneOf(FORMAT, text, "value or json"));
  }

  private static boolean eager(JsonNode body) {
    String text = orElse(text(body, LOAD), LAZY);
    return switch (text) {
      case EAGER -> true;
      case LAZY -> false;
      default -> throw noneOf(LOAD, text, "lazy or eager");
    };
  }

  private static List<String> columns(JsonNode body, StoreFormat format) {
    JsonNode value = body.get(VALUE_COLUMNS);
    if (value == null || value.isNull()) {
      return MapStoreSettings.usualValueColumns(format);
    }
    List<String> columns = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(each -> columns.add(each.isTextual() ? each.asText() : ""));
    }
    if (!value.isArray() || columns.contains("")) {
      throw new HttpErrors.BadRequest(
          VALUE_COLUMNS, "valueColumns: it is no list of names; use [\"value\"], for example");
    }
    return columns;
  }

  private static @Nullable Duration timeToLive(JsonNode body) {
    JsonNode value = body.get(TIME_TO_LIVE);
    boolean isNone = value == null || value.isNull() || value.asText().equals(NONE);
    return isNone ? null : duration(body, TIME_TO_LIVE, Duration.ZERO);
  }

  // ---- fields

  private static HttpErrors.BadRequest noneOf(String field, String text, String possible) {
    return new HttpErrors.BadRequest(
        field, field + ": '" + text + "' is none of them; use " + possible);
  }

  private static String orElse(@Nullable String text, String usual) {
    return text == null ? usual : text;
  }

  private static String required(JsonNode body, String field, String what) {
    String text = text(body, field);
    if (text == null) {
      throw new HttpErrors.BadRequest(field, field + ": it is missing; give " + what);
    }
    return text;
  }

  private static @Nullable String text(JsonNode body, String field) {
    JsonNode value = body.get(field);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isTextual()) {
      throw new HttpErrors.BadRequest(field, field + ": it is no text; put it in quotes");
    }
    return value.asText();
  }

  private static int number(JsonNode body, String field, int usual) {
    JsonNode value = body.get(field);
    if (value == null || value.isNull()) {
      return usual;
    }
    if (!value.isIntegralNumber() || !value.canConvertToInt()) {
      throw new HttpErrors.BadRequest(
          field, field + ": " + value + " is not possible; use a whole number, such as " + usual);
    }
    return value.asInt();
  }

  private static Duration duration(JsonNode body, String field, Duration usual) {
    String text = text(body, field);
    return text == null
        ? usual
        : Durations.parse(text)
            .orElseThrow(
                () ->
                    new HttpErrors.BadRequest(
                        field,
                        field + ": '" + text + "' is no time; use one such as 250ms, 5s or 10m"));
  }
}
