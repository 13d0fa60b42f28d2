package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.GrantedEngine;
import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.command.CommandTable;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
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
          "rename k k2",
          "renamenx k k3",
          "copy k k2 replace",
          "keys *",
          "scan 0",
          "dbsize",
          "randomkey",
          "flushdb",
          "flushall",
          "kvs.unlock k");

  /** What words change. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "set k 1 get", "read,write on each key",
          "expire k 100 nx", "read,write on each key",
          "pexpire k 100000 gt", "read,write on each key",
          "getex k", "read on each key");

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
        TestMember.start(
            new GrantedEngine(way.engine(InstantSource.system()), grants), config -> config);
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
    String table = docs.substring(docs.indexOf("### Redis commands on another's map") + 1);
    table = table.substring(0, table.indexOf("\n##"));
    Map<String, String> needs = new TreeMap<>();
    Matcher rows = Pattern.compile("(?m)^\\| (`[^|]*`) \\| ([^|]*) \\|$").matcher(table);
    while (rows.find()) {
      for (String name : rows.group(1).replace("`", "").split(" ", -1)) {
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
    return command.descriptor().has(Flag.WRITE) || command.descriptor().has(Flag.READONLY);
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
      assertThat(reply).as(what).doesNotContain(SECRET).doesNotContain("k2");
    }
    if (!onKeys.cover(Rights.WRITE)) {
      assertThat(contents()).as(what).isEqualTo(before);
    }
  }

  private static boolean isAllowed(String needs, Rights onKeys, Rights onMap) {
    return switch (needs) {
      case "lists the keys that may be read", "empties the tenant's own maps" -> true;
      case "read,write on the key and write on the new key" -> onKeys.cover(Rights.READ_WRITE);
      case "read on the key and write on the other" -> onKeys.cover(Rights.READ_WRITE);
      default -> {
        int on = needs.indexOf(" on ");
        assertThat(on).as("an unknown need: '%s'", needs).isPositive();
        Rights wanted = Rights.parse(needs.substring(0, on));
        yield needs.endsWith("on the whole map") ? onMap.cover(wanted) : onKeys.cover(wanted);
      }
    };
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
              "copy k2 k replace")) {
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
