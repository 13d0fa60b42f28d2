package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.bench.MemberNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Goal: in a cluster that is available, both sides of a cut go on, and afterwards each key is as
 * its last acknowledged write left it, removals included; no key that was revoked serves, no two
 * tenants are taken for one, and what both sides were asked for is charged once. Method: two
 * members in network namespaces; the cable of one is pulled; both are written to in a known order.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AvailableAcceptanceTest {
  private static final int SIZE = 2;
  private static final String MAP = "available";
  private static final Duration SETTLING = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(100);

  /** The tenant's writes and deletes, of both sides. */
  private static final Map<String, String> USED = Map.of("writes", "23", "deletes", "6");

  /** The value of each key after the merge; {@code $-1} is no value. */
  private static final Map<String, String> MERGED =
      Map.ofEntries(
          Map.entry("later1", "of 1"),
          Map.entry("later2", "of 2"),
          Map.entry("removed1", "$-1"),
          Map.entry("removed2", "$-1"),
          Map.entry("written1", "of 1"),
          Map.entry("written2", "of 2"),
          Map.entry("untouched", "old"),
          Map.entry("new1", "of 1"),
          Map.entry("new2", "of 2"),
          Map.entry("early1", "of 1"),
          Map.entry("early2", "of 2"));

  private MemberNetwork network;
  private List<KvsProcess> members;
  private Path secret;
  private Path settings;
  private Tenant tenant;

  /** Made while the members were apart, the first at member 1. */
  private final List<Tenant> made = new ArrayList<>();

  private Tenant revoked1;
  private Tenant revoked2;

  @BeforeAll
  void start() throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "network namespaces need root");
    network = new MemberNetwork(SIZE);
    secret = KvsCluster.newSecretFile("available");
    settings = secret.resolveSibling("kvs.yaml");
    Files.writeString(settings, "usage:\n  interval-seconds: 1\n");
    members =
        List.of(
            new KvsProcess("available1", network.address(1), network.inside(1)),
            new KvsProcess("available2", network.address(2), network.inside(2)));
    for (KvsProcess member : members) {
      launch(member);
      member.awaitReady();
    }
    tenant = member(1).admin().createTenant("available-acme");
    revoked1 = member(1).admin().createTenant("available-revoked1");
    revoked2 = member(1).admin().createTenant("available-revoked2");
    member(1).admin().awaitSafe(SETTLING);
  }

  private void launch(KvsProcess member) {
    member.launch(
        "--config",
        settings.toString(),
        "--split",
        "available",
        "--durability",
        "always",
        "--join",
        members.stream().map(KvsProcess::memberAddress).collect(Collectors.joining(",")),
        "--cluster-secret-file",
        secret.toString());
  }

  private KvsProcess member(int number) {
    return members.get(number - 1);
  }

  @AfterAll
  void end() {
    if (members != null) {
      members.forEach(KvsProcess::close);
    }
    if (network != null) {
      network.close();
      Scratch.delete(secret.resolveSibling(""));
    }
  }

  @Test
  @Order(1)
  void eachKeyIsAsItsLastWriteLeftIt() throws IOException {
    for (String key : MERGED.keySet()) {
      assertThat(say(1, tenant, "SET", key, "old")).isEqualTo("+OK");
    }
    network.cut(2);
    // At once, before anybody knows that there are two sides: answered when they do.
    assertThat(say(1, tenant, "SET", "early1", "of 1")).isEqualTo("+OK");
    awaitAlone();
    assertThat(say(2, tenant, "SET", "early2", "of 2")).isEqualTo("+OK");
    write(2, "later1", "removed1", "written1", "new1");
    write(1, "later2", "removed2", "written2", "new2");
    assertThat(say(1, tenant, "SET", "later1", "of 1")).isEqualTo("+OK");
    assertThat(say(2, tenant, "SET", "later2", "of 2")).isEqualTo("+OK");
    assertThat(say(1, tenant, "DEL", "removed1")).isEqualTo(":1");
    assertThat(say(2, tenant, "DEL", "removed2")).isEqualTo(":1");
    assertThat(say(1, tenant, "SET", "written1", "of 1")).isEqualTo("+OK");
    assertThat(say(2, tenant, "SET", "written2", "of 2")).isEqualTo("+OK");
    assertThat(say(1, tenant, "SET", "new1", "of 1")).isEqualTo("+OK");
    assertThat(say(2, tenant, "SET", "new2", "of 2")).isEqualTo("+OK");

    member(1).admin().revokeKey(revoked1, revoked1.keyId());
    member(2).admin().revokeKey(revoked2, revoked2.keyId());
    for (int at = 1; at <= SIZE; at++) {
      Tenant fresh = member(at).admin().createTenant("available-made" + at);
      assertThat(say(at, fresh, "SET", "k", fresh.name())).isEqualTo("+OK");
      made.add(fresh);
    }

    network.heal(2);
    awaitMerged();
  }

  /** Writes on one side what the other side overtakes later. */
  private void write(int at, String later, String removed, String written, String fresh)
      throws IOException {
    assertThat(say(at, tenant, "SET", later, "earlier")).isEqualTo("+OK");
    assertThat(say(at, tenant, "SET", removed, "earlier")).isEqualTo("+OK");
    assertThat(say(at, tenant, "DEL", written)).isEqualTo(":1");
    assertThat(say(at, tenant, "DEL", fresh)).isEqualTo(":1");
  }

  private void awaitAlone() {
    members.forEach(this::awaitAlone);
  }

  private void awaitAlone(KvsProcess member) {
    await("it goes on alone")
        .atMost(SETTLING)
        .pollInterval(POLL)
        .until(() -> member.admin().quorum().path("voters").size() == 1);
  }

  private void awaitMerged() {
    for (int at = 1; at <= SIZE; at++) {
      int member = at;
      await("member " + at + " has what is merged")
          .atMost(SETTLING)
          .pollInterval(POLL)
          .ignoreExceptions()
          .untilAsserted(() -> assertMerged(member));
    }
    member(1).admin().awaitSafe(SETTLING);
  }

  private void assertMerged(int at) throws IOException {
    for (Map.Entry<String, String> each : MERGED.entrySet()) {
      assertThat(get(at, tenant, each.getKey())).as(each.getKey()).isEqualTo(each.getValue());
    }
    for (Tenant each : made) {
      assertThat(get(at, each, "k")).isEqualTo(each.name());
    }
    assertThat(made.stream().map(member(at).admin()::number)).doesNotHaveDuplicates();
    assertThat(canLogIn(at, revoked1)).as("revoked at member 1").isFalse();
    assertThat(canLogIn(at, revoked2)).as("revoked at member 2").isFalse();
    assertThat(member(at).admin().quorum().path("voters")).hasSize(SIZE);
  }

  @Test
  @Order(2)
  void bothSidesAreCharged() {
    for (KvsProcess member : members) {
      await("usage of both sides is in the ledger")
          .atMost(SETTLING)
          .pollInterval(POLL)
          .untilAsserted(() -> assertThat(used(member)).isEqualTo(USED));
      assertThat(member.admin().ofTenant(tenant.name(), "bill/verify").path("valid").asBoolean())
          .isTrue();
    }
    assertThat(member(1).admin().audited("ledger.merged").findValuesAsText("tenant"))
        .contains(tenant.name());
    assertThat(member(1).admin().audited("usage.lost")).isEmpty();
  }

  private Map<String, String> used(KvsProcess member) {
    JsonNode usage = member.admin().ofTenant(tenant.name(), "usage").path("usage");
    return USED.keySet().stream()
        .collect(
            Collectors.toMap(
                measure -> measure,
                measure ->
                    Long.toString(
                        usage.findValuesAsText(measure).stream()
                            .mapToLong(Long::parseLong)
                            .sum())));
  }

  /** The newest rows of all partitions name only an id that a member had since the merge. */
  @Test
  @Order(3)
  void theDisksHaveWhatWasMerged() throws IOException {
    KvsProcess renamed =
        members.stream()
            .filter(member -> member.hasLogged("Resetting local member UUID"))
            .findFirst()
            .orElseThrow();
    members.stream().filter(member -> member != renamed).forEach(KvsProcess::kill);
    awaitAlone(renamed);
    int at = members.indexOf(renamed) + 1;
    assertThat(say(at, tenant, "SET", "alone", "of " + at)).isEqualTo("+OK");
    renamed.kill();
    startAll();
    awaitMerged();
    assertThat(get(1, tenant, "alone")).isEqualTo("of " + at);
    assertThat(get(2, tenant, "alone")).isEqualTo("of " + at);
  }

  @Test
  @Order(4)
  void theDisksHaveItIfAllAreKilledAtTheSameMoment() {
    members.parallelStream().forEach(KvsProcess::kill);
    startAll();
    awaitMerged();
  }

  private void startAll() {
    members.forEach(this::launch);
    members.forEach(KvsProcess::awaitReady);
  }

  private String say(int at, Tenant who, String... words) throws IOException {
    try (RespSocket socket = RespSocket.open(member(at), who, MAP)) {
      socket.send(RespSocket.command(words));
      return socket.readLine();
    }
  }

  private String get(int at, Tenant who, String key) throws IOException {
    try (RespSocket socket = RespSocket.open(member(at), who, MAP)) {
      socket.send(RespSocket.command("GET", key));
      String length = socket.readLine();
      return length.equals("$-1") ? length : socket.readLine();
    }
  }

  private boolean canLogIn(int at, Tenant who) throws IOException {
    try (RespSocket _ = RespSocket.open(member(at), who, MAP)) {
      return true;
    } catch (AssertionError refused) {
      return false;
    }
  }
}
