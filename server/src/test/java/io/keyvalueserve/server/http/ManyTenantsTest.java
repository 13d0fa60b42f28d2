package io.keyvalueserve.server.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.LiveSample;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Goal: what is shown of tenants costs what is shown, however many there are. */
@ExtendWith(SharedHttpServer.class)
class ManyTenantsTest {
  private static final int TENANTS = OwnTenants.MOST + 10;
  private static final Pattern OF_TENANT = Pattern.compile("[{,]tenant=\"([^\"]*)\"");

  private final HttpServerUnderTest server;

  ManyTenantsTest(HttpServerUnderTest server) {
    this.server = server;
  }

  @BeforeEach
  void makeTenants() {
    for (int i = 0; i < TENANTS; i++) {
      int status =
          server.operator("POST", "/api/v1/tenants", "{\"name\":\"" + name(i) + "\"}").status();
      assertThat(status).isIn(201, 409);
    }
  }

  private static String name(int i) {
    return "many-%03d".formatted(i);
  }

  @Test
  void listsOfTenantsComeInPages() {
    for (String list : List.of("tenants", "quotas")) {
      List<String> seen = new ArrayList<>();
      String cursor = "";
      do {
        JsonNode page =
            server
                .operator("GET", "/api/v1/" + list + "?prefix=many-&limit=25" + cursor, "")
                .is(200)
                .json();
        assertThat(page.path(list).size()).isBetween(1, 25);
        assertThat(page.path("total").asInt()).isGreaterThanOrEqualTo(TENANTS);
        seen.addAll(page.path(list).findValuesAsText("tenant"));
        cursor = page.has("cursor") ? "&cursor=" + page.path("cursor").asText() : "";
      } while (!cursor.isEmpty());
      assertThat(seen).hasSize(TENANTS).doesNotHaveDuplicates().isSorted();
      assertThat(server.operator("GET", "/api/v1/" + list + "?limit=1", "").json().path(list))
          .hasSize(1);
    }
    server.operator("GET", "/api/v1/tenants?limit=0", "").is(400, "bad_request");
    server.operator("GET", "/api/v1/tenants?limit=1001", "").is(400, "bad_request");
    server.operator("GET", "/api/v1/quotas?cursor=A%20b", "").is(400, "bad_request");
    server.operator("GET", "/api/v1/quotas?prefix=A", "").is(400, "bad_request");
    server.operator("GET", "/api/v1/tenants?page=2", "").is(400, "bad_request");
  }

  @Test
  void topHasThoseThatUseMost() {
    String key = server.tenant("largest");
    String entry = "/api/v1/tenants/largest/maps/m/entries/k";
    assertThat(server.call(key, "PUT", entry, "v".repeat(300_000)).status()).isBetween(201, 204);
    await()
        .untilAsserted(
            () -> {
              JsonNode top =
                  server.operator("GET", "/api/v1/top?sort=memoryBytes&limit=3", "").json();
              assertThat(top.path("tenants")).hasSize(3);
              assertThat(top.at("/tenants/0/tenant").asText()).isEqualTo("largest");
              assertThat(top.path("total").asInt()).isGreaterThanOrEqualTo(TENANTS);
            });
    server.operator("GET", "/api/v1/top?sort=luck", "").is(400, "bad_request");
    server.operator("GET", "/api/v1/top?limit=0", "").is(400, "bad_request");
  }

  @Test
  void metricsHaveSeriesOfSomeTenantsAndOfTheRestTogether() {
    String key = server.tenant("busiest");
    String entry = "/api/v1/tenants/busiest/maps/m/entries/k";
    assertThat(server.call(key, "PUT", entry, "v").status()).isBetween(201, 204);
    String metrics = server.operator("GET", "/metrics", "").is(200).text();
    Map<String, Set<String>> tenants = // of each family: bills are computed once in a while
        metrics
            .lines()
            .filter(line -> !line.startsWith("kvs_map_")) // the largest maps, whosoever's
            .filter(line -> OF_TENANT.matcher(line).find())
            .collect(
                Collectors.groupingBy(
                    line -> line.substring(0, line.indexOf('{')),
                    Collectors.flatMapping(
                        line -> OF_TENANT.matcher(line).results().map(each -> each.group(1)),
                        Collectors.toCollection(TreeSet::new))));
    assertThat(tenants.get("kvs_quota_used"))
        .contains(OwnTenants.REST)
        .hasSize(OwnTenants.MOST + 1);
    assertThat(tenants.values())
        .allSatisfy(names -> assertThat(names).hasSizeLessThanOrEqualTo(OwnTenants.MOST + 1));
    assertThat(metrics)
        .contains("kvs_quota_used{limit=\"memoryBytes\",tenant=\"(rest)\"}")
        .contains("kvs_throttled_total{tenant=\"(rest)\"}");

    String own =
        server.operator("GET", "/metrics?tenant=busiest&tenant=many-000", "").is(200).text();
    assertThat(own)
        .contains("kvs_operations_total{door=\"http\",tenant=\"busiest\"} 1.0")
        .contains("kvs_quota_used{limit=\"entries\",tenant=\"many-000\"} 0.0")
        .contains("kvs_bill_spend{tenant=\"many-000\"")
        .doesNotContain("many-001", "(rest)", "jvm_")
        .containsOnlyOnce("# EOF");
    server.operator("GET", "/metrics?tenant=nobody", "").is(404, "no_such_tenant");
    server.operator("GET", "/metrics?tenants=all", "").is(400, "bad_request");
  }

  @Test
  void liveFiguresAreOfThoseThatUseMostAndOfAllTogether() throws Exception {
    String path = "/api/v1/live?tenant=" + name(TENANTS - 1);
    try (BufferedReader events = server.events(server.operatorKey(), path)) {
      JsonNode frame = LiveDoorTest.event(events);
      while (!frame.path("tenants").findValuesAsText("tenant").contains(name(TENANTS - 1))) {
        frame = LiveDoorTest.event(events);
      }
      assertThat(frame.path("tenantCount").asInt()).isGreaterThanOrEqualTo(TENANTS);
      assertThat(frame.path("tenants").size()).isLessThanOrEqualTo(LiveSample.MOST_TENANTS + 1);
      assertThat(frame.at("/totals/memoryBytes").isNumber()).isTrue();
      assertThat(frame.at("/tenants/0/state").asText()).isEqualTo("active");
    }
  }

  @Test
  void theKeyForMetricsReadsThemAndNothingElse() throws Exception {
    Path file = requireNonNull(server.server().operatorKey()).resolveSibling("scrape.key");
    String key = Files.readString(file).strip();
    assertThat(server.by(key, "GET", "/metrics", "").is(200).text()).contains("kvs_members 1.0");
    assertThat(server.by(key, "GET", "/metrics?tenant=many-000", "").is(200).text())
        .contains("many-000");
    server.by(key, "POST", "/metrics", "{}").is(403, "forbidden");
    server.by(key, "GET", "/api/v1/tenants", "").is(403, "forbidden");
    server.by(key, "GET", "/api/v1/me", "").is(403, "forbidden");
    server.by(key, "POST", "/api/v1/tenants", "{\"name\":\"scraped\"}").is(403, "forbidden");
    server.by(key, "GET", "/api/v1/tenants/many-000/maps/m/entries/k", "").is(403, "forbidden");
    server.by(key + "x", "GET", "/metrics", "").is(401, "unauthorized");
  }
}
