package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.grant.ChannelGrants;
import io.keyvalueserve.tenancy.grant.Grant;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.MapGrants;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Channels of one tenant that another is granted, over sockets. */
class ChannelGrantsTest {
  private final TenantDirectory tenants = new TenantDirectory(false);
  private final GrantDirectory grants = new GrantDirectory(tenants, InstantSource.system());
  private final List<AutoCloseable> opened = new ArrayList<>();
  private long revision;
  private TestMember member;
  private WireClient acme;

  @BeforeEach
  void start() throws IOException {
    tenants.apply(tenant("acme", TenantState.ACTIVE, 1));
    tenants.apply(tenant("globex", TenantState.ACTIVE, 1));
    member = TestMember.startGranted(new MapEngine(InstantSource.system()), grants);
    acme = connect("acme");
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    member.close();
  }

  private static Tenant tenant(String name, TenantState state, long revision) {
    return new Tenant(
        new TenantName(name),
        TestMember.identity(name).number(),
        state,
        Instant.EPOCH,
        List.of(),
        Quota.USUAL,
        revision);
  }

  private WireClient connect(String tenant) throws IOException {
    WireClient client = member.connect(tenant);
    opened.add(client);
    return client;
  }

  private void grant(Map<String, Rights> given) {
    grant(given, null);
  }

  private void grant(Map<String, Rights> given, @Nullable Instant expiresAt) {
    List<Grant> list = new ArrayList<>();
    given.forEach(
        (beginning, rights) ->
            list.add(
                new Grant(
                    "" + list.size(),
                    new TenantName("globex"),
                    TestMember.identity("globex").number(),
                    Scope.channels(beginning),
                    rights,
                    Instant.EPOCH,
                    expiresAt,
                    "operator")));
    grants
        .channels()
        .apply(
            new MapGrants(
                ChannelGrants.of(new TenantName("acme")),
                TestMember.identity("acme").number(),
                list,
                ++revision));
  }

  private static String message(String... words) {
    return WireClient.requestText(words);
  }

  private static String told(String action, String name, int count) {
    return "*3\r\n"
        + WireClient.requestText(action, name).substring("*2\r\n".length())
        + ":"
        + count
        + "\r\n";
  }

  private static String counted(String name, int count) {
    return "$" + name.length() + "\r\n" + name + "\r\n:" + count + "\r\n";
  }

  @Test
  void aGranteeHearsTheChannelsOfItsPrefixUnderItsOwnNames() throws IOException {
    grant(Map.of("news:", Rights.SUBSCRIBE));
    WireClient globex = connect("globex");
    WireClient own = connect("acme");
    assertThat(globex.call("SUBSCRIBE", "acme//news:eu", "news:eu"))
        .isEqualTo(told("subscribe", "acme//news:eu", 1));
    assertThat(globex.reply()).isEqualTo(told("subscribe", "news:eu", 2));
    assertThat(globex.call("PSUBSCRIBE", "acme//news:*"))
        .isEqualTo(told("psubscribe", "acme//news:*", 3));
    assertThat(globex.call("SSUBSCRIBE", "acme//news:eu"))
        .isEqualTo(told("ssubscribe", "acme//news:eu", 1));
    assertThat(own.call("SUBSCRIBE", "news:eu", "other")).startsWith("*3");
    assertThat(own.reply()).startsWith("*3");

    assertThat(acme.call("PUBLISH", "news:eu", "hello")).isEqualTo(":3\r\n");
    assertThat(globex.reply()).isEqualTo(message("message", "acme//news:eu", "hello"));
    assertThat(globex.reply())
        .isEqualTo(message("pmessage", "acme//news:*", "acme//news:eu", "hello"));
    assertThat(own.reply()).isEqualTo(message("message", "news:eu", "hello"));
    assertThat(acme.call("SPUBLISH", "news:eu", "s")).isEqualTo(":1\r\n");
    assertThat(globex.reply()).isEqualTo(message("smessage", "acme//news:eu", "s"));
    assertThat(acme.call("PUBLISH", "other", "secret")).isEqualTo(":1\r\n");
    assertThat(acme.call("PUBSUB", "NUMSUB", "news:eu")).endsWith(":2\r\n");
    assertThat(acme.call("PUBSUB", "NUMPAT")).isEqualTo(":0\r\n");

    WireClient asking = connect("globex");
    assertThat(asking.call("PUBSUB", "CHANNELS", "acme//news:*"))
        .isEqualTo(message("acme//news:eu"));
    assertThat(asking.call("PUBSUB", "CHANNELS")).isEqualTo(message("news:eu"));
    assertThat(asking.call("PUBSUB", "NUMSUB", "acme//news:eu", "news:eu", "acme//news:us"))
        .isEqualTo(
            "*6\r\n"
                + counted("acme//news:eu", 2)
                + counted("news:eu", 1)
                + counted("acme//news:us", 0));
    assertThat(asking.call("PUBLISH", "acme//news:eu", "x")).startsWith("-NOPERM");
    assertThat(globex.call("UNSUBSCRIBE", "acme//news:eu"))
        .isEqualTo(told("unsubscribe", "acme//news:eu", 2));
    assertThat(globex.call("PUNSUBSCRIBE")).isEqualTo(told("punsubscribe", "acme//news:*", 1));
    assertThat(acme.call("PUBLISH", "news:eu", "later")).isEqualTo(":1\r\n");
  }

  @Test
  void aGranteePublishesAlsoInBlocksAndScripts() throws IOException {
    grant(Map.of("in:", Rights.PUBLISH));
    WireClient globex = connect("globex");
    WireClient own = connect("acme");
    own.call("SUBSCRIBE", "in:1", "out:1");
    own.reply();
    assertThat(globex.call("PUBLISH", "acme//in:1", "a")).isEqualTo(":1\r\n");
    assertThat(own.reply()).isEqualTo(message("message", "in:1", "a"));
    globex.call("MULTI");
    globex.call("PUBLISH", "acme//in:1", "b");
    globex.call("PUBLISH", "acme//out:1", "c");
    assertThat(globex.call("EXEC"))
        .startsWith("*2\r\n:1\r\n-NOPERM tenant 'globex' needs a grant of publish on channels");
    assertThat(own.reply()).isEqualTo(message("message", "in:1", "b"));
    String script = "return redis.call('PUBLISH', ARGV[1], 'd')";
    assertThat(globex.call("EVAL", script, "0", "acme//in:1")).isEqualTo(":0\r\n");
    assertThat(own.reply()).isEqualTo(message("message", "in:1", "d"));
    assertThat(globex.call("EVAL", script, "0", "acme//out:1")).contains("NOPERM");
    assertThat(globex.call("SUBSCRIBE", "acme//in:1")).startsWith("-NOPERM");
    assertThat(globex.call("PUBLISH", "acme//in:1", "e")).isEqualTo(":1\r\n");
    assertThat(own.reply()).isEqualTo(message("message", "in:1", "e"));
  }

  @Test
  void aPatternDoesNotReachOutOfItsPrefix() throws IOException {
    grant(Map.of("news:", Rights.SUBSCRIBE, "a*:", Rights.SUBSCRIBE));
    WireClient globex = connect("globex");
    for (String pattern :
        List.of(
            "*",
            "n*",
            "news*",
            "new[s]:*",
            "?ews:*",
            "[n]ews:x",
            "ne\\ws",
            "\\*news:*",
            "[^z]*",
            "a*:x",
            "__key*",
            "")) {
      assertThat(globex.call("PSUBSCRIBE", "acme//" + pattern))
          .as(pattern)
          .startsWith("-NOPERM tenant 'globex' needs a grant of subscribe");
      assertThat(globex.call("PUBSUB", "CHANNELS", "acme//" + pattern))
          .as(pattern)
          .startsWith("-NOPERM");
    }
    assertThat(globex.call("PSUBSCRIBE", "acme//news:x", "acme//secret*")).startsWith("-NOPERM");
    assertThat(acme.call("PUBSUB", "NUMPAT")).isEqualTo(":0\r\n");
    assertThat(globex.call("PSUBSCRIBE", "acme//a\\*:*")).startsWith("*3");
    assertThat(globex.call("PSUBSCRIBE", "*", "?cme//*", "acme/*", "ac[m]e//news:*"))
        .startsWith("*3"); // its own channels, whatever they look like
    for (int i = 0; i < 3; i++) {
      globex.reply();
    }
    assertThat(acme.call("PUBLISH", "news:x", "m")).isEqualTo(":0\r\n");
    assertThat(acme.call("PUBLISH", "ab:x", "m")).isEqualTo(":0\r\n");
    assertThat(acme.call("PUBLISH", "a*:x", "m")).isEqualTo(":1\r\n");
    assertThat(globex.reply()).isEqualTo(message("pmessage", "acme//a\\*:*", "acme//a*:x", "m"));
  }

  @Test
  void nobodyLearnsWhichTenantsThereAre() throws IOException {
    WireClient globex = connect("globex");
    String refused = globex.call("SUBSCRIBE", "acme//news");
    assertThat(refused).startsWith("-NOPERM");
    assertThat(globex.call("SUBSCRIBE", "nobody//news"))
        .isEqualTo(refused.replace("acme", "nobody"));
    assertThat(globex.call("PUBLISH", "nobody//news", "x"))
        .isEqualTo(globex.call("PUBLISH", "acme//news", "x").replace("acme", "nobody"));
  }

  @Test
  void aRevokedGrantEndsSubscriptionsAtOnce() throws IOException {
    grant(Map.of("news:", Rights.SUBSCRIBE, "old:", Rights.SUBSCRIBE));
    WireClient globex = connect("globex");
    globex.call("SUBSCRIBE", "acme//news:eu", "acme//old:eu");
    globex.reply();
    globex.call("PSUBSCRIBE", "acme//news:*");
    globex.call("SSUBSCRIBE", "acme//news:eu");
    grant(Map.of("old:", Rights.SUBSCRIBE));
    assertThat(acme.call("PUBLISH", "news:eu", "secret")).isEqualTo(":0\r\n");
    List<String> pushes = List.of(globex.reply(), globex.reply(), globex.reply());
    assertThat(pushes)
        .containsExactlyInAnyOrder(
            told("unsubscribe", "acme//news:eu", 2),
            told("punsubscribe", "acme//news:*", 1),
            told("sunsubscribe", "acme//news:eu", 0));
    assertThat(globex.call("SUBSCRIBE", "acme//news:eu")).startsWith("-NOPERM");
    assertThat(acme.call("PUBLISH", "old:eu", "m")).isEqualTo(":1\r\n");
    assertThat(globex.reply()).isEqualTo(message("message", "acme//old:eu", "m"));

    tenants.apply(tenant("acme", TenantState.SUSPENDED, 2));
    assertThat(globex.reply()).isEqualTo(told("unsubscribe", "acme//old:eu", 0));
    assertThat(globex.call("PING")).isEqualTo("+PONG\r\n");
    assertThat(member.server().subscriptions(ChannelKind.CHANNEL)).isZero();
  }

  @Test
  void aGrantThatEndsByItselfEndsSubscriptions() throws IOException {
    grant(Map.of("news:", Rights.SUBSCRIBE), Instant.now().plusMillis(700));
    WireClient globex = connect("globex");
    assertThat(globex.call("SUBSCRIBE", "acme//news:eu")).startsWith("*3");
    assertThat(globex.reply()).isEqualTo(told("unsubscribe", "acme//news:eu", 0));
    assertThat(acme.call("PUBLISH", "news:eu", "late")).isEqualTo(":0\r\n");
  }

  @Test
  void anOwnerMaySayItsOwnName() throws IOException {
    WireClient own = connect("acme");
    assertThat(own.call("SUBSCRIBE", "acme//news")).isEqualTo(told("subscribe", "acme//news", 1));
    assertThat(acme.call("PUBLISH", "news", "m")).isEqualTo(":1\r\n");
    assertThat(own.reply()).isEqualTo(message("message", "acme//news", "m"));
    assertThat(acme.call("PUBLISH", "acme//news", "n")).isEqualTo(":1\r\n");
    assertThat(own.reply()).isEqualTo(message("message", "acme//news", "n"));
  }

  @Test
  void costlyPatternsOfAGranteeDoNotHarmTheOwner() throws IOException {
    grant(Map.of("n:", Rights.SUBSCRIBE));
    WireClient globex = connect("globex");
    for (int i = 0; i < 256; i++) {
      assertThat(globex.call("PSUBSCRIBE", "acme//n:" + "*a".repeat(100) + i)).startsWith("*3");
    }
    assertThat(globex.call("PSUBSCRIBE", "acme//n:x")).startsWith("-QUOTA");
    WireClient own = connect("acme");
    own.call("SUBSCRIBE", "n:" + "a".repeat(2000));
    assertThat(acme.call("PUBLISH", "n:" + "a".repeat(2000), "m")).isEqualTo(":1\r\n");
    assertThat(own.reply()).contains("message");
  }

  @Test
  void aGranteeThatLeavesIsForgotten() throws IOException {
    grant(Map.of("news:", Rights.SUBSCRIBE));
    try (WireClient globex = member.connect("globex")) {
      globex.call("SUBSCRIBE", "acme//news:eu");
    }
    await().until(() -> acme.call("PUBLISH", "news:eu", "m").equals(":0\r\n"));
    assertThat(acme.call("PUBSUB", "CHANNELS")).isEqualTo("*0\r\n");
  }
}
