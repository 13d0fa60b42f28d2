package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keyvalueserve.bench.MemberNetwork;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Goal: networks that break and processes that stop lose nothing that was acknowledged, and nobody
 * reads what others have replaced. Method: three members in network namespaces, started at the same
 * moment; writers at each; cables are pulled, a process is stopped and goes on.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SplitAcceptanceTest {
  private static final int SIZE = 3;
  private static final String MAP = "split";
  private static final Duration SETTLING = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(50);

  /** Long enough for a silence of 4 s, a lease of 1 s, and a machine under load. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(12);

  private static final int WRITES = 300;

  /** Waits by fault, for docs/results/faults.md. */
  private final List<String> measured = new ArrayList<>();

  private MemberNetwork network;
  private final List<KvsProcess> members = new ArrayList<>();
  private Path secret;
  private Tenant tenant;

  @BeforeAll
  void start() {
    assumeTrue(System.getProperty("user.name").equals("root"), "network namespaces need root");
    network = new MemberNetwork(SIZE);
    secret = KvsCluster.newSecretFile("split");
    for (int i = 1; i <= SIZE; i++) {
      members.add(new KvsProcess("split" + i, network.address(i), network.inside(i)));
    }
    members.forEach(this::launch);
    members.forEach(KvsProcess::awaitReady);
    tenant = member(1).admin().createTenant("split-acme");
  }

  private void launch(KvsProcess member) {
    member.launch(
        "--join",
        members.stream().map(KvsProcess::memberAddress).collect(Collectors.joining(",")),
        "--cluster-secret-file",
        secret.toString());
  }

  @AfterEach
  void healAll() {
    for (int i = 1; network != null && i <= SIZE; i++) {
      network.heal(i);
    }
  }

  private KvsProcess member(int number) {
    return members.get(number - 1);
  }

  @AfterAll
  void end() throws IOException {
    Path _ = Files.write(Scratch.target().resolve("split-faults.txt"), measured);
    members.forEach(KvsProcess::close);
    if (network != null) {
      network.close();
      Scratch.delete(secret.resolveSibling(""));
    }
  }

  @Test
  @Order(1)
  void membersThatStartTogetherAreOneCluster() {
    for (KvsProcess member : members) {
      await("voters come one after the other, also when all members are ready")
          .atMost(LONGEST_WAIT)
          .until(() -> member.admin().quorum().path("voters").size() == SIZE);
      assertThat(member.admin().quorum().path("split").asText()).isEqualTo("consistent");
    }
    member(1).admin().awaitSafe(SETTLING);
  }

  @Test
  @Order(2)
  void aMemberThatIsCutOffAnswersNothingAndNothingIsLost() throws IOException {
    Tenant revoked = member(1).admin().createTenant("split-revoked");
    try (SplitWriters writers = writers()) {
      network.cut(3);
      await("the member that is cut off is not ready")
          .atMost(LONGEST_WAIT)
          .pollInterval(POLL)
          .until(() -> !member(3).admin().isReady());
      await("it refuses at once")
          .atMost(LONGEST_WAIT)
          .pollInterval(POLL)
          .until(() -> say(3, tenant, "GET", "x").startsWith("-CLUSTERDOWN"));
      assertThat(member(3).admin().isSafe()).isFalse();
      HttpResponse<byte[]> entry = member(3).admin().entry("GET", tenant, MAP, "x", new byte[0]);
      assertThat(entry.statusCode()).isEqualTo(503);
      writers.awaitMore(1, 2);

      member(1).admin().revokeKey(revoked, revoked.keyId());
      Tenant made = member(1).admin().createTenant("split-made");
      assertThat(say(2, made, "SET", "k", "of the majority")).isEqualTo("+OK");

      network.heal(3);
      await("the member has joined again")
          .atMost(LONGEST_WAIT)
          .pollInterval(POLL)
          .until(() -> member(3).admin().isReady());
      assertThat(say(3, made, "GET", "k")).isEqualTo("$15");
      assertThat(login(3, revoked)).as("a key that was revoked meanwhile").isFalse();
      writers.awaitMore(1, 2, 3);
      writers.requireKept();
      assertThat(writers.slowest(1)).isLessThan(LONGEST_WAIT);
      assertThat(writers.slowest(2)).isLessThan(LONGEST_WAIT);
      assertThat(writers.refused(3)).isPositive();
      measured.add(writers.record("member 3 cut off"));
    }
  }

  @Test
  @Order(3)
  void twoThatDoNotReachEachOtherLoseNothing() throws IOException {
    member(1).admin().awaitSafe(SETTLING);
    try (SplitWriters writers = writers()) {
      network.cutBetween(1, 2);
      await("one of the two serves no more")
          .atMost(LONGEST_WAIT)
          .pollInterval(POLL)
          .until(() -> !member(1).admin().isReady() || !member(2).admin().isReady());
      writers.awaitMore(3);
      network.healBetween(1, 2);
      await("all serve")
          .atMost(SETTLING)
          .pollInterval(POLL)
          .until(() -> members.stream().allMatch(each -> each.admin().isReady()));
      writers.awaitMore(1, 2, 3);
      writers.requireKept();
      measured.add(writers.record("members 1 and 2 apart"));
    }
  }

  @Test
  @Order(4)
  void aProcessThatWasStoppedAnswersNothingOldWhenItGoesOn() throws Exception {
    member(1).admin().awaitSafe(SETTLING);
    KvsProcess stopped = member(1);
    try (SplitWriters writers = writers();
        RespSocket open = RespSocket.open(stopped, tenant, MAP)) {
      for (int i = 0; i < WRITES; i++) {
        assertThat(say(2, tenant, "SET", "stopped:" + i, "old")).isEqualTo("+OK");
      }
      signal(stopped, "STOP");
      try {
        writers.awaitMore(2, 3); // its partitions have other owners now
        for (int i = 0; i < WRITES; i++) {
          assertThat(say(2, tenant, "SET", "stopped:" + i, "new")).isEqualTo("+OK");
        }
        for (int i = 0; i < WRITES; i++) { // these wait in its socket until it goes on
          open.send(RespSocket.command("GET", "stopped:" + i));
        }
      } finally {
        signal(stopped, "CONT");
      }
      requireNothingOld(open);
      await("it has joined again")
          .atMost(SETTLING)
          .pollInterval(POLL)
          .until(() -> stopped.admin().isReady());
      writers.awaitMore(1, 2, 3);
      writers.requireKept();
      measured.add(writers.record("member 1 stopped"));
    }
  }

  @Test
  @Order(5)
  void othersTakeOverFromAProcessThatIsKilledAndCanForgetIt() throws IOException {
    member(1).admin().awaitSafe(SETTLING);
    try (SplitWriters writers = writers()) {
      String id = member(2).admin().uuid();
      String address = member(2).memberAddress();
      assertThat(member(1).admin().forget(address)).isEqualTo("409 member_alive");
      member(2).kill();
      writers.awaitMore(1, 3);
      await("it is forgotten, though not at once: it was heard just now")
          .atMost(SETTLING)
          .pollInterval(POLL)
          .until(() -> member(3).admin().forget(address), "200 "::equals);
      assertThat(member(1).admin().quorum().path("voters")).hasSize(SIZE - 1);
      assertThat(member(1).admin().forget(id)).as("once more").isEqualTo("200 ");
      launch(member(2));
      member(2).awaitReady();
      assertThat(member(2).admin().uuid()).as("it joined as a new member").isNotEqualTo(id);
      await("it votes again")
          .atMost(SETTLING)
          .until(() -> member(1).admin().quorum().path("voters").size() == SIZE);
      writers.awaitMore(1, 2, 3);
      writers.requireKept();
      measured.add(writers.record("member 2 killed"));
    }
  }

  private static void requireNothingOld(RespSocket open) {
    try {
      for (int i = 0; i < WRITES; i++) {
        String reply = open.readLine();
        assertThat(reply).as("an answer of a member that was stopped").isNotEqualTo("$-1");
        if (reply.startsWith("$")) {
          assertThat(open.readLine()).isEqualTo("new");
        }
      }
    } catch (IOException ended) {
      // it joins again, and ends its connections for that
    }
  }

  @Test
  @Order(6)
  void allStartAgainAfterwards() throws IOException {
    member(1).admin().awaitSafe(SETTLING);
    assertThat(say(2, tenant, "SET", "before", "the end")).isEqualTo("+OK");
    members.forEach(KvsProcess::askToEnd);
    for (KvsProcess member : members) {
      assertThat(member.awaitExit()).as("exit code, see %s", member.tail()).isZero();
    }
    members.forEach(this::launch);
    members.forEach(KvsProcess::awaitReady);
    assertThat(say(1, tenant, "GET", "before")).isEqualTo("$7");
    assertThat(say(3, tenant, "GET", "stopped:1")).isEqualTo("$3");
  }

  private SplitWriters writers() throws IOException {
    return new SplitWriters(members, tenant, MAP, WRITES);
  }

  private String say(int at, Tenant who, String... words) throws IOException {
    try (RespSocket socket = RespSocket.open(member(at), who, MAP)) {
      socket.send(RespSocket.command(words));
      return socket.readLine();
    }
  }

  private boolean login(int at, Tenant who) throws IOException {
    try (RespSocket _ = RespSocket.open(member(at), who, MAP)) {
      return true;
    } catch (AssertionError refused) {
      return false;
    }
  }

  private static void signal(KvsProcess process, String signal) {
    String _ =
        Commands.run(
            process.folder(),
            Map.of(),
            SETTLING,
            List.of("kill", "-" + signal, Long.toString(process.pid())));
  }
}
