package io.keyvalueserve.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goal: every message of the protocol is answered as PostgreSQL's documentation says. */
class WireTest {
  private TestDoor door;

  @BeforeEach
  void open() throws IOException {
    door = new TestDoor();
  }

  @AfterEach
  void close() {
    door.close();
  }

  private static byte[] cancelOf(WireClient client, int change) {
    byte[] request = new byte[4 + client.secret.length];
    for (int i = 0; i < 4; i++) {
      request[i] = (byte) (client.process >> (24 - 8 * i));
    }
    System.arraycopy(client.secret, 0, request, 4, client.secret.length);
    request[request.length - 1] ^= (byte) change;
    return request;
  }

  @Test
  void encryptionIsNotOfferedAndVersionsAreNegotiated() throws IOException {
    try (WireClient client = new WireClient(door)) {
      client.request(Startup.GSS, new byte[0]);
      assertThat(client.readByte()).isEqualTo('N');
      client.request(Startup.TLS, new byte[0]);
      assertThat(client.readByte()).isEqualTo('N');
      client.startup(0x30000 + 9999, "user", "acme", "_pq_.thing", "1");
      assertThat(client.read()).isEqualTo("v:30002:1");
      assertThat(client.scram("acme", door.key("acme"))).isEqualTo("R:12");
      assertThat(client.upToReady()).contains("R:0", "K").endsWith("Z:I");
      assertThat(client.secret).hasSize(32);
    }
    try (WireClient client = WireClient.of(door, "acme")) {
      assertThat(client.secret).hasSize(4);
    }
    try (WireClient old = new WireClient(door)) {
      old.startup(0x20000, "user", "acme");
      assertThat(old.read()).startsWith("E:0A000:the protocol's version 2.0");
    }
  }

  @Test
  void strangersAreRefusedInTheSameWordsAndNotedDown() throws IOException {
    String key = door.key("acme");
    String wrong = key.substring(0, key.length() - 1) + (key.endsWith("x") ? "y" : "x");
    for (String tenant : List.of("acme", "nobody", "globex")) {
      try (WireClient client = new WireClient(door)) {
        client.startup(0x30000, "user", tenant);
        assertThat(client.scram(tenant, wrong))
            .isEqualTo("E:28P01:password authentication failed for user \"" + tenant + "\"");
        assertThat(client.read()).isEqualTo("end");
      }
    }
    assertThat(door.refused).containsExactly("acme", "nobody", "globex");
    try (WireClient client = new WireClient(door)) {
      client.startup(0x30000, "database", "acme");
      assertThat(client.read()).startsWith("E:28000");
    }
  }

  @Test
  void manyWrongKeysAreHeldBack() throws IOException {
    String last = "";
    for (int i = 0; i < 200 && !last.contains("too many"); i++) {
      try (WireClient client = new WireClient(door)) {
        client.startup(0x30000, "user", "acme");
        last = client.scram("acme", "");
      }
    }
    assertThat(last).contains("too many keys were wrong: try again in");
    WireClient.of(door, "acme").close(); // a valid key passes
  }

  @Test
  void hostileFirstMessagesEndTheConnection() throws IOException {
    for (byte[] bytes :
        List.of(
            "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            new byte[] {0, 0, 0, 3},
            new byte[] {0, 0, 0, 8, 0, 3, 0, 0},
            new byte[] {-1, -1, -1, -1},
            new byte[] {0, 0, 0, 9, 0, 3, 0, 0, 'x'})) {
      try (WireClient client = new WireClient(door)) {
        client.sendRaw(bytes);
        assertThat(client.read()).startsWith("E:08P01");
        assertThat(client.read()).isEqualTo("end");
      }
    }
    try (WireClient client = new WireClient(door)) {
      client.startup(0x30000, "user", "acme");
      assertThat(client.read()).isEqualTo("R:10");
      client.query("select 1");
      assertThat(client.read()).startsWith("E:08P01");
    }
  }

  @Test
  void aTextOfSeveralStatementsIsCarriedOutUpToTheFirstError() throws IOException {
    try (WireClient client = WireClient.of(door, "acme")) {
      client.query("select 1; /* ; */ insert 2 ';' ; $$x$$; select 1");
      assertThat(client.upToReady())
          .containsExactly(
              "T", "D:1", "C:SELECT 1", "C:INSERT 0 2", "E:42601:no such statement", "Z:I");
      client.query(" ; -- nothing");
      assertThat(client.upToReady()).containsExactly("I", "Z:I");
      client.query("begin; insert 1; rollback");
      assertThat(client.upToReady())
          .containsExactly(
              "C:BEGIN",
              "C:INSERT 0 1",
              "N:01000:the writes of this transaction are not undone:"
                  + " each statement takes effect by itself",
              "C:ROLLBACK",
              "Z:I");
      client.query("select 'x");
      assertThat(client.upToReady()).containsExactly("E:42601:a string does not end", "Z:I");
    }
  }

  @Test
  void pipelinesAreSkippedAfterAnErrorUpToSync() throws IOException {
    try (WireClient client = WireClient.of(door, "acme")) {
      client.parse("", "select 1").bind("", "").execute("", 0).sync();
      client.parse("bad", "nonsense").bind("", "bad").execute("", 0);
      client.parse("", "select 1").sync();
      client.parse("s", "select 1").bind("p", "s").execute("p", 0).sync().send();
      assertThat(client.upToReady()).containsExactly("1", "2", "D:1", "C:SELECT 1", "Z:I");
      assertThat(client.upToReady()).containsExactly("E:42601:no such statement", "Z:I");
      assertThat(client.upToReady()).containsExactly("1", "2", "D:1", "C:SELECT 1", "Z:I");
      client.bind("", "nothing").sync().send();
      assertThat(client.upToReady()).first().asString().startsWith("E:26000");
      client.execute("gone", 0).sync().send();
      assertThat(client.upToReady()).first().asString().startsWith("E:34000");
      client.parse("s", "select 1").sync().send();
      assertThat(client.upToReady()).first().asString().startsWith("E:42P05");
      client.parse("", "select 1; select 1").sync().send();
      assertThat(client.upToReady()).first().asString().startsWith("E:42601");
      client.bind("", "s", "one too many").sync().send();
      assertThat(client.upToReady()).first().asString().startsWith("E:08P01");
    }
  }

  @Test
  void rowsComeInPartsWhileThePortalIsOpen() throws IOException {
    try (WireClient client = WireClient.of(door, "acme")) {
      client.query("begin");
      assertThat(client.upToReady()).endsWith("Z:T");
      client.parse("", "select rows 5").bind("c", "").execute("c", 2).sync().send();
      assertThat(client.upToReady())
          .containsExactly("1", "2", "D:0|name 0", "D:1|name 1", "s", "Z:T");
      client.query("select 1");
      assertThat(client.upToReady()).contains("C:SELECT 1");
      client.execute("c", 0).sync().send();
      assertThat(client.upToReady())
          .containsExactly("D:2|name 2", "D:3|name 3", "D:4|name 4", "C:SELECT 5", "Z:T");
      client.query("commit");
      assertThat(client.upToReady()).containsExactly("C:COMMIT", "Z:I");
      client.execute("c", 0).sync().send();
      assertThat(client.upToReady()).first().asString().startsWith("E:34000");
    }
  }

  @Test
  void onlyWhoKnowsTheSecretCancels() throws Exception {
    try (WireClient client = WireClient.of(door, "acme");
        WireClient wrong = new WireClient(door);
        WireClient right = new WireClient(door)) {
      client.query("select wait");
      door.sql.waiting.await();
      wrong.request(Startup.CANCEL, cancelOf(client, 1));
      assertThat(wrong.read()).isEqualTo("end");
      right.request(Startup.CANCEL, cancelOf(client, 0));
      assertThat(right.read()).isEqualTo("end");
      assertThat(client.upToReady()).contains("E:57014:canceled").endsWith("Z:I");
    }
  }

  @Test
  void aClientThatDoesNotReadHoldsOnlyPages() throws IOException {
    try (WireClient client = WireClient.of(door, "acme")) {
      client.query("select rows 2000000000");
      long[] seen = {-1};
      await()
          .pollInterval(Duration.ofMillis(300))
          .until(
              () -> {
                long before = seen[0];
                seen[0] = door.sql.produced.get();
                return before > 0 && before == seen[0];
              });
      assertThat(seen[0]).isLessThan(2_000_000); // the system's buffers hold some megabytes
    }
    await().untilAsserted(() -> assertThat(door.sql.open.get()).isZero());
  }

  @Test
  void aClientThatStallsForTooLongIsCutOff() throws IOException {
    try (TestDoor strict =
            new TestDoor(false, config -> config.withLongestStall(Duration.ofMillis(200)));
        WireClient client = WireClient.of(strict, "acme")) {
      client.query("select rows 2000000000");
      await().untilAsserted(() -> assertThat(strict.server().connections()).isZero());
      assertThat(strict.sessions.count()).isZero();
    }
  }

  @Test
  void longMessagesAreRefused() throws IOException {
    try (TestDoor small = new TestDoor(false, config -> config.withMostMessageBytes(2000));
        WireClient client = WireClient.of(small, "acme")) {
      client.query("select " + "1".repeat(3000));
      assertThat(client.read()).startsWith("E:08P01");
      assertThat(client.read()).isEqualTo("end");
    }
    try (WireClient client = WireClient.of(door, "acme")) {
      client.query("select " + "1".repeat(2 << 20));
      assertThat(client.upToReady()).first().asString().startsWith("E:54000");
    }
  }

  @Test
  void aSessionEndsWhenItsKeyIsRevokedOrItsTenantSuspended() throws IOException {
    String second = door.catalogue.createKey(new TenantName("acme"), "").accessKey();
    String id = second.substring(4, 14);
    try (WireClient client = new WireClient(door);
        WireClient other = WireClient.of(door, "acme")) {
      client.startup(0x30000, "user", "acme");
      assertThat(client.scram("acme", second)).isEqualTo("R:12");
      client.upToReady();
      assertThat(door.sessions.of(door.catalogue.get(new TenantName("acme")).number()))
          .hasSize(2)
          .allSatisfy(
              session ->
                  assertThat(Objects.requireNonNull(session.describe()).door())
                      .isEqualTo(Door.POSTGRES));
      door.catalogue.revokeKey(new TenantName("acme"), id);
      assertThat(client.read()).startsWith("E:57P01");
      assertThat(client.read()).isEqualTo("end");
      other.query("select 1");
      assertThat(other.upToReady()).endsWith("Z:I");
      door.catalogue.suspend(new TenantName("acme"));
      assertThat(other.read()).startsWith("E:57P01");
    }
  }

  @Test
  void aServerThatStopsLetsStatementsEnd() throws Exception {
    try (WireClient idle = WireClient.of(door, "acme");
        WireClient busy = WireClient.of(door, "globex")) {
      busy.query("select wait");
      door.sql.waiting.await();
      Thread closing = Thread.startVirtualThread(() -> door.server().close());
      assertThat(idle.read()).startsWith("E:57P01:the member stops");
      door.sessions.endUnless(_ -> false, "over");
      closing.join();
    }
    await().untilAsserted(() -> assertThat(door.sql.open.get()).isZero());
  }

  @Test
  void aSessionThatIsIdleEndsIfItWantsTo() throws IOException {
    try (WireClient client = WireClient.of(door, "acme")) {
      client.query("set idle_session_timeout = 50");
      assertThat(client.upToReady()).endsWith("Z:I");
      assertThat(client.read()).startsWith("E:57P05");
    }
  }

  @Test
  void theTenantOfAMemberForDevelopmentNeedsNoKey() throws IOException {
    try (TestDoor dev = new TestDoor(true, config -> config);
        WireClient client = new WireClient(dev)) {
      client.startup(0x30000, "user", "dev");
      assertThat(client.upToReady()).startsWith("R:0").endsWith("Z:I");
    }
  }

  @Test
  void unknownMessagesAndCopyAreRefused() throws IOException {
    try (WireClient client = WireClient.of(door, "acme")) {
      client.query("copy t from stdin");
      assertThat(client.upToReady()).first().asString().startsWith("E:0A000:COPY");
      client.out.begin('F').int32(1).end();
      client.sync().send();
      assertThat(client.upToReady()).first().asString().startsWith("E:0A000");
      client.out.begin('?').end();
      client.send();
      assertThat(client.read()).startsWith("E:08P01");
      assertThat(client.read()).isEqualTo("end");
    }
  }
}
