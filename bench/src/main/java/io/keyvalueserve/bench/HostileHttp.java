package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;

/** Inputs for the HTTP port. Each request shows the tenant's key by itself, if it has one. */
final class HostileHttp implements HostileGrammar {
  private static final String END = "\r\n";

  private static final List<String> PATHS =
      List.of(
          "GET /",
          "GET /health/ready",
          "GET /openapi",
          "GET /metrics",
          "GET /api/v1/me",
          "GET /api/v1/cluster",
          "GET /api/v1/tenants",
          "POST /api/v1/tenants",
          "GET /api/v1/tenants/NAME",
          "DELETE /api/v1/tenants/NAME",
          "GET /api/v1/tenants/NAME/keys",
          "POST /api/v1/tenants/NAME/keys",
          "GET /api/v1/tenants/NAME/maps",
          "GET /api/v1/tenants/NAME/maps/m/entries?limit=NUMBER&cursor=TEXT",
          "POST /api/v1/tenants/NAME/maps/m/entries/batch",
          "POST /api/v1/tenants/NAME/transactions",
          "GET /api/v1/tenants/NAME/maps/m/entries/TEXT",
          "PUT /api/v1/tenants/NAME/maps/m/entries/TEXT",
          "DELETE /api/v1/tenants/NAME/maps/m/entries/TEXT",
          "POST /api/v1/tenants/NAME/maps/m/grants",
          "PUT /api/v1/tenants/NAME/quota",
          "POST /api/v1/tenants/NAME/cost",
          "GET /api/v1/tenants/NAME/usage",
          "GET /api/v1/audit?limit=NUMBER",
          "GET /api/v1/top",
          "GET /../../operator.key",
          "GET /%2e%2e/%2e%2e/operator.key",
          "GET /console/../../data/operator.key",
          "OPTIONS *",
          "TRACE /",
          "CONNECT 127.0.0.1:1");

  private final String tenant;
  private final String key;
  private final List<String> others;

  /**
   * @param tenant the peer's own
   * @param key the tenant's
   * @param others names by which the other tenant's data might be reached
   */
  HostileHttp(String tenant, String key, List<String> others) {
    this.tenant = tenant;
    this.key = key;
    this.others = List.copyOf(others);
  }

  @Override
  public HostileDoor door() {
    return HostileDoor.HTTP;
  }

  @Override
  public HostileInput draw(HostileDice dice, boolean known) {
    String path = dice.pick(PATHS);
    String kind = path.replaceAll("[?].*", "").replace(' ', ':');
    String line =
        path.replace("NAME", dice.chance(0.6) ? tenant : dice.pick(others))
            .replace("NUMBER", Long.toString(dice.edgeLong()))
            .replace("TEXT", "e" + dice.below(50));
    String head = line + " HTTP/1.1" + END + "Host: 127.0.0.1" + END;
    if (known) {
      head += "Authorization: Bearer " + key + END;
    }
    String body = line.startsWith("GET") ? "" : body(dice);
    String type = "Content-Type: application/json" + END;
    String length = "Content-Length: " + body.length() + END;
    String whole = head + type + length + END + body;
    return switch (dice.below(12)) {
      case 0, 1 -> input(kind + "/valid", whole);
      case 2 ->
          input(kind + "/length", head + "Content-Length: " + dice.edgeLong() + END + END + body);
      case 3 ->
          input(kind + "/two-lengths", head + length + "Content-Length: 1" + END + END + body);
      case 4 ->
          input(
              kind + "/chunked-and-length",
              head + length + "Transfer-Encoding: chunked" + END + END + "0" + END + END + body);
      case 5 -> input(kind + "/chunk", head + chunked(dice, body));
      case 6 -> input(kind + "/many-headers", head + headers(dice) + END);
      case 7 ->
          input(
              kind + "/long-header",
              head + "X-Long: " + "y".repeat(dice.below(100_000)) + END + END);
      case 8 ->
          input(
              kind + "/long-path",
              line.substring(0, line.indexOf(' '))
                  + " /"
                  + "%41/".repeat(dice.below(20_000))
                  + " HTTP/1.1"
                  + END
                  + END);
      case 9 ->
          input(
              kind + "/origin",
              head + "Origin: http://127.0.0.1:9" + END + type + length + END + body);
      case 10 ->
          input(
              kind + "/upgrade",
              head
                  + "Connection: Upgrade, HTTP2-Settings"
                  + END
                  + "Upgrade: h2c"
                  + END
                  + "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA"
                  + END
                  + END);
      default -> new HostileInput(kind + "/bytes", dice.flipped(whole.getBytes(ISO_8859_1)));
    };
  }

  private static HostileInput input(String kind, String text) {
    return new HostileInput(kind, text.getBytes(ISO_8859_1));
  }

  private String body(HostileDice dice) {
    int depth = dice.below(50 * dice.force().depth());
    return switch (dice.below(6)) {
      case 0 -> "[".repeat(depth) + "]".repeat(depth);
      case 1 -> "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
      case 2 ->
          "{\"to\":\""
              + dice.pick(others)
              + "\",\"rights\":\"read\",\"expiresAt\":"
              + dice.edgeLong()
              + "}";
      case 3 ->
          "{\"operations\":["
              + "{\"op\":\"put\",\"key\":\"k\",\"value\":\"v\"},".repeat(dice.below(300))
              + "{\"op\":\"get\",\"key\":\"k\"}]}";
      case 4 -> "{\"name\":\"" + dice.text(300) + "\",\"n\":1e" + dice.edge() + "}";
      default -> "x".repeat(dice.below(100_000));
    };
  }

  private static String chunked(HostileDice dice, String body) {
    String size = dice.chance(0.5) ? Integer.toHexString(dice.edge()) : "f".repeat(dice.below(40));
    String small =
        ("1;e=" + "z".repeat(dice.below(50)) + END + "q" + END).repeat(dice.below(2_000));
    return "Transfer-Encoding: chunked" + END + END + small + size + END + body;
  }

  private static String headers(HostileDice dice) {
    StringBuilder headers = new StringBuilder();
    for (int left = dice.below(2_000); left > 0; left--) {
      headers.append("X-").append(left).append(": ").append(left).append(END);
    }
    return headers.toString();
  }
}
