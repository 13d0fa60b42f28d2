package io.keyvalueserve.server.http;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import com.hazelcast.security.UsernamePasswordCredentials;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tenants that leave memory and come back, at the doors of a real server with a disk. */
@Timeout(value = 2, unit = MINUTES)
class HibernationDoorTest {
  private static final int MANY = 100;

  @TempDir private Path directory;

  private HttpServerUnderTest start() {
    return HttpServerUnderTest.start(Map.of("data", directory.resolve("data").toString()));
  }

  private static String of(String tenant) {
    return "/api/v1/tenants/" + tenant;
  }

  private static JsonNode state(HttpServerUnderTest server, String tenant) {
    JsonNode state = server.operator("GET", of(tenant) + "/hibernation", "").is(200).json();
    ApiSchema.of("TenantHibernation").assertIsThatOf(state);
    return state;
  }

  private static void hibernate(HttpServerUnderTest server, String tenant) {
    await()
        .untilAsserted(
            () -> {
              Answer answer = server.operator("POST", of(tenant) + "/hibernate", "");
              assertThat(answer.status()).as(answer.text()).isEqualTo(200);
              ApiSchema.of("TenantHibernation").assertIsThatOf(answer.json());
            });
    assertThat(state(server, tenant).path("state").asText()).isEqualTo("hibernated");
  }

  private static void awaitAwake(HttpServerUnderTest server, String tenant) {
    await().until(() -> state(server, tenant).path("state").asText().equals("awake"));
  }

  private static void put(HttpServerUnderTest server, String key, String entry, String value) {
    Answer answer =
        server.by(key, "PUT", of("acme") + "/maps/orders/entries/" + entry, "\"" + value + "\"");
    assertThat(answer.status()).as(answer.text()).isBetween(200, 204);
  }

  private static void requireValue(
      HttpServerUnderTest server, String key, String entry, String value) {
    Answer answer = server.by(key, "GET", of("acme") + "/maps/orders/entries/" + entry, "");
    assertThat(answer.is(200).text()).contains(value);
  }

  @Test
  void everyDoorWakesATenant() {
    try (HttpServerUnderTest server = start()) {
      String key = server.tenant("acme");
      String guest = server.tenant("guest");
      for (int i = 0; i < 50; i++) {
        put(server, key, "k" + i, "v" + i);
      }
      HazelcastInstance client = client(server, key);
      try {
        IMap<String, Object> people = client.getMap("people");
        for (int i = 0; i < 50; i++) {
          people.set("p" + i, new HazelcastJsonValue("{\"age\":" + i + "}"));
        }
        hibernate(server, "acme");
        JsonNode tenant = server.operator("GET", of("acme"), "").json();
        assertThat(tenant.path("hibernation").asText()).isEqualTo("hibernated");
        assertThat(tenant.path("maps").toString()).isEqualTo("[\"orders\",\"people\"]");
        requireValue(server, key, "k7", "v7");
        awaitAwake(server, "acme");

        hibernate(server, "acme");
        assertThat(people.values(Predicates.greaterThan("age", 44))).hasSize(5);
        hibernate(server, "acme");
        assertThat(people.keySet()).hasSize(50);
        hibernate(server, "acme");
        assertThat(people.size()).isEqualTo(50);
        hibernate(server, "acme");
        assertThat(people.get("p3")).isEqualTo(new HazelcastJsonValue("{\"age\":3}"));
        hibernate(server, "acme");
        assertThat(people.containsKey("nobody")).isFalse();
        client.getMap("brief").set("k", "v");
        hibernate(server, "acme");
        client.getMap("brief").destroy();
        assertThat(client.getMap("brief").get("k")).isNull();
        hibernate(server, "acme");
        Answer counted =
            server.by(
                key, "POST", of("acme") + "/sql", "{\"sql\":\"SELECT COUNT(*) AS n FROM people\"}");
        assertThat(counted.is(200).text()).contains("50");
        hibernate(server, "acme");
        Answer tables = server.by(key, "POST", of("acme") + "/sql", "{\"sql\":\"SHOW TABLES\"}");
        assertThat(tables.is(200).text()).contains("people", "orders");

        server
            .operator(
                "POST",
                of("acme") + "/maps/orders/grants",
                "{\"to\":\"guest\",\"rights\":[\"read\"]}")
            .is(201);
        hibernate(server, "acme");
        Answer granted = server.by(guest, "GET", of("acme") + "/maps/orders/entries/k9", "");
        assertThat(granted.is(200).text()).contains("v9");
      } finally {
        client.shutdown();
      }
      assertThat(
              server
                  .operator("GET", "/api/v1/audit?kind=tenant.hibernated&tenant=acme", "")
                  .is(200)
                  .json()
                  .path("events")
                  .size())
          .isGreaterThanOrEqualTo(9);
      assertThat(server.operator("GET", "/metrics", "").text())
          .containsPattern("kvs_hibernations_total [1-9]")
          .containsPattern("kvs_wakes_total [1-9]");
    }
  }

  private static HazelcastInstance client(HttpServerUnderTest server, String key) {
    ClientConfig config = new ClientConfig().setClusterName("kvs").setInstanceName("sleepy");
    config.getNetworkConfig().addAddress("127.0.0.1:" + server.server().clientPort());
    config.getSecurityConfig().setCredentials(new UsernamePasswordCredentials("acme", key));
    return HazelcastClient.newHazelcastClient(config);
  }

  /** Goal: many tenants leave memory by themselves, and a start does not bring them back. */
  @Test
  void tenantsThatNobodyUsesLeaveMemoryByThemselves() {
    Map<String, String> settings =
        Map.of("data", directory.resolve("data").toString(), "hibernate.after", "1s");
    List<String> keys = new ArrayList<>();
    try (HttpServerUnderTest server = HttpServerUnderTest.start(settings)) {
      for (int i = 0; i < MANY; i++) {
        keys.add(server.tenant(name(i)));
        server.by(keys.get(i), "PUT", of(name(i)) + "/maps/m/entries/k", "\"" + i + "\"").is(201);
      }
      await().until(() -> asleep(server) == MANY);
    }
    try (HttpServerUnderTest server = HttpServerUnderTest.start(settings)) {
      assertThat(asleep(server)).isEqualTo(MANY);
      for (int i = 0; i < MANY; i += 20) {
        Answer answer = server.by(keys.get(i), "GET", of(name(i)) + "/maps/m/entries/k", "");
        assertThat(answer.is(200).text()).contains("" + i);
      }
    }
  }

  private static String name(int i) {
    return "idle-%03d".formatted(i);
  }

  private static int asleep(HttpServerUnderTest server) {
    JsonNode page = server.operator("GET", "/api/v1/tenants?prefix=idle-&limit=1000", "").json();
    int asleep = 0;
    for (JsonNode tenant : page.path("tenants")) {
      asleep += tenant.path("hibernation").asText().equals("hibernated") ? 1 : 0;
    }
    return asleep;
  }

  @Test
  void aHibernatedTenantOutlivesARestart() {
    String key;
    try (HttpServerUnderTest server = start()) {
      key = server.tenant("acme");
      put(server, key, "a", "first");
      hibernate(server, "acme");
      requireValue(server, key, "a", "first");
      put(server, key, "a", "second");
      put(server, key, "b", "new");
      hibernate(server, "acme");
    }
    try (HttpServerUnderTest server = start()) {
      assertThat(state(server, "acme").path("state").asText()).isEqualTo("hibernated");
      assertThat(server.operator("GET", of("acme"), "").json().path("maps").toString())
          .isEqualTo("[\"orders\"]");
      requireValue(server, key, "a", "second");
      requireValue(server, key, "b", "new");
      awaitAwake(server, "acme");
      put(server, key, "b", "newer");
    }
    try (HttpServerUnderTest server = start()) {
      assertThat(state(server, "acme").path("state").asText()).isEqualTo("awake");
      requireValue(server, key, "a", "second");
      requireValue(server, key, "b", "newer");
    }
  }

  @Test
  void whatIsDoneWithAllOfATenantWakesItFirst() {
    try (HttpServerUnderTest server = start()) {
      String key = server.tenant("acme");
      put(server, key, "a", "1");
      hibernate(server, "acme");
      JsonNode job = server.operator("POST", of("acme") + "/snapshots", "{}").is(202).json();
      await()
          .until(
              () ->
                  server
                      .operator("GET", "/api/v1/snapshot-jobs/" + job.path("id").asText(), "")
                      .json()
                      .path("state")
                      .asText()
                      .equals("done"));
      JsonNode snapshots = server.operator("GET", of("acme") + "/snapshots", "").json();
      assertThat(snapshots.at("/snapshots/0/entries").asInt()).as(snapshots.toString()).isOne();

      hibernate(server, "acme");
      server.operator("PUT", of("acme") + "/persistence", "{\"persistence\":\"memory\"}").is(200);
      Answer refused =
          server.operator("POST", of("acme") + "/hibernate", "").is(409, "hibernation");
      assertThat(refused.text()).contains("map orders: nothing of it may be on a disk");
      requireValue(server, key, "a", "1");

      server.operator("PUT", of("acme") + "/persistence", "{\"persistence\":\"durable\"}").is(200);
      hibernate(server, "acme");
      requireValue(server, key, "a", "1"); // and is waking
      server.operator("DELETE", of("acme"), "").is(200);
      String other = server.tenant("acme");
      server.by(other, "GET", of("acme") + "/maps/orders/entries/a", "").is(404);
      assertThat(state(server, "acme").path("state").asText()).isEqualTo("awake");
      assertThat(manifests()).isZero();
    }
  }

  /** Returns the number of snapshots in the repository of tenants that are not in memory. */
  private long manifests() {
    Path images = directory.resolve("data").resolve("snapshots").resolve("hibernation");
    try (var files = Files.walk(images)) {
      return files.filter(file -> file.toString().contains("/manifests/")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"after\":\"90s\"}|90s|tenant",
        "{\"after\":\"30d\"}|30d|tenant",
        "{\"after\":\"never\"}|never|tenant",
        "{\"after\":\"default\"}|never|member"
      })
  void aSettingIsShownAsItWasSet(String body, String after, String from) {
    try (HttpServerUnderTest server = start()) {
      String key = server.tenant("acme");
      JsonNode set = server.operator("PUT", of("acme") + "/hibernation", body).is(200).json();
      assertThat(set.path("after").asText()).isEqualTo(after);
      assertThat(set.path("afterFrom").asText()).isEqualTo(from);
      assertThat(server.by(key, "GET", of("acme") + "/hibernation", "").is(200).json())
          .isEqualTo(set);
      server.by(key, "PUT", of("acme") + "/hibernation", body).is(403);
      server.by(key, "POST", of("acme") + "/hibernate", "").is(403);
      for (String wrong : new String[] {"{}", "{\"after\":1}", "{\"after\":\"1y\"}"}) {
        server.operator("PUT", of("acme") + "/hibernation", wrong).is(400, "bad_request");
      }
      server
          .operator("PUT", of("acme") + "/hibernation", "{\"after\":\"4000d\"}")
          .is(400, "invalid_hibernation");
      server.operator("GET", of("nobody") + "/hibernation", "").is(404, "no_such_tenant");
      Answer nothing = server.operator("POST", of("acme") + "/hibernate", "").is(409);
      assertThat(nothing.text()).contains("tenant acme has no maps");
    }
  }
}
