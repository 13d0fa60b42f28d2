package io.keyvalueserve.acceptance;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Route;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A map's keys and values, which a page gets in the place of the real ones. The map {@code absent}
 * is answered as by a server without a key browser.
 */
final class SimulatedEntries {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PAGE = 100;
  private static final String BINARY_KEY = "AP9h";

  private final List<String> asked = new ArrayList<>();

  void answerIn(BrowserContext context) {
    context.route("**/api/v1/tenants/*/maps/*/entries?*", this::list);
    context.route("**/api/v1/tenants/*/maps/*/entries/**", this::value);
  }

  /** The paths of the values that were asked for. */
  List<String> asked() {
    return asked;
  }

  private void list(Route route) {
    if (route.request().url().contains("/maps/absent/")) {
      route.fulfill(
          new Route.FulfillOptions()
              .setStatus(404)
              .setContentType("application/json")
              .setBody("{\"error\":{\"code\":\"not_found\",\"message\":\"no such path\"}}"));
      return;
    }
    String query = URI.create(route.request().url()).getQuery();
    ObjectNode body = JSON.createObjectNode();
    ArrayNode keys = body.putArray("keys");
    if (query.contains("prefix=none")) {
      body.putNull("cursor");
    } else if (query.contains("cursor=second")) {
      add(keys, BINARY_KEY, "base64url");
      body.putNull("cursor");
    } else {
      for (int i = 0; i < PAGE; i++) {
        add(keys, "order/%03d".formatted(i), "text");
      }
      body.put("cursor", "second");
    }
    route.fulfill(
        new Route.FulfillOptions()
            .setStatus(200)
            .setContentType("application/json")
            .setBody(body.toString()));
  }

  private static void add(ArrayNode keys, String key, String encoding) {
    keys.addObject().put("key", key).put("encoding", encoding);
  }

  private void value(Route route) {
    String path = URI.create(route.request().url()).getRawPath();
    asked.add(route.request().url());
    boolean binary = path.endsWith(BINARY_KEY);
    byte[] bytes =
        binary
            ? new byte[] {0, 1, (byte) 0xfe, 'k', 'v', 's'}
            : "{\"customer\":\"ada\",\"lines\":[1,2,{\"note\":\"<b>no markup</b>\"}]}"
                .getBytes(StandardCharsets.UTF_8);
    route.fulfill(
        new Route.FulfillOptions()
            .setStatus(200)
            .setHeaders(
                Map.of("Content-Type", "application/octet-stream", "Kvs-Ttl-Millis", "90000"))
            .setBodyBytes(bytes));
  }
}
