package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.GrantedEngine;
import io.keyvalueserve.engine.rdb.OldEncodings;
import io.keyvalueserve.engine.rdb.RdbWriter;
import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.command.CommandTable;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.grant.ChannelGrants;
import io.keyvalueserve.tenancy.grant.Grant;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.MapGrants;
import io.keyvalueserve.tenancy.grant.Right;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every command on another tenant's map, with every set of rights: what {@code docs/tenancy.md}
 * says it needs is what it needs, and what is refused changes and tells nothing.
 */
@ParameterizedClass
@EnumSource(Way.class)
class GrantMatrixTest {
  private static final QualifiedName ORDERS =
      new QualifiedName(new TenantName("acme"), new MapName("orders"));
  private static final String SECRET = "7431";
  private static final String DUMP = new String(RdbWriter.dump(new byte[] {'x'}), ISO_8859_1);
  private static final String SET_DUMP =
      new String(
          OldEncodings.payload(2, OldEncodings.length(1), OldEncodings.string(new byte[] {'x'})),
          ISO_8859_1);

  /**
   * One request for each row of the table that needs one, and for words that change what it needs.
   */
  private static final List<String> REQUESTS =
      List.of(
          "exists k",
          "exists k k2",
          "get k",
          "getrange k 0 1",
          "mget k k2",
          "pttl k",
          "strlen k",
          "substr k 0 1",
          "touch k",
          "ttl k",
          "type k",
          "expiretime k",
          "pexpiretime k",
          "del k",
          "del k k2",
          "expire k 100",
          "expireat k 2000000000",
          "mset k 1 k2 2",
          "msetnx k 1 k2 2",
          "persist k",
          "pexpire k 100000",
          "pexpireat k 2000000000000",
          "psetex k 100000 1",
          "set k 1",
          "set k 1 nx",
          "set k 1 xx ex 100",
          "setex k 100 1",
          "setnx k 1",
          "unlink k",
          "append k 1",
          "decr k",
          "decrby k 2",
          "getdel k",
          "getex k ex 100",
          "getset k 1",
          "incr k",
          "incrby k 2",
          "incrbyfloat k 2",
          "setrange k 0 1",
          "getbit k 1",
          "bitcount k",
          "bitpos k 1",
          "bitfield_ro k get u8 0",
          "dump k",
          "lcs k k2",
          "pfcount k",
          "pfcount k k2",
          "restore k 0 " + DUMP + " replace",
          "restore k 0 " + DUMP,
          "restore k 0 " + SET_DUMP + " replace",
          "restore k 0 " + SET_DUMP,
          "setbit k 1 1",
          "bitfield k set u8 0 1",
          "pfadd k 1",
          "pfmerge k k2",
          "bitop or k k",
          "rename k k2",
          "renamenx k k3",
          "copy k k2 replace",
          "keys *",
          "scan 0",
          "dbsize",
          "randomkey",
          "flushdb",
          "flushall",
          "kvs.unlock k",
          "hexists k f",
          "hget k f",
          "hgetall k",
          "hkeys k",
          "hlen k",
          "hmget k f",
          "hrandfield k",
          "hscan k 0",
          "hstrlen k f",
          "hvals k",
          "httl k fields 1 f",
          "hpttl k fields 1 f",
          "hexpiretime k fields 1 f",
          "hpexpiretime k fields 1 f",
          "scard k",
          "sismember k 1",
          "smembers k",
          "smismember k 1",
          "srandmember k",
          "sscan k 0",
          "sinter k k2",
          "sunion k k2",
          "sdiff k k2",
          "sintercard 2 k k2",
          "hdel k f",
          "hset k f 1",
          "hmset k f 1",
          "hsetnx k f 1",
          "hincrby k f 1",
          "hincrbyfloat k f 1",
          "hexpire k 100 fields 1 f",
          "hpexpire k 100000 fields 1 f",
          "hexpireat k 2000000000 fields 1 f",
          "hpexpireat k 2000000000000 fields 1 f",
          "hpersist k fields 1 f",
          "hgetdel k fields 1 f",
          "hgetex k ex 100 fields 1 f",
          "hsetex k fields 1 f 1",
          "sadd k 1",
          "srem k 1",
          "spop k",
          "smove k k2 1",
          "sinterstore k k2",
          "sunionstore k k2",
          "sdiffstore k k2",
          "lindex k 0",
          "llen k",
          "lpos k 1",
          "lrange k 0 1",
          "zcard k",
          "zcount k 0 1",
          "zdiff 2 k k2",
          "zinter 2 k k2",
          "zintercard 2 k k2",
          "zlexcount k - +",
          "zmscore k 1",
          "zrandmember k",
          "zrange k 0 1",
          "zrangebylex k - +",
          "zrangebyscore k 0 1",
          "zrank k 1",
          "zrevrange k 0 1",
          "zrevrangebylex k + -",
          "zrevrangebyscore k 1 0",
          "zrevrank k 1",
          "zscan k 0",
          "zscore k 1",
          "zunion 2 k k2",
          "linsert k before 1 2",
          "lmove k k2 left left",
          "lmpop 2 k k2 left",
          "blmove k k2 left left 0.01",
          "blmpop 0.01 2 k k2 left",
          "blpop k k2 0.01",
          "brpop k k2 0.01",
          "brpoplpush k k2 0.01",
          "bzmpop 0.01 2 k k2 min",
          "bzpopmax k k2 0.01",
          "bzpopmin k k2 0.01",
          "lpop k",
          "lpush k 1",
          "lpushx k 1",
          "lrem k 0 1",
          "lset k 0 1",
          "ltrim k 0 1",
          "rpop k",
          "rpoplpush k k2",
          "rpush k 1",
          "rpushx k 1",
          "zadd k 1 1",
          "zdiffstore k 1 k2",
          "zincrby k 1 1",
          "zinterstore k 1 k2",
          "zmpop 2 k k2 min",
          "zpopmax k",
          "zpopmin k",
          "zrangestore k k2 0 1",
          "zrem k 1",
          "zremrangebylex k - +",
          "zremrangebyrank k 0 1",
          "zremrangebyscore k 0 1",
          "zunionstore k 1 k2",
          "move k 5",
          "sort k",
          "sort_ro k",
          "geoadd k 1 1 m",
          "geodist k m n",
          "geohash k m",
          "geopos k m",
          "georadius k 1 1 1 km",
          "georadius_ro k 1 1 1 km",
          "georadiusbymember k m 1 km",
          "georadiusbymember_ro k m 1 km",
          "geosearch k frommember m byradius 1 km",
          "geosearchstore k k2 frommember m byradius 1 km");

  /** What words change. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "set k 1 get", "read,write on each key",
          "expire k 100 nx", "read,write on each key",
          "pexpire k 100000 gt", "read,write on each key",
          "getex k", "read on each key",
          "hgetex k fields 1 f", "read on each key",
          "bitfield k get u8 0", "read on each key",
          "sort k store k2", "read,write on each key",
          "georadius k 1 1 1 km store k2", "read,write on each key",
          "georadiusbymember k m 1 km storedist k2", "read,write on each key");

  @Parameter private Way way = Way.DIRECT;

  private final TenantDirectory tenants = new TenantDirectory(false);
  private final GrantDirectory grants = new GrantDirectory(tenants, InstantSource.system());
  private long revision;
  private @Nullable TestMember started;
  private @Nullable WireClient owner;

  @BeforeEach
  void start() throws IOException {
    tenants.apply(tenant("acme"));
    tenants.apply(tenant("globex"));
    TestMember member =
        TestMember.startGranted(
            new GrantedEngine(way.engine(InstantSource.system()), grants), grants);
    started = member;
    owner = member.connect("acme");
    assertThat(owner.call("SELECT", "orders")).isEqualTo("+OK\r\n");
  }

  @AfterEach
  void end() throws IOException {
    if (owner != null) {
      owner.close();
    }
    if (started != null) {
      started.close();
    }
  }

  private static Tenant tenant(String name) {
    return new Tenant(
        new TenantName(name),
        TestMember.identity(name).number(),
        TenantState.ACTIVE,
        Instant.EPOCH,
        List.of(),
        Quota.USUAL,
        1);
  }

  private void grant(Map<Scope, Rights> given) {
    List<Grant> list = new ArrayList<>();
    given.forEach(
        (scope, rights) ->
            list.add(
                new Grant(
                    "" + list.size(),
                    new TenantName("globex"),
                    TestMember.identity("globex").number(),
                    scope,
                    rights,
                    Instant.EPOCH,
                    null,
                    "operator")));
    grants.apply(new MapGrants(ORDERS, TestMember.identity("acme").number(), list, ++revision));
  }

  /** The table of the docs: what each command needs. */
  private static Map<String, String> documented() throws IOException {
    String docs = Files.readString(Path.of("..", "docs", "tenancy.md"));
    return documented(docs, "### Redis commands on another's map");
  }

  private static Map<String, String> documented(String docs, String title) {
    String table = docs.substring(docs.indexOf(title) + 1);
    table = table.substring(0, table.indexOf("\n##"));
    Map<String, String> needs = new TreeMap<>();
    Matcher rows = Pattern.compile("(?m)^\\| (`[^|]*`) \\| ([^|]*) \\|$").matcher(table);
    while (rows.find()) {
      for (String name : rows.group(1).substring(1).split("`(?: `)?", -1)) {
        if (name.isEmpty()) {
          continue;
        }
        assertThat(needs.put(name.toLowerCase(Locale.ROOT), rows.group(2))).as(name).isNull();
      }
    }
    return needs;
  }

  @Test
  void theTableHasEveryCommandOnDataAndATrial() throws IOException {
    TreeSet<String> onData = new TreeSet<>();
    for (Command command : CommandTable.standard().commands()) {
      if (isOnData(command)) {
        onData.add(command.descriptor().name());
      }
    }
    assertThat(documented().keySet()).isEqualTo(onData);
    TreeSet<String> tried = new TreeSet<>();
    REQUESTS.forEach(request -> tried.add(request.split(" ", -1)[0]));
    assertThat(tried).isEqualTo(onData);
  }

  private static boolean isOnData(Command command) {
    return command.descriptor().group() != Group.SCRIPTING // each command inside needs its own
        && (command.descriptor().has(Flag.WRITE) || command.descriptor().has(Flag.READONLY));
  }

  @Test
  void everyCommandNeedsWhatTheTableSays() throws IOException {
    Map<String, String> needs = new HashMap<>(EXCEPTIONS);
    Map<String, String> table = documented();
    REQUESTS.forEach(
        request -> needs.put(request, table.getOrDefault(request.split(" ", -1)[0], "")));
    for (Map.Entry<String, String> each : needs.entrySet()) {
      for (int bits = 0; bits <= Rights.ALL.bits(); bits++) {
        Rights rights = new Rights(bits);
        grant(Map.of(Scope.prefix("k"), rights, Scope.key("some"), Rights.READ));
        tryOut(each.getKey(), rights, Rights.NONE, each.getValue());
        grant(Map.of(Scope.MAP, rights, Scope.key("some"), Rights.READ));
        tryOut(each.getKey(), rights, rights, each.getValue());
      }
    }
  }

  private void tryOut(String request, Rights onKeys, Rights onMap, String needs)
      throws IOException {
    String what = request + " with " + onKeys + " on keys, " + onMap + " on the map";
    fill();
    String before = contents();
    String reply;
    try (WireClient globex = member().connect("globex")) {
      assertThat(globex.call("SELECT", "acme/orders")).as(what).isEqualTo("+OK\r\n");
      reply = globex.call(request.split(" ", -1));
    }
    assertThat(!reply.startsWith("-NOPERM"))
        .as("%s: %s", what, reply)
        .isEqualTo(isAllowed(needs, onKeys, onMap));
    if (!onKeys.cover(Rights.READ)) {
      assertThat(reply).as(what).doesNotContain(SECRET);
      if (!request.contains("k2")) {
        assertThat(reply).as(what).doesNotContain("k2");
      }
    }
    if (!onKeys.cover(Rights.WRITE)) {
      assertThat(contents()).as(what).isEqualTo(before);
    }
  }

  private static boolean isAllowed(String needs, Rights onKeys, Rights onMap) {
    return switch (needs) {
      case "lists the keys that may be read", "empties the tenant's own maps" -> true;
      case "read,write on the key and write on the new key" -> onKeys.cover(Rights.READ_WRITE);
      case "read on the key and write on the other",
          "write on the first key and read on the others",
          "read,write on the first key and read on the others" ->
          onKeys.cover(Rights.READ_WRITE);
      default -> {
        int on = needs.indexOf(" on ");
        assertThat(on).as("an unknown need: '%s'", needs).isPositive();
        Rights wanted = Rights.parse(needs.substring(0, on));
        yield needs.endsWith("on the whole map") ? onMap.cover(wanted) : onKeys.cover(wanted);
      }
    };
  }

  private void grantChannels(Map<Scope, Rights> given) {
    List<Grant> list = new ArrayList<>();
    given.forEach(
        (scope, rights) ->
            list.add(
                new Grant(
                    "" + list.size(),
                    new TenantName("globex"),
                    TestMember.identity("globex").number(),
                    scope,
                    rights,
                    Instant.EPOCH,
                    null,
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

  /** One request for each row of the table of channels. */
  private static final List<String> CHANNEL_REQUESTS =
      List.of(
          "subscribe acme//news:a",
          "ssubscribe acme//news:a",
          "psubscribe acme//news:*",
          "publish acme//news:a hello",
          "spublish acme//news:a hello",
          "pubsub channels acme//news:*",
          "pubsub shardchannels acme//news:*",
          "pubsub numsub acme//news:a",
          "pubsub shardnumsub acme//news:a");

  @Test
  void everyCommandOnChannelsNeedsWhatTheTableSays() throws IOException {
    Map<String, String> table =
        documented(
            Files.readString(Path.of("..", "docs", "tenancy.md")),
            "### Redis commands on another's channels");
    TreeSet<String> tried = new TreeSet<>();
    owner().call("SUBSCRIBE", "news:secret");
    for (String request : CHANNEL_REQUESTS) {
      String name = request.substring(0, request.indexOf(" acme//"));
      String needs = Objects.requireNonNull(table.get(name), name);
      tried.add(name);
      Rights wanted = Rights.parseOfChannels(needs.substring(0, needs.indexOf(" on ")));
      for (int bits = 0; bits <= Rights.OF_CHANNELS.bits(); bits += Rights.SUBSCRIBE.bits()) {
        Rights rights = new Rights(bits);
        grantChannels(
            Map.of(Scope.channels("news:"), rights, Scope.channels("old:"), Rights.OF_CHANNELS));
        try (WireClient globex = member().connect("globex")) {
          String reply = globex.call(request.split(" ", -1));
          assertThat(!reply.startsWith("-NOPERM"))
              .as("%s with %s: %s", request, rights, reply)
              .isEqualTo(rights.cover(wanted));
          assertThat(reply.contains("secret"))
              .isEqualTo(name.equals("pubsub channels") && rights.cover(wanted));
          assertThat(globex.call(request.replace("news:", "new").split(" ", -1)))
              .startsWith("-NOPERM");
        }
      }
    }
    assertThat(tried).isEqualTo(table.keySet());
  }

  private void fill() throws IOException {
    assertThat(owner().call("FLUSHDB")).isEqualTo("+OK\r\n");
    assertThat(owner().call("MSET", "k", SECRET, "k2", SECRET, "other", SECRET))
        .isEqualTo("+OK\r\n");
  }

  private String contents() throws IOException {
    return owner().call("MGET", "k", "k2", "k3", "other")
        + owner().call("PTTL", "k")
        + owner().call("DBSIZE");
  }

  private TestMember member() {
    return Objects.requireNonNull(started);
  }

  private WireClient owner() {
    return Objects.requireNonNull(owner);
  }

  @Test
  void whatIsNotGrantedOnOneOfSeveralKeysRefusesAll() throws IOException {
    fill();
    grant(Map.of(Scope.key("k"), Rights.READ_WRITE));
    try (WireClient globex = member().connect("globex")) {
      globex.call("SELECT", "acme/orders");
      for (String request :
          List.of(
              "mget k k2",
              "mset k 1 k2 2",
              "msetnx k5 1 k 2",
              "del k k2",
              "exists k k2",
              "rename k k2",
              "rename k2 k",
              "copy k k2 replace",
              "copy k2 k replace",
              "bitop or k k2",
              "bitop or k2 k",
              "pfcount k k2",
              "pfmerge k k2",
              "lcs k k2")) {
        assertThat(globex.call(request.split(" ", -1)))
            .as(request)
            .startsWith("-NOPERM tenant 'globex' needs a grant of ")
            .contains("of 'acme/orders'");
      }
      assertThat(globex.call("GET", "k")).contains(SECRET);
      assertThat(globex.call("GET", "k2")).startsWith("-NOPERM");
      assertThat(globex.call("KEYS", "*")).isEqualTo("*1\r\n$1\r\nk\r\n");
      assertThat(globex.call("SCAN", "0")).isEqualTo("*2\r\n$1\r\n0\r\n*1\r\n$1\r\nk\r\n");
      String page = globex.call("SCAN", "0", "COUNT", "1");
      assertThat(page).endsWith("*1\r\n$1\r\nk\r\n").doesNotStartWith("*2\r\n$1\r\n0\r\n");
      String cursor = page.split("\r\n", -1)[2];
      assertThat(globex.call("SCAN", cursor)).isEqualTo("*2\r\n$1\r\n0\r\n*0\r\n");
    }
    assertThat(owner().call("MGET", "k", "k2", "k5"))
        .isEqualTo("*3\r\n$4\r\n7431\r\n$4\r\n7431\r\n$-1\r\n");
  }

  @Test
  void sortReadsOnlyTheKeysThatAreGranted() throws IOException {
    fill();
    owner().call("RPUSH", "list", "1", "2");
    owner().call("MSET", "w1", SECRET, "w2", "1", "w3", "1");
    grant(Map.of(Scope.key("list"), Rights.READ, Scope.key("w1"), Rights.READ));
    List<List<String>> refused =
        List.of(
            List.of("SORT", "list", "BY", "w*"),
            List.of("SORT_RO", "list", "GET", "w*"),
            List.of("SORT", "list", "LIMIT", "1", "1", "GET", "w*"),
            List.of("SORT", "list", "STORE", "list"),
            List.of("EVAL", "return redis.call('SORT', 'list', 'BY', 'w*')", "0"));
    try (WireClient globex = member().connect("globex")) {
      globex.call("SELECT", "acme/orders");
      for (List<String> request : refused) {
        assertThat(globex.call(request.toArray(String[]::new)))
            .as("%s", request)
            .contains("NOPERM tenant 'globex' needs a grant of ")
            .doesNotContain(SECRET);
      }
      globex.call("MULTI");
      globex.call("SORT", "list", "BY", "w*");
      assertThat(globex.call("EXEC")).startsWith("*1\r\n-NOPERM");
      assertThat(globex.call("SORT", "list", "LIMIT", "0", "1", "GET", "w*")).contains(SECRET);
      grant(Map.of(Scope.key("list"), Rights.READ, Scope.prefix("w"), Rights.READ));
      assertThat(globex.call("SORT", "list", "BY", "w*")).isEqualTo("*2\r\n$1\r\n2\r\n$1\r\n1\r\n");
    }
  }

  @Test
  void aPipelineGetsItsRepliesInOrderWhateverIsRefused() throws IOException {
    fill();
    grant(Map.of(Scope.key("k"), Rights.READ_WRITE));
    try (WireClient globex = member().connect("globex")) {
      globex.call("SELECT", "acme/orders");
      for (int i = 0; i < 50; i++) {
        globex.send(WireClient.request("SET", "k", "v" + i));
        globex.send(WireClient.request("GET", "other"));
        globex.send(WireClient.request("GET", "k"));
      }
      for (int i = 0; i < 50; i++) {
        assertThat(globex.reply()).isEqualTo("+OK\r\n");
        assertThat(globex.reply()).startsWith("-NOPERM");
        assertThat(globex.reply()).endsWith("\r\nv" + i + "\r\n");
      }
    }
    assertThat(
            member().meters().readings().stream()
                .filter(reading -> reading.tenant().value().equals("globex"))
                .mapToLong(reading -> reading.refused())
                .sum())
        .isEqualTo(50);
  }

  @Test
  void aSessionThatIsOpenFeelsWhatIsGrantedAndTakenBack() throws IOException {
    fill();
    try (WireClient globex = member().connect("globex")) {
      assertThat(globex.call("SELECT", "acme/orders"))
          .isEqualTo(
              "-NOPERM tenant 'globex' has no grant on 'acme/orders': its owner can give one\r\n");
      assertThat(globex.call("SELECT", "nobody/nothing"))
          .isEqualTo(
              "-NOPERM tenant 'globex' has no grant on 'nobody/nothing': its owner can give"
                  + " one\r\n");
      grant(Map.of(Scope.key("k"), Rights.READ));
      assertThat(globex.call("SELECT", "acme/orders")).isEqualTo("+OK\r\n");
      assertThat(globex.call("GET", "k")).contains(SECRET);
      grant(Map.of());
      assertThat(globex.call("GET", "k")).startsWith("-NOPERM");
      grant(Map.of(Scope.MAP, Rights.of(Right.READ)));
      assertThat(globex.call("GET", "other")).contains(SECRET);
    }
  }

  @Test
  void entriesAreCopiedToAndFromAnothersMapAsGranted() throws IOException {
    fill();
    grant(Map.of(Scope.key("k"), Rights.READ, Scope.key("in"), Rights.WRITE));
    try (WireClient globex = member().connect("globex")) {
      globex.call("SET", "mine", "treasure");
      assertThat(globex.call("COPY", "mine", "in", "DB", "acme/orders")).isEqualTo(":1\r\n");
      assertThat(globex.call("COPY", "mine", "out", "DB", "acme/orders")).startsWith("-NOPERM");
      globex.call("SELECT", "acme/orders");
      assertThat(globex.call("COPY", "k", "taken", "DB", "globex/default")).isEqualTo(":1\r\n");
      assertThat(globex.call("COPY", "k2", "more", "DB", "globex/default")).startsWith("-NOPERM");
      assertThat(globex.call("SELECT", "0")).isEqualTo("+OK\r\n");
      assertThat(globex.call("KEYS", "*")).startsWith("*2\r\n");
    }
    assertThat(owner().call("GET", "in")).contains("treasure");
    assertThat(owner().call("EXISTS", "out")).isEqualTo(":0\r\n");
  }

  @Test
  void aUserNameMaySelectAnothersMap() throws IOException {
    fill();
    grant(Map.of(Scope.key("k"), Rights.READ));
    try (WireClient globex = member().connect()) {
      assertThat(globex.call("AUTH", "globex/acme/other", TestMember.key("globex")))
          .startsWith("-NOPERM");
      assertThat(globex.call("GET", "k")).startsWith("-NOAUTH");
      assertThat(globex.call("AUTH", "globex/acme/orders", TestMember.key("globex")))
          .isEqualTo("+OK\r\n");
      assertThat(globex.call("GET", "k")).contains(SECRET);
      assertThat(globex.call("CLIENT", "INFO")).contains("map=acme/orders");
      assertThat(globex.call("RESET")).isEqualTo("+RESET\r\n");
      assertThat(globex.call("GET", "k")).startsWith("-NOAUTH");
    }
  }
}
