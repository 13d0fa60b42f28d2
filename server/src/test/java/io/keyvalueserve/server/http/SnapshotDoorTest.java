package io.keyvalueserve.server.http;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Snapshots of tenants at the HTTP door of a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = MINUTES)
class SnapshotDoorTest {
  private static final String JOBS = "/api/v1/snapshot-jobs";
  private static final String UNKNOWN = "s-20300131t120000-abc234";

  private HttpServerUnderTest server;
  private Path data;

  @BeforeAll
  void start(@TempDir Path directory) {
    data = directory.resolve("data");
    server = HttpServerUnderTest.start(Map.of("data", data.toString()));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String of(String tenant) {
    return "/api/v1/tenants/" + tenant + "/snapshots";
  }

  private JsonNode ended(Answer started) {
    JsonNode job = started.is(202).json();
    ApiSchema.of(job.has("key") ? "SnapshotRestoreJob" : "SnapshotJob").assertIsThatOf(job);
    String path = JOBS + "/" + job.path("id").asText();
    await()
        .atMost(1, MINUTES)
        .until(
            () ->
                List.of("done", "failed")
                    .contains(server.operator("GET", path, "").json().path("state").asText()));
    JsonNode end = server.operator("GET", path, "").is(200).json();
    ApiSchema.of("SnapshotJob").assertIsThatOf(end);
    return end;
  }

  private JsonNode done(Answer started) {
    JsonNode job = ended(started);
    assertThat(job.path("state").asText()).as(job.toString()).isEqualTo("done");
    return job;
  }

  private String failed(Answer started) {
    JsonNode job = ended(started);
    assertThat(job.path("state").asText()).as(job.toString()).isEqualTo("failed");
    return job.path("problem").asText();
  }

  private String create(String tenant) {
    return done(server.operator("POST", of(tenant), "")).path("snapshot").asText();
  }

  private Answer restore(String tenant, String snapshot, String body) {
    return server.operator("POST", of(tenant) + "/" + snapshot + "/restore", body);
  }

  private void put(String key, String tenant, String map, String entry, String value) {
    Answer answer =
        server.by(
            key, "PUT", "/api/v1/tenants/" + tenant + "/maps/" + map + "/entries/" + entry, value);
    assertThat(answer.status()).as(answer.text()).isBetween(200, 204);
  }

  private Answer entry(String key, String tenant, String map, String entry) {
    return server.by(
        key, "GET", "/api/v1/tenants/" + tenant + "/maps/" + map + "/entries/" + entry, "");
  }

  private String state(String tenant) {
    return server
        .operator("GET", "/api/v1/tenants/" + tenant, "")
        .is(200)
        .json()
        .path("state")
        .asText();
  }

  private List<String> details(String kind, String tenant) {
    return server
        .operator("GET", "/api/v1/audit?kind=" + kind + "&tenant=" + tenant, "")
        .is(200)
        .json()
        .path("events")
        .findValuesAsText("detail");
  }

  @Test
  void aSnapshotUnderWritesIsRestoredAsANewTenant() throws Exception {
    String key = server.tenant("busy");
    server.operator("PATCH", "/api/v1/tenants/busy/quota", "{\"entries\":100000}").is(200);
    for (int i = 0; i < 50; i++) {
      put(key, "busy", "before", "k" + i, "\"value " + i + "\"");
    }
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    Thread writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!over.get()) {
                    put(key, "busy", "meanwhile", "k" + written.get(), "1");
                    written.incrementAndGet();
                  }
                });
    await().until(() -> written.get() > 5);
    int acknowledged = written.get();
    String snapshot = create("busy");
    over.set(true);
    writer.join();

    JsonNode listed = server.operator("GET", of("busy"), "").is(200).json();
    assertThat(listed.path("repository").asText()).isEqualTo("file:" + data.resolve("snapshots"));
    assertThat(listed.path("snapshots").findValuesAsText("id")).containsExactly(snapshot);
    ApiSchema.of("Snapshot").assertIsThatOf(listed.path("snapshots").path(0));
    JsonNode shown = server.operator("GET", of("busy") + "/" + snapshot, "").is(200).json();
    ApiSchema.of("SnapshotContents").assertIsThatOf(shown);
    assertThat(shown.path("maps").findValuesAsText("map")).containsExactly("before", "meanwhile");
    assertThat(shown.at("/maps/0/entries").asInt()).isEqualTo(50);
    JsonNode verified = done(server.operator("POST", of("busy") + "/" + snapshot + "/verify", ""));
    assertThat(verified.at("/progress/chunks").asInt())
        .isPositive()
        .isEqualTo(verified.at("/progress/ofChunks").asInt());

    Answer started = restore("busy", snapshot, "{\"as\":\"busy-copy\"}").is(202);
    String copy = started.json().path("key").asText();
    assertThat(done(started).path("target").asText()).isEqualTo("busy-copy");
    assertThat(entry(copy, "busy-copy", "before", "k7").is(200).text()).isEqualTo("\"value 7\"");
    for (int i = 0; i < acknowledged; i++) {
      assertThat(entry(copy, "busy-copy", "meanwhile", "k" + i).status())
          .as("k" + i)
          .isEqualTo(200);
    }
    assertThat(
            server
                .operator("GET", "/api/v1/tenants/busy-copy/quota", "")
                .json()
                .at("/limits/entries")
                .asInt())
        .as(server.operator("GET", "/api/v1/tenants/busy-copy/quota", "").text())
        .isEqualTo(100_000);
    assertThat(
            server.operator("GET", JOBS, "").text() + server.operator("GET", "/api/v1/audit", ""))
        .as("the access key is in the answer to the request alone")
        .doesNotContain(copy);
    assertThat(details("snapshot.created", "busy")).singleElement().asString().contains("entries=");
    assertThat(details("snapshot.restored", "busy-copy"))
        .singleElement()
        .asString()
        .contains("of tenant busy");
    assertThat(details("snapshot.verified", "busy")).containsExactly("it is whole");
    String metrics = server.operator("GET", "/metrics", "").text();
    assertThat(metrics)
        .contains("kvs_snapshot_jobs_total{kind=\"create\",result=\"done\"}")
        .contains("kvs_snapshot_last_success_timestamp_seconds{tenant=\"busy\"}")
        .containsPattern("kvs_snapshot_written_entries_total [1-9]");
  }

  @Test
  void aSnapshotReplacesTheMapsOfATenant() {
    String key = server.tenant("again");
    put(key, "again", "orders", "k", "1");
    String snapshot = create("again");
    put(key, "again", "orders", "k", "2");
    put(key, "again", "later", "k", "3");
    restore("again", snapshot, "{\"into\":\"again\"}").is(400, "bad_request");
    restore("again", snapshot, "{\"into\":\"again\",\"as\":\"x\",\"replace\":true}").is(400);
    restore("again", snapshot, "{}").is(400);
    JsonNode job = done(restore("again", snapshot, "{\"into\":\"again\",\"replace\":true}"));
    assertThat(job.at("/progress/entries").asInt()).isEqualTo(1);
    assertThat(state("again")).isEqualTo("active");
    assertThat(entry(key, "again", "orders", "k").is(200).text()).isEqualTo("1");
    entry(key, "again", "later", "k").is(404);

    server.operator("POST", "/api/v1/tenants/again/suspend", "").is(200);
    String suspended = create("again");
    done(restore("again", suspended, "{\"into\":\"again\",\"replace\":true}"));
    assertThat(state("again")).as("it was suspended before").isEqualTo("suspended");
  }

  @Test
  void aTenantIsCloned() {
    String key = server.tenant("original");
    put(key, "original", "orders", "k", "1");
    Answer started =
        server.operator("POST", "/api/v1/tenants/original/clone", "{\"as\":\"replica\"}").is(202);
    String copy = started.json().path("key").asText();
    assertThat(done(started).path("snapshot").asText()).startsWith("s-");
    assertThat(entry(copy, "replica", "orders", "k").is(200).text()).isEqualTo("1");
    entry(key, "replica", "orders", "k").is(403);
    server
        .operator("POST", "/api/v1/tenants/original/clone", "{\"as\":\"replica\"}")
        .is(409, "tenant_exists");
    server.operator("POST", "/api/v1/tenants/original/clone", "{}").is(400, "bad_request");
  }

  @Test
  void anExportedKeyRestoresWhatThisClusterNoLongerHas(@TempDir Path directory) {
    String key = server.tenant("moving");
    server.operator("GET", "/api/v1/tenants/moving/snapshot-key", "").is(404, "no_snapshot_key");
    put(key, "moving", "orders", "k", "1");
    String snapshot = create("moving");
    JsonNode exported =
        server.operator("GET", "/api/v1/tenants/moving/snapshot-key", "").is(200).json();
    assertThat(Base64.getDecoder().decode(exported.path("key").asText())).hasSize(32);
    server.call(key, "GET", "/api/v1/tenants/moving/snapshot-key", "").is(403);
    assertThat(details("snapshot.key_exported", "moving")).hasSize(1);
    server.operator("DELETE", "/api/v1/tenants/moving", "").is(200);
    assertThat(details("snapshot.key_destroyed", "moving")).hasSize(1);

    restore("moving", snapshot, "{\"as\":\"moved\"}").is(404, "no_such_tenant");
    server.tenant("moving");
    restore("moving", snapshot, "{\"as\":\"moved\"}").is(404, "no_such_snapshot");
    assertThat(server.operator("GET", of("moving"), "").json().path("snapshots")).isEmpty();

    String other = "{\"id\":\"" + exported.path("id").asText() + "\",\"key\":\"" + "A".repeat(43);
    restore("moving", snapshot, "{\"as\":\"moved\",\"key\":" + other + "=\"}}")
        .is(409, "snapshot_damaged");
    restore("moving", snapshot, "{\"as\":\"moved\",\"key\":{\"id\":\"x\",\"key\":\"y\"}}")
        .is(400, "bad_request");
    restore("another", snapshot, "{\"as\":\"moved\",\"key\":" + exported + "}")
        .is(404, "no_such_snapshot");
    Answer started = restore("moving", snapshot, "{\"as\":\"moved\",\"key\":" + exported + "}");
    String copy = started.is(202).json().path("key").asText();
    done(started);
    assertThat(entry(copy, "moved", "orders", "k").is(200).text()).isEqualTo("1");
  }

  @Test
  void damageIsFoundAndDoesNoHarm() throws IOException {
    String key = server.tenant("damaged");
    String value = "\"" + "v".repeat(1000) + "\"";
    put(key, "damaged", "orders", "k", value);
    String snapshot = create("damaged");
    String keyId =
        server.operator("GET", of("damaged") + "/" + snapshot, "").json().path("keyId").asText();
    breakChunks(data.resolve("snapshots").resolve(keyId));

    assertThat(failed(server.operator("POST", of("damaged") + "/" + snapshot + "/verify", "")))
        .contains("is not whole", "map orders", "Use another snapshot");
    String into = failed(restore("damaged", snapshot, "{\"into\":\"damaged\",\"replace\":true}"));
    assertThat(into).contains("is not whole");
    assertThat(state("damaged")).as("nothing was touched").isEqualTo("active");
    assertThat(entry(key, "damaged", "orders", "k").is(200).text()).isEqualTo(value);
    assertThat(failed(restore("damaged", snapshot, "{\"as\":\"damaged-copy\"}"))).isNotBlank();
    server.operator("GET", "/api/v1/tenants/damaged-copy", "").is(404, "no_such_tenant");
    assertThat(details("snapshot.failed", "damaged-copy")).hasSize(1);
  }

  private static void breakChunks(Path folder) throws IOException {
    List<Path> chunks;
    try (Stream<Path> files = Files.walk(folder)) {
      chunks =
          files
              .filter(Files::isRegularFile)
              .filter(file -> !file.toString().contains("/snapshots/s-"))
              .toList();
    }
    assertThat(chunks).isNotEmpty();
    for (Path chunk : chunks) {
      byte[] bytes = Files.readAllBytes(chunk);
      bytes[bytes.length - 1] ^= 1;
      Path _ = Files.write(chunk, bytes);
    }
  }

  @Test
  void quotasHold() {
    String key = server.tenant("narrow");
    put(key, "narrow", "orders", "a", "1");
    put(key, "narrow", "orders", "b", "2");
    String snapshot = create("narrow");
    server.operator("PATCH", "/api/v1/tenants/narrow/quota", "{\"entries\":1}").is(200);
    Answer refused =
        restore("narrow", snapshot, "{\"into\":\"narrow\",\"replace\":true}").is(409, "over_quota");
    assertThat(refused.json().at("/error/field").asText()).isEqualTo("entries");
    restore("narrow", snapshot, "{\"as\":\"narrow-copy\"}").is(409, "over_quota");
    server.operator("GET", "/api/v1/tenants/narrow-copy", "").is(404);
    assertThat(entry(key, "narrow", "orders", "b").is(200).text()).isEqualTo("2");
  }

  @Test
  void aMapWithATableBehindItIsNotReplaced() {
    String key = server.tenant("backed");
    put(key, "backed", "orders", "k", "1");
    put(key, "backed", "others", "k", "1");
    String snapshot = create("backed");
    server
        .operator("PUT", "/api/v1/stores/erp", "{\"jdbcUrl\":\"jdbc:postgresql://127.0.0.1:1/e\"}")
        .is(200);
    String map = "/api/v1/tenants/backed/maps/";
    String table = "{\"store\":{\"name\":\"erp\",\"table\":\"t\"}}";
    server.operator("PUT", map + "orders", table).is(200);
    Answer refused =
        restore("backed", snapshot, "{\"into\":\"backed\",\"replace\":true}")
            .is(409, "store_in_use");
    assertThat(refused.text()).contains("backed/orders", "--store none");
    server.operator("PUT", map + "orders", "{\"store\":null}").is(200);
    server.operator("PUT", map + "table", table).is(200);
    done(restore("backed", snapshot, "{\"into\":\"backed\",\"replace\":true}"));
    assertThat(server.operator("GET", map + "table", "").json().at("/store/table").asText())
        .as("a map that is in no snapshot stays")
        .isEqualTo("t");
    assertThat(entry(key, "backed", "orders", "k").is(200).text()).isEqualTo("1");
  }

  @Test
  void snapshotsAreDeleted() {
    String key = server.tenant("tidy");
    put(key, "tidy", "orders", "k", "1");
    String first = create("tidy");
    String second = create("tidy");
    server.operator("DELETE", of("tidy") + "/" + first, "").is(200);
    server.operator("DELETE", of("tidy") + "/" + first, "").is(404, "no_such_snapshot");
    server.operator("GET", of("tidy") + "/" + first, "").is(404, "no_such_snapshot");
    assertThat(
            server.operator("GET", of("tidy"), "").json().path("snapshots").findValuesAsText("id"))
        .containsExactly(second);
    done(server.operator("POST", of("tidy") + "/" + second + "/verify", ""));
    assertThat(details("snapshot.deleted", "tidy")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /wrong | | 400 | invalid_snapshot | snapshot",
        "GET | /s-20300131t120000-abc234 | | 404 | no_such_snapshot | snapshot",
        "DELETE | /s-20300131t120000-abc234 | | 404 | no_such_snapshot | snapshot",
        "POST | /s-20300131t120000-abc234/verify | {} | 404 | no_such_snapshot | snapshot",
        "POST | | {'repository':'ftp://host/x'} | 400 | invalid_snapshot | repository",
        "POST | | {'repository':'file:x'} | 400 | invalid_snapshot | path",
        "POST | | {'repository':'s3://bucket'} | 400 | invalid_snapshot | region",
        "POST | | {'repository':7} | 400 | bad_request | repository",
        "POST | | {'to':'file:/x'} | 400 | bad_request | to",
        "GET | ?repository=s3://bucket?region=eu-west-1 | | 400 | invalid_snapshot | credentials",
        "GET | ?where=file:/x | | 400 | bad_request | where",
      })
  void saysWhatIsWrong(
      String method, String path, String body, int status, String code, String field) {
    if (server.server().administration().knownTenant(name("asking")).isEmpty()) {
      String key = server.tenant("asking");
      put(key, "asking", "orders", "k", "1");
      assertThat(create("asking")).isNotEmpty();
    }
    Answer refused =
        server
            .operator(
                method,
                of("asking") + (path == null ? "" : path),
                body == null ? "" : body.replace('\'', '"'))
            .is(status, code);
    assertThat(refused.json().at("/error/field").asText()).as(refused.text()).isEqualTo(field);
  }

  private static TenantName name(String text) {
    return new TenantName(text);
  }

  /** An operator cannot undo what the tenant has said by a restore. */
  @Test
  void wordsAndConsentOfTheTenantStayWhenASnapshotIsRestored() {
    String key = server.tenant("worded");
    put(key, "worded", "orders", "k", "\"v\"");
    put(key, "worded", "carts", "k", "\"v\"");
    String snapshot = create("worded");
    server
        .operator("PUT", "/api/v1/tenants/worded/persistence", "{\"persistence\":\"memory\"}")
        .is(200);
    server.by(key, "PUT", "/api/v1/tenants/worded/consent", "").is(200);
    server.by(key, "DELETE", "/api/v1/tenants/worded/maps/orders/consent", "").is(200);
    JsonNode before = server.operator("GET", "/api/v1/tenants/worded/persistence", "").json();
    JsonNode orders = consent("orders");
    assertThat(orders.isMissingNode()).isFalse();
    var _ = done(restore("worded", snapshot, "{\"into\":\"worded\",\"replace\":true}"));
    assertThat(server.operator("GET", "/api/v1/tenants/worded/persistence", "").is(200).json())
        .isEqualTo(before);
    assertThat(before.path("persistence").asText()).isEqualTo("memory");
    assertThat(consent("orders")).isEqualTo(orders);
    server.by(key, "GET", "/api/v1/tenants/worded/maps/carts/entries/k", "").is(200);
  }

  private JsonNode consent(String map) {
    return server.operator("GET", "/api/v1/tenants/worded/maps/" + map, "").json().path("consent");
  }

  @Test
  void anS3RepositoryNeedsCredentials() {
    server.tenant("bucketed");
    Answer refused =
        server
            .operator("POST", of("bucketed"), "{\"repository\":\"s3://bucket?region=eu-west-1\"}")
            .is(400, "invalid_snapshot");
    assertThat(refused.json().at("/error/field").asText()).isEqualTo("credentials");
    assertThat(refused.text()).contains("--snapshot-access-key");
    assertThat(server.operator("GET", JOBS + "?tenant=bucketed", "").json().path("jobs")).isEmpty();
  }

  @Test
  void aRepositoryThatCannotBeIsRefusedAtOnce() {
    server.tenant("placed");
    server
        .operator("POST", of("placed"), "{\"repository\":\"file:" + data + "/none/below\"}")
        .is(409, "no_such_repository");
  }

  @Test
  void tenantsAndUnknownOnesAreTurnedAway() {
    String key = server.tenant("curious");
    server.call(key, "GET", of("curious"), "").is(403);
    server.by(key, "POST", of("curious"), "{}").is(403);
    server.operator("GET", of("nobody"), "").is(404, "no_such_tenant");
    server.operator("POST", of("nobody"), "{}").is(404, "no_such_tenant");
    server.operator("GET", JOBS + "/j-0123456789abcdef", "").is(404, "no_such_job");
    server.operator("GET", of("curious") + "/" + UNKNOWN, "").is(404, "no_such_snapshot");
  }

  @Test
  void aMemberWithoutARepositoryAsksForOne() {
    try (HttpServerUnderTest bare = HttpServerUnderTest.start(Map.of("dev", "true"))) {
      bare.tenant("acme");
      Answer refused = bare.operator("POST", of("acme"), "{}").is(400, "no_repository");
      assertThat(refused.text()).contains("--snapshots");
    }
  }
}
