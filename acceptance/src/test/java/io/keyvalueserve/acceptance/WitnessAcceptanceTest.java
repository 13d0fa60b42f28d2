package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.bench.MemberNetwork;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Goal: two members with data and a witness lose nothing and go on when any one of the three is
 * lost. Method: real processes; the witness is started first, so that it leads the cluster. Writers
 * are at both members; processes are killed and, as root, a cable is pulled.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WitnessAcceptanceTest {
  private static final String MAP = "witnessed";
  private static final Duration SETTLING = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(50);

  /** Long enough for a silence of 4 s, a lease of 1 s, and a machine under load. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(12);

  private static final int MISDIRECTED = 421;
  private static final int SIZE = 3;
  private static final int WRITES = 100;

  private @Nullable MemberNetwork network;
  private KvsProcess witness;
  private List<KvsProcess> holders;
  private Path secret;
  private Tenant tenant;

  @BeforeAll
  void start() {
    boolean isRoot = System.getProperty("user.name").equals("root");
    network = isRoot ? new MemberNetwork(SIZE) : null;
    secret = KvsCluster.newSecretFile("witness");
    witness = process("witness", SIZE);
    holders = List.of(process("held1", 1), process("held2", 2));
    launch(witness);
    witness.awaitMemberPort();
    holders.forEach(this::launch);
    holders.forEach(KvsProcess::awaitReady);
    witness.awaitReady();
    tenant = holder(1).admin().createTenant("witness-acme");
  }

  private KvsProcess process(String name, int number) {
    return network == null
        ? new KvsProcess(name)
        : new KvsProcess(name, network.address(number), network.inside(number));
  }

  private void launch(KvsProcess member) {
    List<String> arguments = new ArrayList<>();
    if (member == witness) {
      arguments.addAll(List.of("--role", "witness"));
    }
    arguments.addAll(List.of("--durability", "always"));
    arguments.addAll(List.of("--cluster-secret-file", secret.toString()));
    List<KvsProcess> all = List.of(witness, holder(1), holder(2));
    arguments.add("--join");
    arguments.add(all.stream().map(KvsProcess::memberAddress).collect(Collectors.joining(",")));
    member.launch(arguments.toArray(String[]::new));
  }

  private KvsProcess holder(int number) {
    return holders.get(number - 1);
  }

  @AfterAll
  void end() {
    witness.close();
    holders.forEach(KvsProcess::close);
    if (network != null) {
      network.close();
    }
    Scratch.delete(secret.resolveSibling(""));
  }

  @Test
  @Order(1)
  void aWitnessVotesAndHoldsNothing() throws Exception {
    for (KvsProcess each : List.of(witness, holder(1), holder(2))) {
      JsonNode quorum = each.admin().quorum();
      assertThat(quorum.path("voters")).hasSize(SIZE);
      assertThat(quorum.path("split").asText()).isEqualTo("consistent");
      assertThat(each.kvs("member", "list")).containsOnlyOnce("witness").contains("data");
    }
    witness.admin().awaitSafe(SETTLING);
    assertThat(holder(1).admin().isSpreadOver(2)).isTrue();
    assertThat(Files.exists(witness.folder().resolve("log"))).isFalse();
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(witness.httpAddress() + "/api/v1/tenants"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(MISDIRECTED);
    assertThat(answer.body()).contains("ask a member with data");
  }

  @Test
  @Order(2)
  void theOtherServesAllWhenAMemberIsKilled() throws IOException {
    try (SplitWriters writers = writers()) {
      holder(1).kill();
      writers.awaitMore(2);
      assertThat(holder(2).admin().isSpreadOver(1)).isTrue();
      launch(holder(1));
      holder(1).awaitReady();
      writers.awaitMore(1, 2);
      writers.requireKept();
      assertThat(writers.slowest(2)).isLessThan(LONGEST_WAIT);
    }
  }

  @Test
  @Order(3)
  void membersServeOnWhenTheWitnessIsKilledAndItVotesAgain() throws IOException {
    holder(1).admin().awaitSafe(SETTLING);
    try (SplitWriters writers = writers()) {
      witness.kill();
      writers.awaitMore(1, 2);
      await("the witness is missed")
          .atMost(LONGEST_WAIT)
          .pollInterval(POLL)
          .until(() -> holder(1).admin().quorum().path("missing").size() == 1);
      writers.awaitMore(1, 2);
      launch(witness);
      witness.awaitReady();
      await("all voters are there")
          .atMost(LONGEST_WAIT)
          .pollInterval(POLL)
          .until(() -> holder(1).admin().quorum().path("missing").isEmpty());
      writers.awaitMore(1, 2);
      writers.requireKept();
      assertThat(writers.slowest(1)).isLessThan(LONGEST_WAIT);
    }
  }

  @Test
  @Order(4)
  void aMemberThatIsCutOffAnswersNothingAndTheOtherServesAll() throws IOException {
    MemberNetwork cables = network;
    assumeTrue(cables != null, "network namespaces need root");
    holder(1).admin().awaitSafe(SETTLING);
    try (SplitWriters writers = writers()) {
      cables.cut(1);
      await("the member that is cut off is not ready")
          .atMost(LONGEST_WAIT)
          .pollInterval(POLL)
          .until(() -> !holder(1).admin().isReady());
      writers.awaitMore(2);
      cables.heal(1);
      writers.awaitMore(1, 2);
      writers.requireKept();
      assertThat(writers.slowest(2)).isLessThan(LONGEST_WAIT);
    } finally {
      cables.heal(1);
    }
  }

  @Test
  @Order(5)
  void bothMembersComeBackWithEverythingWhenOnlyTheWitnessWasLeft() throws IOException {
    holder(1).admin().awaitSafe(SETTLING);
    try (SplitWriters writers = writers()) {
      holders.forEach(KvsProcess::kill);
      await("the witness serves no more")
          .atMost(LONGEST_WAIT)
          .pollInterval(POLL)
          .until(() -> !witness.admin().isReady());
      holders.forEach(this::launch);
      holders.forEach(KvsProcess::awaitReady);
      witness.awaitReady();
      writers.awaitMore(1, 2);
      writers.requireKept();
    }
  }

  private SplitWriters writers() throws IOException {
    return new SplitWriters(holders, tenant, MAP, WRITES);
  }
}
