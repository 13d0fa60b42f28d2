package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.resp.RespServerConfig.MessageLimits;
import io.keyvalueserve.tenancy.Door;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels of one member, over sockets: what clients are sent, byte by byte. */
class ChannelsTest {
  private static final String RESTRICTED =
      "only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context";

  private final List<AutoCloseable> opened = new ArrayList<>();
  private TestMember member;

  @BeforeEach
  void start() throws IOException {
    member = TestMember.start();
  }

  private void restart(UnaryOperator<RespServerConfig> settings) throws IOException {
    member.close();
    member = TestMember.start(new MapEngine(InstantSource.system()), settings);
  }

  private WireClient connect(String tenant) throws IOException {
    WireClient client = member.connect(tenant);
    opened.add(client);
    return client;
  }

  private WireClient connectResp3(String tenant) throws IOException {
    WireClient client = connect(tenant);
    client.call("HELLO", "3");
    return client;
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    member.close();
  }

  private static String array(char type, String... words) {
    return type + WireClient.requestText(words).substring(1);
  }

  private static String confirmed(char type, String action, String name, int count) {
    return type
        + "3\r\n"
        + WireClient.requestText(action, name).substring("*2\r\n".length())
        + ":"
        + count
        + "\r\n";
  }

  @Test
  void aSubscriberOfResp2HearsMessagesAndMayDoLittleElse() throws IOException {
    WireClient hearer = connect("acme");
    WireClient speaker = connect("acme");
    hearer.send(WireClient.request("SUBSCRIBE", "a", "b", "a"));
    assertThat(hearer.reply()).isEqualTo(confirmed('*', "subscribe", "a", 1));
    assertThat(hearer.reply()).isEqualTo(confirmed('*', "subscribe", "b", 2));
    assertThat(hearer.reply()).isEqualTo(confirmed('*', "subscribe", "a", 2));
    assertThat(hearer.call("PSUBSCRIBE", "a*")).isEqualTo(confirmed('*', "psubscribe", "a*", 3));
    assertThat(hearer.call("SSUBSCRIBE", "a")).isEqualTo(confirmed('*', "ssubscribe", "a", 1));

    assertThat(speaker.call("PUBLISH", "a", "hello")).isEqualTo(":2\r\n");
    assertThat(hearer.reply()).isEqualTo(array('*', "message", "a", "hello"));
    assertThat(hearer.reply()).isEqualTo(array('*', "pmessage", "a*", "a", "hello"));
    assertThat(speaker.call("SPUBLISH", "a", "")).isEqualTo(":1\r\n");
    assertThat(hearer.reply()).isEqualTo(array('*', "smessage", "a", ""));

    assertThat(hearer.call("PING")).isEqualTo(array('*', "pong", ""));
    assertThat(hearer.call("PING", "x")).isEqualTo(array('*', "pong", "x"));
    assertThat(hearer.call("GET", "k"))
        .isEqualTo("-ERR Can't execute 'get': " + RESTRICTED + "\r\n");
    assertThat(hearer.call("CLIENT", "INFO"))
        .isEqualTo("-ERR Can't execute 'client|info': " + RESTRICTED + "\r\n");
    assertThat(speaker.call("CLIENT", "LIST", "TYPE", "pubsub"))
        .contains(" flags=P ", " sub=2 psub=1 ssub=1 ");
    assertThat(speaker.call("CLIENT", "LIST", "TYPE", "normal"))
        .contains(" flags=N ", " sub=0 psub=0 ssub=0 ")
        .doesNotContain("flags=P");
    assertThat(speaker.call("INFO", "stats"))
        .contains("pubsub_channels:2\r\npubsub_patterns:1\r\npubsubshard_channels:1");

    assertThat(hearer.call("UNSUBSCRIBE", "a", "c"))
        .isEqualTo(confirmed('*', "unsubscribe", "a", 2));
    assertThat(hearer.reply()).isEqualTo(confirmed('*', "unsubscribe", "c", 2));
    assertThat(hearer.call("UNSUBSCRIBE")).isEqualTo(confirmed('*', "unsubscribe", "b", 1));
    assertThat(hearer.call("UNSUBSCRIBE")).isEqualTo("*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:1\r\n");
    assertThat(hearer.call("PUNSUBSCRIBE")).isEqualTo(confirmed('*', "punsubscribe", "a*", 0));
    assertThat(hearer.call("SUNSUBSCRIBE")).isEqualTo(confirmed('*', "sunsubscribe", "a", 0));
    assertThat(hearer.call("PING")).isEqualTo("+PONG\r\n");
    assertThat(speaker.call("PUBLISH", "a", "hello")).isEqualTo(":0\r\n");
    assertThat(member.server().subscriptions(ChannelKind.CHANNEL)).isZero();
  }

  @Test
  void aSubscriberOfResp3GoesOnAsBefore() throws IOException {
    WireClient hearer = connectResp3("acme");
    assertThat(hearer.call("SUBSCRIBE", "a")).isEqualTo(confirmed('>', "subscribe", "a", 1));
    assertThat(hearer.call("SET", "k", "v")).isEqualTo("+OK\r\n");
    assertThat(hearer.call("PING")).isEqualTo("+PONG\r\n");
    hearer.send(WireClient.request("PUBLISH", "a", "to myself"));
    assertThat(hearer.reply()).as("as in Redis").isEqualTo(array('>', "message", "a", "to myself"));
    assertThat(hearer.reply()).isEqualTo(":1\r\n");
    WireClient speaker = connect("acme");
    speaker.call("PUBLISH", "a", "one");
    assertThat(hearer.reply()).isEqualTo(array('>', "message", "a", "one"));
    assertThat(hearer.call("UNSUBSCRIBE", "none"))
        .isEqualTo(confirmed('>', "unsubscribe", "none", 1));
    hearer.call("HELLO", "2");
    assertThat(hearer.call("GET", "k")).startsWith("-ERR Can't execute 'get'");
  }

  @Test
  void aClientThatWantsNoRepliesHearsWhatItSubscribesTo() throws IOException {
    for (char type : new char[] {'*', '>'}) {
      WireClient hearer = type == '*' ? connect("acme") : connectResp3("acme");
      WireClient speaker = connect("acme");
      hearer.send(WireClient.request("CLIENT", "REPLY", "OFF"));
      assertThat(hearer.call("SUBSCRIBE", "a")).isEqualTo(confirmed(type, "subscribe", "a", 1));
      assertThat(hearer.call("PSUBSCRIBE", "a*")).isEqualTo(confirmed(type, "psubscribe", "a*", 2));
      assertThat(speaker.call("PUBLISH", "a", "hello")).isEqualTo(":2\r\n");
      assertThat(hearer.reply()).isEqualTo(array(type, "message", "a", "hello"));
      assertThat(hearer.reply()).isEqualTo(array(type, "pmessage", "a*", "a", "hello"));
      hearer.send(WireClient.request("PING"));
      assertThat(hearer.call("UNSUBSCRIBE", "a")).isEqualTo(confirmed(type, "unsubscribe", "a", 1));
      assertThat(hearer.call("PUNSUBSCRIBE")).isEqualTo(confirmed(type, "punsubscribe", "a*", 0));
      hearer.send(WireClient.request("CLIENT", "REPLY", "ON"));
      assertThat(hearer.reply()).isEqualTo("+OK\r\n");
    }
  }

  @Test
  void resetAndTheEndOfAConnectionEndSubscriptions() throws IOException {
    WireClient hearer = connectResp3("acme");
    hearer.call("SUBSCRIBE", "a");
    hearer.call("PSUBSCRIBE", "*");
    WireClient speaker = connect("acme");
    speaker.call("PUBLISH", "a", "last");
    assertThat(hearer.reply()).isEqualTo(array('>', "message", "a", "last"));
    assertThat(hearer.reply()).isEqualTo(array('>', "pmessage", "*", "a", "last"));
    assertThat(hearer.call("RESET")).isEqualTo("+RESET\r\n");
    assertThat(speaker.call("PUBLISH", "a", "x")).isEqualTo(":0\r\n");
    assertThat(hearer.call("AUTH", "acme", TestMember.key("acme"))).isEqualTo("+OK\r\n");
    hearer.call("SUBSCRIBE", "a");
    hearer.close();
    await().until(() -> speaker.call("PUBLISH", "a", "x").equals(":0\r\n"));
    assertThat(speaker.call("PUBSUB", "CHANNELS")).isEqualTo("*0\r\n");
    assertThat(member.server().subscriptions(ChannelKind.CHANNEL)).isZero();
  }

  @Test
  void aTenantHearsAndListsItsOwnChannelsOnly() throws IOException {
    WireClient acme = connect("acme");
    WireClient globex = connect("globex");
    acme.call("SUBSCRIBE", "news");
    acme.call("PSUBSCRIBE", "n*");
    globex.call("SUBSCRIBE", "news");
    WireClient speaker = connect("globex");
    assertThat(speaker.call("PUBSUB", "NUMPAT")).isEqualTo(":0\r\n");
    assertThat(speaker.call("PUBSUB", "CHANNELS")).isEqualTo("*1\r\n$4\r\nnews\r\n");
    assertThat(speaker.call("PUBSUB", "NUMSUB", "news", "old"))
        .isEqualTo("*4\r\n$4\r\nnews\r\n:1\r\n$3\r\nold\r\n:0\r\n");
    assertThat(speaker.call("PUBSUB", "NUMSUB")).isEqualTo("*0\r\n");
    assertThat(speaker.call("PUBLISH", "news", "for globex")).isEqualTo(":1\r\n");
    assertThat(globex.reply()).contains("for globex");
    assertThat(connect("acme").call("PUBLISH", "news", "for acme")).isEqualTo(":2\r\n");
    assertThat(acme.reply()).isEqualTo(array('*', "message", "news", "for acme"));
    // A client that shows another key is of that tenant from then on.
    WireClient turncoat = connectResp3("acme");
    turncoat.call("SUBSCRIBE", "news");
    assertThat(turncoat.call("AUTH", "globex", TestMember.key("globex"))).isEqualTo("+OK\r\n");
    assertThat(connect("acme").call("PUBLISH", "news", "secret")).isEqualTo(":2\r\n");
    assertThat(turncoat.call("PING")).isEqualTo("+PONG\r\n");
  }

  @Test
  void messagesOfAPublisherComeInOrderAndAreMetered() throws IOException {
    int count = 20_000;
    List<WireClient> hearers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      WireClient hearer = i % 2 == 0 ? connect("acme") : connectResp3("acme");
      hearer.call("SUBSCRIBE", "numbers");
      hearers.add(hearer);
    }
    long before = member.meters().reading(TestMember.identity("acme"), Door.RESP).bytesOut();
    WireClient speaker = connect("acme");
    Thread publishing =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    for (int i = 0; i < count; i++) {
                      speaker.send(WireClient.request("PUBLISH", "numbers", Integer.toString(i)));
                    }
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                });
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      for (WireClient hearer : hearers) {
        String message = hearer.reply();
        bytes += message.length();
        assertThat(message.substring(1))
            .isEqualTo(array('*', "message", "numbers", Integer.toString(i)).substring(1));
      }
    }
    for (int i = 0; i < count; i++) {
      assertThat(speaker.reply()).isEqualTo(":6\r\n");
    }
    long delivered = bytes;
    await()
        .untilAsserted(
            () ->
                assertThat(
                        member.meters().reading(TestMember.identity("acme"), Door.RESP).bytesOut()
                            - before)
                    .isGreaterThanOrEqualTo(delivered + count * 4L));
    assertThat(publishing.isAlive()).isFalse();
    assertThat(member.server().subscribersCutOff()).isZero();
    assertThat(member.server().deliveredMessages()).isEqualTo(6L * count);
  }

  @Test
  void largeMessagesReachAllSubscribers() throws IOException {
    WireClient second = connect("acme");
    WireClient third = connectResp3("acme");
    second.call("SUBSCRIBE", "big");
    third.call("SUBSCRIBE", "big");
    String text = "x".repeat(3 << 20);
    WireClient speaker = connect("acme");
    for (int i = 0; i < 3; i++) {
      speaker.send(WireClient.request("PUBLISH", "big", text));
    }
    for (int i = 0; i < 3; i++) {
      assertThat(second.reply()).isEqualTo(array('*', "message", "big", text));
      assertThat(third.reply()).isEqualTo(array('>', "message", "big", text));
      assertThat(speaker.reply()).isEqualTo(":2\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSubscriberThatDoesNotReadIsCutOffAndOthersHearAll(boolean isHard) throws IOException {
    MessageLimits limits =
        isHard
            ? new MessageLimits(4 << 20, 4 << 20, Duration.ofHours(1))
            : new MessageLimits(1L << 40, 1 << 20, Duration.ofMillis(100));
    restart(config -> config.withMessages(limits));
    WireClient slow = new WireClient(member.port(), 4096);
    opened.add(slow);
    slow.call("AUTH", "acme", TestMember.key("acme"));
    slow.call("SUBSCRIBE", "news");
    WireClient quick = connect("acme");
    quick.call("SUBSCRIBE", "news");
    WireClient speaker = connect("acme");
    String text = "x".repeat(10_000);
    int sent = 0;
    while (member.server().subscribersCutOff() == 0) {
      assertThat(sent).as("messages before anybody is cut off").isLessThan(100_000);
      assertThat(speaker.call("PUBLISH", "news", text)).startsWith(":");
      assertThat(quick.reply()).isEqualTo(array('*', "message", "news", text));
      sent++;
    }
    await().until(() -> speaker.call("PUBLISH", "news", text).equals(":1\r\n"));
    assertThat(member.server().subscribersCutOff()).isEqualTo(1);
    try {
      while (true) {
        slow.reply();
      }
    } catch (EOFException | java.net.SocketException e) {
      assertThat(quick.reply()).contains(text);
    }
  }

  @Test
  void hostilePatternsHoldNobodyUp() throws IOException {
    WireClient hearer = connect("acme");
    for (int i = 0; i < 200; i++) {
      hearer.call("PSUBSCRIBE", "*a".repeat(2_000) + i);
    }
    WireClient speaker = connect("acme");
    long begin = System.nanoTime();
    String answer = speaker.call("PUBLISH", "a".repeat(60_000), "x");
    assertThat(answer).startsWith("-ERR the patterns").contains("too many steps");
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
    assertThat(speaker.call("PUBLISH", "b", "x")).isEqualTo(":0\r\n");
    assertThat(connect("globex").call("PING")).isEqualTo("+PONG\r\n");
    assertThat(hearer.call("PING")).isEqualTo(array('*', "pong", ""));
  }

  @Test
  void namesAndPatternsAreBounded() throws IOException {
    WireClient hearer = connectResp3("acme");
    String[] request = new String[ClientChannels.MOST_NAMES + 2];
    java.util.Arrays.setAll(request, i -> i == 0 ? "SUBSCRIBE" : "c" + i);
    assertThat(hearer.call(request)).startsWith("-ERR a request may have up to");
    assertThat(connect("acme").call("PUBSUB", "CHANNELS")).isEqualTo("*0\r\n");
    int most = 4096;
    for (int i = 0; i <= most; i++) {
      hearer.send(WireClient.request("PSUBSCRIBE", "p" + i));
    }
    for (int i = 0; i < most; i++) {
      assertThat(hearer.reply()).startsWith(">3");
    }
    assertThat(hearer.reply()).startsWith("-QUOTA a tenant's clients may subscribe to up to 4096");
  }

  @Test
  void subscribersOfSeveralTenantsOnOneLoopTakeTurns() throws IOException {
    restart(config -> config.withEventLoops(1));
    List<WireClient> hearers = new ArrayList<>();
    for (String tenant : List.of("acme", "globex")) {
      for (int i = 0; i < 5; i++) {
        WireClient hearer = connectResp3(tenant);
        hearer.call("SUBSCRIBE", tenant);
        hearers.add(hearer);
      }
    }
    WireClient acme = connect("acme");
    WireClient globex = connect("globex");
    int count = 5_000;
    for (int i = 0; i < count; i++) {
      acme.send(WireClient.request("PUBLISH", "acme", "m" + i));
      globex.send(WireClient.request("PUBLISH", "globex", "m" + i));
    }
    for (int i = 0; i < hearers.size(); i++) {
      String tenant = i < 5 ? "acme" : "globex";
      for (int n = 0; n < count; n++) {
        assertThat(hearers.get(i).reply()).isEqualTo(array('>', "message", tenant, "m" + n));
      }
    }
    for (int i = 0; i < count; i++) {
      assertThat(acme.reply()).isEqualTo(":5\r\n");
      assertThat(globex.reply()).isEqualTo(":5\r\n");
    }
  }

  @Test
  void aClientWithoutAKeyHasNoChannels() throws IOException {
    WireClient stranger = member.connect();
    opened.add(stranger);
    for (String command : List.of("SUBSCRIBE", "UNSUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE")) {
      assertThat(stranger.call(command, "a")).startsWith("-NOAUTH");
    }
    assertThat(stranger.call("PUBLISH", "a", "b")).startsWith("-NOAUTH");
    assertThat(stranger.call("PUBSUB", "CHANNELS")).startsWith("-NOAUTH");
  }

  @Test
  void aBlockPublishesWhenItIsCarriedOut() throws IOException {
    WireClient hearer = connect("acme");
    WireClient speaker = connect("acme");
    hearer.call("SUBSCRIBE", "news");
    speaker.call("MULTI");
    assertThat(speaker.call("PUBLISH", "news", "first")).isEqualTo("+QUEUED\r\n");
    speaker.call("SET", "k", "v");
    assertThat(speaker.call("SPUBLISH", "news", "nobody")).isEqualTo("+QUEUED\r\n");
    speaker.call("EVAL", "redis.call('publish', 'news', ARGV[1]) return 1", "0", "second");
    speaker.call("PUBLISH", "news", "third");
    assertThat(speaker.call("EXEC")).isEqualTo("*5\r\n:1\r\n+OK\r\n:0\r\n:1\r\n:1\r\n");
    assertThat(hearer.reply()).isEqualTo(array('*', "message", "news", "first"));
    assertThat(hearer.reply()).isEqualTo(array('*', "message", "news", "second"));
    assertThat(hearer.reply()).isEqualTo(array('*', "message", "news", "third"));
  }

  @Test
  void aBlockThatDoesNothingPublishesNothing() throws IOException {
    WireClient hearer = connect("acme");
    WireClient speaker = connect("acme");
    hearer.call("SUBSCRIBE", "news");
    speaker.call("WATCH", "k");
    connect("acme").call("SET", "k", "changed");
    speaker.call("MULTI");
    speaker.call("PUBLISH", "news", "not sent");
    assertThat(speaker.call("EXEC")).isEqualTo("*-1\r\n");
    speaker.call("KVS.MULTI", "ROLLBACK");
    speaker.call("MULTI");
    speaker.call("PUBLISH", "news", "not sent either");
    speaker.call("INCR", "k");
    assertThat(speaker.call("EXEC")).startsWith("-EXECABORT ");
    speaker.call("MULTI");
    speaker.call("PUBLISH", "news", "nor this");
    speaker.call("DISCARD");
    speaker.call("PUBLISH", "news", "sent");
    assertThat(hearer.reply()).isEqualTo(array('*', "message", "news", "sent"));
  }

  @Test
  void aScriptPublishesWhenItHasEnded() throws IOException {
    WireClient hearer = connect("acme");
    WireClient speaker = connect("acme");
    hearer.call("PSUBSCRIBE", "n*");
    String script =
        "redis.call('set', KEYS[1], 'v') redis.call('publish', 'news', 'a')"
            + " return redis.call('publish', 'news', 'b')";
    assertThat(speaker.call("EVAL", script, "1", "k")).isEqualTo(":0\r\n");
    assertThat(hearer.reply()).isEqualTo(array('*', "pmessage", "n*", "news", "a"));
    assertThat(hearer.reply()).isEqualTo(array('*', "pmessage", "n*", "news", "b"));

    String slow = "for i = 1, 3000000 do end redis.call('publish', 'news', 'late')";
    assertThat(speaker.call("EVAL", slow, "0")).isEqualTo("$-1\r\n");
    assertThat(hearer.reply()).isEqualTo(array('*', "pmessage", "n*", "news", "late"));

    assertThat(speaker.call("EVAL_RO", "return redis.call('publish', 'news', 'x')", "0"))
        .contains("Write commands are not allowed from read-only scripts");
    assertThat(
            speaker.call("EVAL", "for i = 1, 1025 do redis.call('publish', 'news', 'x') end", "0"))
        .contains("a script publishes at most 1024 messages");
  }
}
