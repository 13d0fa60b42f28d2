package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tenants over HTTP: their life, their quotas, and what is kept of what was done to them. */
@ExtendWith(SharedHttpServer.class)
class TenantDoorTest {
  private final HttpServerUnderTest server;

  TenantDoorTest(HttpServerUnderTest server) {
    this.server = server;
  }

  @Test
  void createsShowsSuspendsResumesAndDeletesATenant() {
    Answer created = server.operator("POST", "/api/v1/tenants", "{\"name\":\"acme\"}").is(201);
    assertThat(created.json().path("tenant").asText()).isEqualTo("acme");
    assertThat(created.json().path("key").asText()).startsWith("kvs_");
    String keyId = created.json().path("keyId").asText();

    server.operator("POST", "/api/v1/tenants", "{\"name\":\"acme\"}").is(409, "tenant_exists");
    Answer shown = server.operator("GET", "/api/v1/tenants/acme", "");
    assertThat(shown.json().path("state").asText()).isEqualTo("active");
    assertThat(shown.json().path("keys").get(0).path("id").asText()).isEqualTo(keyId);
    assertThat(shown.text()).doesNotContain("secret");

    assertThat(
            server
                .operator("POST", "/api/v1/tenants/acme/suspend", "")
                .json()
                .path("state")
                .asText())
        .isEqualTo("suspended");
    assertThat(
            server
                .operator("POST", "/api/v1/tenants/acme/resume", "")
                .json()
                .path("state")
                .asText())
        .isEqualTo("active");
    JsonNode second =
        server.operator("POST", "/api/v1/tenants/acme/keys", "{\"label\":\"ci\"}").json();
    assertThat(server.operator("GET", "/api/v1/tenants/acme/keys", "").json().path("keys"))
        .hasSize(2);
    String path = "/api/v1/tenants/acme/keys/" + second.path("keyId").asText();
    server.operator("DELETE", path, "").is(200);
    server.operator("DELETE", path, "").is(404, "no_such_key");
    assertThat(server.operator("DELETE", "/api/v1/tenants/acme", "").json().path("state").asText())
        .isEqualTo("deleted");
    server.operator("GET", "/api/v1/tenants/acme", "").is(404, "no_such_tenant");
  }

  /** One member alone is available: nobody is waited for, and nobody is forgotten. */
  @Test
  void forgetsNoMemberWhereNoMajorityDecides() {
    String members = "/api/v1/cluster/members/";
    JsonNode self = server.operator("GET", "/api/v1/cluster", "").json().path("members").path(0);
    server.operator("DELETE", members + "10.0.0.3:5801", "").is(404, "no_such_member");
    server.operator("DELETE", members + "none", "").is(404, "no_such_member");
    for (String name : List.of(self.path("uuid").asText(), self.path("address").asText())) {
      Answer refused = server.operator("DELETE", members + name, "");
      assertThat(refused.is(409, "no_majority_decides").text())
          .contains("--restart-policy partial");
    }
    assertThat(
            server.operator("GET", "/api/v1/audit?kind=member.forgotten", "").json().at("/events"))
        .isEmpty();
    server.by(server.tenant("prying"), "DELETE", members + "none", "").is(403);
  }

  @Test
  void takesNoteOfLossesForOperatorsOnly() {
    String acknowledge = "/api/v1/cluster/acknowledge";
    JsonNode before = server.operator("GET", "/api/v1/cluster", "").json();
    assertThat(before.at("/losses/records").asLong(-1)).isZero();
    JsonNode taken = server.operator("POST", acknowledge, "{}").json();
    assertThat(taken.path("damagedPlaces").asLong(-1)).isZero();
    server.by(server.tenant("noted"), "POST", acknowledge, "{}").is(403);
    assertThat(server.operator("GET", "/metrics", "").text())
        .contains("kvs_records_lost 0.0", "kvs_places_lost 0.0", "kvs_log_damaged 0.0");
  }

  @Test
  void setsChangesAndShowsAQuota() {
    String access = server.tenant("limited");
    String quota = "/api/v1/tenants/limited/quota";
    JsonNode usual = server.operator("GET", quota, "").json();
    assertThat(usual.path("limits").path("locks").asLong()).isEqualTo(10_000);
    assertThat(usual.path("limits").has("operationsPerSecond")).isFalse();
    JsonNode served = server.operator("GET", "/openapi", "").json();
    ApiSchema.of(served, "Quota").assertIsThatOf(usual);

    JsonNode set =
        server.operator("PUT", quota, "{\"operationsPerSecond\":5,\"entries\":7}").json();
    assertThat(set.path("limits").path("operationsPerSecond").asLong()).isEqualTo(5);
    JsonNode changed = server.operator("PATCH", quota, "{\"entries\":null,\"maps\":3}").json();
    assertThat(changed.path("limits").has("entries")).isFalse();
    assertThat(changed.path("limits").path("maps").asLong()).isEqualTo(3);
    assertThat(changed.path("limits").path("operationsPerSecond").asLong()).isEqualTo(5);
    assertThat(
            server
                .operator("GET", "/api/v1/quotas", "")
                .json()
                .path("quotas")
                .findValuesAsText("tenant"))
        .contains("limited");
    assertThat(
            server
                .operator("GET", "/api/v1/top", "")
                .json()
                .path("tenants")
                .findValuesAsText("tenant"))
        .contains("limited");
    assertThat(server.operator("GET", "/metrics?tenant=limited", "").text())
        .contains("kvs_waiting{tenant=\"limited\"} 0")
        .contains("kvs_client_waiting_requests{tenant=\"limited\"} 0")
        .contains("kvs_client_waiting_bytes{tenant=\"limited\"} 0")
        .contains("kvs_client_unread_bytes{tenant=\"limited\"} 0")
        .contains("kvs_quota_limit{limit=\"maps\",tenant=\"limited\"} 3")
        .endsWith("# EOF\n");
    assertThat(server.operator("GET", "/metrics", "").text())
        .contains("kvs_client_cut_off_total 0")
        .contains("kvs_channel_subscriptions{kind=\"pattern\"} 0")
        .contains("kvs_channel_messages_delivered_total 0")
        .contains("kvs_channel_subscribers_cut_off_total 0")
        .contains("kvs_heap_used_bytes{use=\"requests\"} ")
        .contains("kvs_heap_used_bytes{use=\"kept\"} ")
        .contains("kvs_heap_reserved_bytes ")
        .contains("kvs_heap_limit_bytes ")
        .contains("kvs_member_serves 1.0")
        .contains("kvs_partitions_lost 0.0")
        .contains("kvs_merges_total 0.0", "kvs_merge_open 0.0", "kvs_merge_last_time_seconds 0.0")
        .contains("kvs_merge_taken_total 0.0", "kvs_merge_removed_total 0.0")
        .contains("kvs_merge_discarded_total 0.0", "kvs_merge_failed_total 0.0")
        .contains("kvs_merge_unnoted_total 0.0")
        .contains("kvs_backups_safe 1.0", "kvs_loading 0.0")
        .contains("kvs_loading_records 0.0", "kvs_loading_records_expected 0.0")
        .contains("kvs_log_disk_full 0.0", "kvs_log_failed 0.0", "kvs_log_files_bytes ")
        .contains("kvs_restart_scrub_damaged_total 0.0", "kvs_restart_scrub_read_bytes_total ")
        .contains("kvs_restart_scrub_last_pass_seconds ");

    server.operator("PUT", quota, "{\"operations\":5}").is(400, "bad_request");
    server.operator("PUT", quota, "{\"entries\":\"5\"}").is(400, "bad_request");
    server.operator("PUT", quota, "{\"burstMillis\":0}").is(400, "invalid_quota");
    server.operator("PUT", "/api/v1/tenants/nobody/quota", "{}").is(404, "no_such_tenant");
    server.by(access, "PUT", quota, "{}").is(403, "forbidden");
    assertThat(
            server
                .operator(
                    "GET", "/api/v1/audit?trail=changes&kind=quota.changed&tenant=limited", "")
                .json()
                .path("events")
                .findValuesAsText("detail"))
        .contains("entries 7 to unlimited, maps unlimited to 3");
  }

  @Test
  void keepsWhatWasChangedAndWhoWasTurnedAway() {
    String owner =
        server
            .operator("POST", "/api/v1/tenants", "{\"name\":\"watched\"}")
            .json()
            .path("key")
            .asText();
    server.operator("POST", "/api/v1/tenants", "{\"name\":\"watcher\"}").is(201);
    String grants = "/api/v1/tenants/watched/maps/m/grants";
    String body = "{\"to\":\"watcher\",\"rights\":\"read\",\"key\":\"k\"}";
    String id = server.by(owner, "POST", grants, body).json().path("id").asText();
    server.operator("DELETE", grants + "/" + id, "").is(200);
    server.operator("POST", "/api/v1/tenants/watched/suspend", "").is(200);

    JsonNode changes =
        server.operator("GET", "/api/v1/audit?tenant=watched", "").json().path("events");
    assertThat(changes.findValuesAsText("kind"))
        .containsExactly("tenant.suspended", "grant.revoked", "grant.created", "tenant.created");
    assertThat(changes.get(2).path("actor").asText()).startsWith("tenant:watched/");
    assertThat(changes.get(1).path("actor").asText()).isEqualTo("operator@127.0.0.1");
    assertThat(changes.get(2).path("object").asText()).isEqualTo("watched/m");
    assertThat(changes.get(2).path("detail").asText())
        .isEqualTo("grant " + id + ": watcher may read on key 'k'");
    assertThat(changes.toString()).doesNotContain(owner.substring(owner.lastIndexOf('_') + 1));
    ApiSchema schema = ApiSchema.of("AuditEvent");
    changes.forEach(schema::assertIsThatOf);
    String kinds = "/api/v1/audit?tenant=watched&kind=grant.created,grant.revoked&limit=1";
    assertThat(server.operator("GET", kinds, "").json().path("events").findValuesAsText("kind"))
        .containsExactly("grant.revoked");

    server.by("kvs_nobody_nothing", "GET", "/api/v1/tenants", "").is(401);
    JsonNode access =
        server
            .operator("GET", "/api/v1/audit?trail=access&kind=login.refused", "")
            .json()
            .path("events");
    assertThat(access.findValuesAsText("actor")).contains("client@127.0.0.1");
    assertThat(access.findValuesAsText("detail")).contains("http");

    Answer exported = server.operator("GET", "/api/v1/audit/export?tenant=watched", "");
    assertThat(exported.text().lines()).hasSize(4).allMatch(line -> line.startsWith("{\"v\":1,"));
    server.operator("GET", "/api/v1/audit?trail=none", "").is(400, "bad_request");
    server.operator("GET", "/api/v1/audit?kind=none", "").is(400, "bad_request");
    server.operator("GET", "/api/v1/audit?limit=0", "").is(400, "bad_request");
    server.operator("GET", "/api/v1/audit?from=soon", "").is(400, "bad_request");
    server.operator("GET", "/api/v1/audit?colour=red", "").is(400, "bad_request");
  }
}
