package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.server.config.ConfigReader;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.grant.Grant;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.params.SetParams;

/** Channels over two members: a message reaches subscribers on both, whichever it is given to. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ChannelsClusterTest {
  private static final Pattern MEMBER = Pattern.compile("this one: (\\S+)\\)");
  private static final int PATIENCE_MILLIS = 30_000;

  private final Map<String, String> keys = new HashMap<>();
  private Path secret;
  private Server first;
  private Server second;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    secret = Files.writeString(directory.resolve("secret"), "a secret of 32 characters or more");
    first = server("");
    second = server(address(first));
    for (String tenant : List.of("acme", "globex")) {
      keys.put(tenant, first.createTenant(tenant));
    }
  }

  @AfterAll
  void end() {
    second.close();
    first.close();
  }

  private Server server(String join) {
    Map<String, String> flags = new HashMap<>();
    for (String port : List.of("resp-port", "http-port", "client-port", "member-port")) {
      flags.put(port, "0");
    }
    flags.put("dev", "true");
    flags.put("log-level", "warn");
    flags.put("memory.size", "64m");
    flags.put("cluster-secret-file", secret.toString());
    flags.put("join", join);
    return Server.start(ConfigReader.read(null, flags));
  }

  private static String address(Server server) {
    Matcher matcher = MEMBER.matcher(String.join("\n", server.describe()));
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  private Jedis jedis(Server server, String tenant) {
    Jedis jedis = new Jedis("127.0.0.1", server.respPort(), PATIENCE_MILLIS);
    jedis.auth(tenant, keys.getOrDefault(tenant, ""));
    return jedis;
  }

  /** A connection that tells the lines it is sent. */
  private final class Hearer implements AutoCloseable {
    private final Socket socket;

    Hearer(Server server, String tenant, String... command) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), server.respPort());
      socket.setSoTimeout(PATIENCE_MILLIS);
      send("AUTH", tenant, keys.getOrDefault(tenant, ""));
      assertThat(line()).isEqualTo("+OK");
      send(command);
      assertThat(message()).startsWith(command[0].toLowerCase(java.util.Locale.ROOT));
    }

    private void send(String... words) throws IOException {
      StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
      for (String word : words) {
        text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
      }
      socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      int next;
      while ((next = socket.getInputStream().read()) >= 0 && next != '\n') {
        line.append((char) next);
      }
      return line.toString().stripTrailing();
    }

    /** The parts of the next message, with a space between two. */
    String message() throws IOException {
      int parts = Integer.parseInt(line().substring(1));
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < parts; i++) {
        String head = line();
        texts.add(head.startsWith("$") ? line() : head);
      }
      return String.join(" ", texts);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  @Order(1)
  void aMessageReachesSubscribersOfItsTenantOnEveryMember() throws IOException {
    try (Hearer here = new Hearer(first, "acme", "SUBSCRIBE", "news");
        Hearer there = new Hearer(second, "acme", "SUBSCRIBE", "news");
        Hearer pattern = new Hearer(second, "acme", "PSUBSCRIBE", "n?ws");
        Hearer shard = new Hearer(second, "acme", "SSUBSCRIBE", "news");
        Hearer stranger = new Hearer(second, "globex", "SUBSCRIBE", "news");
        Jedis acme = jedis(first, "acme");
        Jedis globex = jedis(first, "globex")) {
      assertThat(acme.publish("news", "hello")).isEqualTo(3);
      assertThat(here.message()).isEqualTo("message news hello");
      assertThat(there.message()).isEqualTo("message news hello");
      assertThat(pattern.message()).isEqualTo("pmessage n?ws news hello");
      assertThat(
              acme.sendCommand(() -> "SPUBLISH".getBytes(StandardCharsets.US_ASCII), "news", "s"))
          .isEqualTo(1L);
      assertThat(shard.message()).isEqualTo("smessage news s");
      assertThat(acme.pubsubChannels()).containsExactly("news");
      assertThat(acme.pubsubNumSub("news", "none")).containsEntry("news", 2L);
      assertThat(acme.pubsubNumPat()).isEqualTo(1);
      assertThat(globex.publish("news", "for globex")).isEqualTo(1);
      assertThat(stranger.message()).isEqualTo("message news for globex");
      assertThat(globex.pubsubNumPat()).isZero();
    }
    try (Jedis acme = jedis(first, "acme")) {
      await().until(() -> acme.publish("news", "to nobody") == 0);
    }
  }

  /** The first subscription of a tenant at a member is known everywhere when it is confirmed. */
  @Test
  @Order(2)
  void whatIsPublishedAfterAConfirmationIsHeard() throws IOException {
    for (int i = 0; i < 20; i++) {
      String tenant = "t" + i;
      keys.put(tenant, first.createTenant(tenant));
      try (Jedis speaker = jedis(i % 2 == 0 ? first : second, tenant);
          Hearer hearer = new Hearer(i % 2 == 0 ? second : first, tenant, "SUBSCRIBE", "c")) {
        assertThat(speaker.publish("c", "at once")).isEqualTo(1);
        assertThat(hearer.message()).isEqualTo("message c at once");
      }
      try (Jedis speaker = jedis(first, tenant)) { // tells that nobody listens any more
        await().until(() -> speaker.publish("c", "x") == 0);
      }
      try (Hearer again = new Hearer(second, tenant, "SUBSCRIBE", "c");
          Jedis speaker = jedis(first, tenant)) {
        assertThat(speaker.publish("c", "again")).isEqualTo(1);
        assertThat(again.message()).isEqualTo("message c again");
      }
    }
  }

  @Test
  @Order(3)
  void messagesOfAPublisherComeInOrderFromAnotherMember() throws IOException {
    int count = 3_000;
    try (Hearer there = new Hearer(second, "acme", "SUBSCRIBE", "numbers");
        Jedis acme = jedis(first, "acme")) {
      Pipeline pipeline = acme.pipelined();
      List<Response<Long>> receivers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        receivers.add(pipeline.publish("numbers", Integer.toString(i)));
      }
      pipeline.sync();
      assertThat(receivers).allMatch(each -> each.get() == 1);
      for (int i = 0; i < count; i++) {
        assertThat(there.message()).isEqualTo("message numbers " + i);
      }
    }
  }

  @Test
  @Order(4)
  void aGrantOpensChannelsOnEveryMemberAndItsRevocationShutsThem() throws IOException {
    Actor operator = Actor.operator(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    TenantName acme = new TenantName("acme");
    TenantName globex = new TenantName("globex");
    Grant grant =
        first
            .administration()
            .grantChannels(acme, globex, "news", Rights.OF_CHANNELS, null, operator);
    try (Hearer there = new Hearer(second, "globex", "SUBSCRIBE", "acme//news");
        Hearer pattern = new Hearer(first, "globex", "PSUBSCRIBE", "acme//news*");
        Hearer own = new Hearer(second, "acme", "SUBSCRIBE", "news");
        Jedis speaker = jedis(first, "acme");
        Jedis guest = jedis(first, "globex")) {
      assertThat(speaker.publish("news", "one")).isEqualTo(3);
      assertThat(there.message()).isEqualTo("message acme//news one");
      assertThat(pattern.message()).isEqualTo("pmessage acme//news* acme//news one");
      assertThat(own.message()).isEqualTo("message news one");
      assertThat(guest.publish("acme//news", "two")).isEqualTo(3);
      assertThat(there.message()).isEqualTo("message acme//news two");
      assertThat(pattern.message()).isEqualTo("pmessage acme//news* acme//news two");
      assertThat(own.message()).isEqualTo("message news two");
      assertThat(guest.pubsubChannels("acme//news*")).containsExactly("acme//news");
      assertThat(guest.pubsubNumSub("acme//news")).containsEntry("acme//news", 2L);
      assertThat(speaker.pubsubNumSub("news")).containsEntry("news", 2L);

      Grant _ = first.administration().revokeChannelGrant(acme, grant.id(), operator);
      assertThat(speaker.publish("news", "three")).isEqualTo(1);
      assertThat(there.message()).isEqualTo("unsubscribe acme//news :0");
      assertThat(pattern.message()).isEqualTo("punsubscribe acme//news* :0");
      assertThat(own.message()).isEqualTo("message news three");
      assertThatThrownBy(() -> guest.publish("acme//news", "four"))
          .hasMessageContaining("NOPERM tenant 'globex' needs a grant of publish");
    }
  }

  @Test
  @Order(5)
  void changesOfKeysAreToldOnEveryMember() throws IOException {
    Actor operator = Actor.operator(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    TenantName acme = new TenantName("acme");
    TenantName globex = new TenantName("globex");
    Grant write =
        first
            .administration()
            .grant(
                new QualifiedName(acme, new MapName("orders")),
                globex,
                Scope.prefix("k"),
                Rights.READ_WRITE,
                null,
                operator);
    try (Hearer there = new Hearer(second, "acme", "PSUBSCRIBE", "__key*");
        Hearer stranger = new Hearer(second, "globex", "PSUBSCRIBE", "__key*");
        Jedis here = jedis(first, "acme");
        Jedis elsewhere = jedis(second, "acme");
        Jedis guest = jedis(second, "globex")) {
      assertThat(here.configSet("notify-keyspace-events", "KEA")).isEqualTo("OK");
      await().until(() -> elsewhere.configGet("notify-keyspace-events").containsValue("AKE"));
      assertThat(guest.configGet("notify-keyspace-events")).containsValue("");
      String told = "pmessage __key* __";
      for (int i = 0; i < 20; i++) {
        Jedis client = i % 2 == 0 ? here : elsewhere;
        client.set("key" + i, "v");
        assertThat(there.message()).isEqualTo(told + "keyspace@0__:key" + i + " set");
        assertThat(there.message()).isEqualTo(told + "keyevent@0__:set key" + i);
        client.lpush("list" + i, "1");
        assertThat(there.message()).isEqualTo(told + "keyspace@0__:list" + i + " lpush");
        assertThat(there.message()).isEqualTo(told + "keyevent@0__:lpush list" + i);
        client.rpop("list" + i);
        assertThat(there.message()).isEqualTo(told + "keyspace@0__:list" + i + " rpop");
        assertThat(there.message()).isEqualTo(told + "keyevent@0__:rpop list" + i);
        assertThat(there.message()).isEqualTo(told + "keyspace@0__:list" + i + " del");
        assertThat(there.message()).isEqualTo(told + "keyevent@0__:del list" + i);
      }
      guest.sendCommand(() -> "SELECT".getBytes(StandardCharsets.US_ASCII), "acme/orders");
      guest.set("k", "v");
      assertThat(there.message()).isEqualTo(told + "keyspace@orders__:k set");
      assertThat(there.message()).isEqualTo(told + "keyevent@orders__:set k");
      assertThatThrownBy(() -> guest.set("other", "v")).hasMessageContaining("NOPERM");
      for (int i = 0; i < 8; i++) { // at the one member or the other
        here.set("brief" + i, "v", SetParams.setParams().px(20));
        List<String> heard = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (String event : List.of("set", "expire", "expired")) {
          heard.add(there.message());
          heard.add(there.message());
          expected.add(told + "keyspace@0__:brief" + i + " " + event);
          expected.add(told + "keyevent@0__:" + event + " brief" + i);
        }
        // The owner may tell that the key has expired before another member tells of the write.
        assertThat(heard).containsExactlyInAnyOrderElementsOf(expected);
      }
      assertThat(here.configSet("notify-keyspace-events", "")).isEqualTo("OK");
      here.set("key", "v");
      assertThat(here.publish("__key", "last")).isEqualTo(1);
      assertThat(there.message()).isEqualTo("pmessage __key* __key last");
      assertThat(jedis(first, "globex").publish("__key", "x")).isEqualTo(1);
      assertThat(stranger.message()).isEqualTo("pmessage __key* __key x");
    }
    Grant _ =
        first
            .administration()
            .revokeGrant(new QualifiedName(acme, new MapName("orders")), write.id(), operator);
  }

  @Test
  @Order(6)
  void membersComeAndGo() throws IOException {
    try (Hearer here = new Hearer(first, "acme", "SUBSCRIBE", "news");
        Jedis acme = jedis(first, "acme")) {
      Hearer there = new Hearer(second, "acme", "SUBSCRIBE", "news");
      assertThat(acme.publish("news", "one")).isEqualTo(2);
      second.close();
      assertThat(acme.publish("news", "two")).isEqualTo(1);
      assertThat(here.message()).isEqualTo("message news one");
      assertThat(here.message()).isEqualTo("message news two");
      there.close();
      second = server(address(first));
      try (Jedis joined = jedis(second, "acme");
          Hearer again = new Hearer(second, "acme", "SUBSCRIBE", "news")) {
        assertThat(joined.publish("news", "three")).isEqualTo(2);
        assertThat(here.message()).isEqualTo("message news three");
        assertThat(acme.publish("news", "four")).isEqualTo(2);
        assertThat(again.message()).isEqualTo("message news three");
        assertThat(again.message()).isEqualTo("message news four");
      }
    }
  }
}
