package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/**
 * Goal: operators and tenants see and do in a browser what the API has for them. Method: a real
 * browser on a real server's console; pictures of it stay in {@code target/screenshots}.
 */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleAcceptanceTest {
  private static final int MOST_ROWS = 60;

  /** More than the key browser asks for at once. */
  private static final int KEYS = 130;

  private static final int MOST_ELEMENTS = 2_500;

  /** Of an update: each cell of each row that is there, twice, and the figures around them. */
  private static final int MOST_CHANGES = 1_500;

  private static final long PAUSE_NANOS = 1_000_000;
  private static final String OPERATIONS = ".plot[aria-label=Operations]";

  /** Of the 99th percentile, in milliseconds or seconds. */
  private static final String HAS_LATENCY =
      "() => Number.parseFloat(document.querySelector('.plot[aria-label=Latency] .plot-now')"
          + ".textContent) > 0";

  private static final String READ_EVENTS =
      """
      async () => {
        const { EventParser } = await import('/console/lib/stream.js');
        const parser = new EventParser();
        return [parser.push('data: {"a"'), parser.push(':1}\\n\\n:\\n\\ndata: two\\ndata:lines\\n\\nda'),
          parser.push('ta: last\\n\\n')];
      }
      """;
  private static final String READ_MONEY =
      """
      async () => {
        const { cents } = await import('/console/lib/format.js');
        return ['0', '0.000012', '-0.000012', '0.087712345', '1234.5'].map(cents);
      }
      """;

  private static final String READ_AMOUNTS =
      """
      async () => {
        const { amount, typedAmount } = await import('/console/lib/format.js');
        let wrong = 'none';
        try { amount('ten', false); } catch (e) { wrong = 'error'; }
        return [amount('10k', false), amount(' 1.5 MiB ', true), amount('', true), amount('none', true), wrong,
          typedAmount(1572864, true), typedAmount(10000, false), typedAmount(250, false)].map(String).join(' ');
      }
      """;
  private static final String READ_ALERTS =
      """
      async () => {
        const { alertsOf } = await import('/console/lib/alerts.js');
        const limits = new Map([['busy', {operationsPerSecond: 100}], ['full', {entries: 10}], ['calm', {entries: 10}]]);
        return alertsOf({safe: false, silent: ['a:1'], memory: {usedBytes: 95, capacityBytes: 100}, tenants: [
          {tenant: 'busy', operationsPerSecond: 95, throttledPerSecond: 3, entries: 0},
          {tenant: 'full', operationsPerSecond: 1, throttledPerSecond: 0, entries: 10},
          {tenant: 'calm', operationsPerSecond: 9000, throttledPerSecond: 0, entries: 8}]}, limits)
          .map((alert) => alert.id).join(',');
      }
      """;
  private static final String HAS_OPERATIONS =
      "() => Number.parseFloat(document.querySelector('"
          + OPERATIONS
          + " .plot-now').textContent) > 0";

  private final KvsProcess server;
  private @Nullable Chromium chromium;

  ConsoleAcceptanceTest(KvsProcess server) {
    this.server = server;
  }

  @BeforeAll
  void startBrowser() {
    chromium = Chromium.start();
  }

  @AfterAll
  void endBrowser() {
    if (chromium != null) {
      chromium.close();
    }
  }

  @Test
  void anOperatorCreatesATenantAndWatchesItsClient() {
    try (ConsoleVisitor operator = visitor()) {
      operator.open("");
      operator.look("sign-in");
      operator.signIn(server.operatorKey());
      operator.awaitHeading("Overview");
      operator.goByKeyboard("Tenants");
      String key = createTenant(operator, "seen-in-console");
      operator.mustStaySecret(key);
      Tenant tenant = new Tenant("seen-in-console", key);
      try (Load _ = new Load(tenant)) {
        operator.await(
            "() => [...document.querySelectorAll('tbody tr')].some(row => "
                + "row.textContent.startsWith('seen-in-console') && Number.parseFloat(row.cells[2].textContent) > 0)");
        operator.look("tenants");
        operator.page().getByRole(AriaRole.LINK, link("seen-in-console")).click();
        operator.awaitHeading("seen-in-console");
        operator.await(HAS_OPERATIONS);
        operator.await(
            "() => [...document.querySelectorAll('.badge')].some(each => "
                + "each.textContent === 'awake')");
        setQuota(operator);
        assertThatPlotMoves(operator);
        operator.look("tenant");
        operator.goByKeyboard("Overview");
        operator.await(
            "() => document.querySelectorAll('.virtual tbody tr:not(.spacer)').length >= 2");
        operator.await(HAS_LATENCY);
        operator.look("overview");
      }
      String _ =
          server.kvs(
              "store",
              "create",
              "console-shop",
              "--jdbc",
              "jdbc:postgresql://127.0.0.1:1/shop",
              "--timeout",
              "200ms",
              "--no-check");
      for (String view : new String[] {"Memory", "Stores", "Alerts", "Audit"}) {
        operator.goByKeyboard(view);
        operator.await("() => document.querySelector('[aria-busy]') === null");
        operator.look(view.toLowerCase(Locale.ROOT));
      }
      onAPhone(operator);
    }
  }

  @Test
  void aTenantSeesItsOwnUntilItsKeyIsRevoked() {
    Tenant tenant = server.admin().createTenant("own-console");
    Tenant second = tenant.with(server.admin().createKey(tenant));
    try (ConsoleVisitor visitor = visitor();
        Load _ = new Load(tenant)) {
      visitor.open("");
      visitor.signIn(second.accessKey());
      visitor.awaitHeading("Usage");
      visitor.await(HAS_OPERATIONS);
      visitor.await(HAS_LATENCY);
      for (int points = 0; points < 4; points++) {
        assertThatPlotMoves(visitor);
      }
      visitor.look("usage");
      assertThat(visitor.page().getByRole(AriaRole.LINK, link("Tenants")).count()).isZero();
      for (String view : new String[] {"Bill", "Keys", "Sharing", "Connect", "Maps"}) {
        visitor.goByKeyboard(view);
        visitor.await("() => document.querySelector('[aria-busy]') === null");
        visitor.look("own-" + view.toLowerCase(Locale.ROOT));
      }
      visitor.page().getByRole(AriaRole.LINK, link("default")).waitFor();

      server.admin().revokeKey(tenant, second.keyId());
      visitor.page().waitForSelector("input[name=key]");
      assertThat(visitor.page().locator("[role=alert]").textContent())
          .isEqualTo("Your key is no longer valid.");
      assertThat(visitor.page().evaluate("() => sessionStorage.length")).isEqualTo(0);
      visitor.excuse("401");
    }
  }

  @Test
  void anOperatorCapsWhatATenantSpends() {
    Tenant tenant = server.admin().createTenant("capped-console");
    try (ConsoleVisitor operator = visitor()) {
      operator.open("#/tenants/" + tenant.name());
      operator.signIn(server.operatorKey());
      operator.awaitHeading(tenant.name());
      Page page = operator.page();
      page.getByRole(AriaRole.BUTTON, button("Set a spend cap")).click();
      Locator dialog = page.locator("dialog");
      dialog.locator("input[name=cap]").fill("12.50");
      dialog.locator("select[name=action]").selectOption("throttle");
      dialog.locator("input[name=burst]").fill("20");
      dialog.locator("input[name=warn]").fill("60, lots");
      dialog.locator("button[type=submit]").click();
      operator.await(
          "() => document.querySelector('dialog [role=alert]').textContent.includes(\"'lots' is no percentage\")");
      operator.look("spend-cap");
      dialog.locator("input[name=warn]").fill("60, 90");
      dialog.locator("input[name=url]").fill("https://127.0.0.1:9/warnings");
      dialog.locator("input[name=secret]").fill("a-secret-of-both-sides");
      operator.mustStaySecret("a-secret-of-both-sides");
      dialog.locator("button[type=submit]").click();
      page.getByRole(AriaRole.BUTTON, button("Change spend cap")).click();

      JsonNode cap = server.admin().spendCap(tenant);
      assertThat(cap.path("cap").asText()).isEqualTo("12.50");
      assertThat(cap.path("action").asText()).isEqualTo("throttle");
      assertThat(cap.path("burstPercent").asInt()).isEqualTo(20);
      assertThat(cap.path("warnPercents").toString()).isEqualTo("[60,90]");
      assertThat(dialog.locator("input[name=url]").inputValue())
          .isEqualTo("https://127.0.0.1:9/warnings");

      dialog.locator("input[name=cap]").fill("20");
      dialog.locator("button[type=submit]").click();
      operator.await(
          "() => document.querySelector('dialog [role=alert]').textContent.includes('secret of the webhook again')");
      dialog.locator("input[name=url]").fill("");
      dialog.locator("button[type=submit]").click();
      page.locator(".facts data[value='20']").getByText("20.00 USD").waitFor();
      assertThat(server.admin().spendCap(tenant).has("webhook")).isFalse();

      page.getByRole(AriaRole.BUTTON, button("Take spend cap off")).click();
      dialog.locator("button[type=submit]").click();
      page.getByRole(AriaRole.BUTTON, button("Set a spend cap")).waitFor();
      assertThat(server.admin().spendCaps().size()).isZero();
    }
  }

  @Test
  void anOperatorReservesMemoryForATenant() {
    Tenant tenant = server.admin().createTenant("reserved-console");
    try (ConsoleVisitor operator = visitor()) {
      operator.open("#/memory");
      operator.signIn(server.operatorKey());
      operator.awaitHeading("Memory");
      Page page = operator.page();
      page.getByRole(AriaRole.BUTTON, button("Reserve a map")).click();
      Locator dialog = page.locator("dialog");
      dialog.locator("input[name=tenant]").fill(tenant.name());
      dialog.locator("input[name=map]").fill("ledger");
      dialog.locator("input[name=memory]").fill("2m");
      dialog.locator("button[type=submit]").click();
      Locator row =
          page.getByRole(AriaRole.ROW)
              .filter(new Locator.FilterOptions().setHasText(tenant.name() + "/ledger"))
              .filter(
                  new Locator.FilterOptions()
                      .setHas(page.getByRole(AriaRole.BUTTON, button("Release"))));
      row.getByText("2 MiB").waitFor();
      operator.look("reservations");
      row.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Resize")).click();
      assertThat(dialog.locator("input[name=memory]").inputValue()).isEqualTo("2m");
      dialog.locator("input[name=memory]").fill("3m");
      dialog.locator("button[type=submit]").click();
      row.getByText("3 MiB").waitFor();
      JsonNode reserved = server.admin().reservations(tenant);
      assertThat(reserved.size()).isEqualTo(1);
      assertThat(reserved.get(0).path("memoryBytes").asLong()).isEqualTo(3L << 20);

      page.getByRole(AriaRole.BUTTON, button("Reserve a member")).click();
      dialog.locator("input[name=tenant]").fill("nobody-of-that-name");
      dialog.locator("button[type=submit]").click();
      operator.await("() => document.querySelector('dialog [role=alert]').textContent !== ''");
      operator.excuse("404");
      dialog.getByText("Cancel").click();

      row.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Release")).click();
      dialog.locator("button[type=submit]").click();
      page.waitForCondition(() -> row.count() == 0);
      assertThat(server.admin().reservations(tenant).size()).isZero();
    }
  }

  @Test
  void connectsWithTheServersOwnAddresses() {
    Tenant tenant = server.admin().createTenant("snippet-console");
    try (ConsoleVisitor visitor = visitor()) {
      visitor.open("#/connect");
      visitor.signIn(tenant.accessKey());
      visitor.awaitHeading("Connect");
      Locator languages = visitor.page().getByRole(AriaRole.GROUP, group("Language"));
      languages.waitFor();
      for (String kind : new String[] {"Redis clients", "Hazelcast clients"}) {
        visitor.page().getByRole(AriaRole.BUTTON, button(kind)).click();
        int port = kind.startsWith("Redis") ? server.respPort() : server.clientAddress().getPort();
        assertThat(languages.getByRole(AriaRole.BUTTON).count()).isEqualTo(6);
        for (Locator language : languages.getByRole(AriaRole.BUTTON).all()) {
          language.click();
          assertThat(visitor.page().locator(".code pre").textContent())
              .as(language.textContent())
              .contains("127.0.0.1", String.valueOf(port), "snippet-console", "YOUR_ACCESS_KEY")
              .doesNotContain(tenant.accessKey());
        }
      }
    }
  }

  @Test
  void refusesAKeyThatIsNoneAndKeepsNothing() {
    try (ConsoleVisitor visitor = visitor()) {
      visitor.open("#/tenants");
      visitor.page().waitForSelector("input[name=key]:focus");
      visitor.page().keyboard().type("kvs_none_of_these");
      visitor.page().keyboard().press("Enter");
      visitor.await(
          "() => document.querySelector('[role=alert]').textContent.includes('not valid')");
      assertThat(visitor.page().evaluate("() => sessionStorage.length")).isEqualTo(0);
      visitor.excuse("401");
      visitor.page().locator("input[name=key]").fill("");
      visitor.page().locator("input[name=keep]").uncheck();
      visitor.page().locator("input[name=key]").focus();
      visitor.signIn(server.operatorKey());
      visitor.awaitHeading("Tenants");
      assertThat(visitor.page().evaluate("() => sessionStorage.length")).isEqualTo(0);
    }
  }

  @Test
  void needsNoKeyOnTheMachineOfADevelopmentServer() {
    try (KvsProcess dev = new KvsProcess("dev-console")) {
      dev.launch("--dev");
      dev.awaitReady();
      try (ConsoleVisitor visitor =
          new ConsoleVisitor(Objects.requireNonNull(chromium).browser(), dev.httpAddress())) {
        visitor.open("");
        visitor.awaitHeading("Overview");
        visitor.goByKeyboard("Tenants");
        visitor.mustStaySecret(createTenant(visitor, "made-without-a-key"));
        visitor.page().getByRole(AriaRole.LINK, link("made-without-a-key")).click();
        visitor.awaitHeading("made-without-a-key");
        suspend(visitor.page(), "made-without-a-key");
        visitor.page().getByRole(AriaRole.BUTTON, button("Resume")).waitFor();
      }
    }
  }

  private static void suspend(Page page, String tenant) {
    page.getByRole(AriaRole.BUTTON, button("Suspend")).click();
    Locator confirm = page.locator("dialog button[type=submit]");
    assertThat(confirm.isDisabled()).as("before the name is typed").isTrue();
    page.locator("dialog input[name=typed]").fill(tenant);
    confirm.click();
  }

  @Test
  void understandsWhatItReadsAndWhatIsTyped() {
    try (ConsoleVisitor visitor = visitor()) {
      visitor.open("");
      assertThat(visitor.page().evaluate(READ_EVENTS))
          .isEqualTo(List.of(List.of(), List.of("{\"a\":1}", "two\nlines"), List.of("last")));
      assertThat(visitor.page().evaluate(READ_AMOUNTS))
          .isEqualTo("10000 1572864 null null error 1536k 10k 250");
      assertThat(visitor.page().evaluate(READ_MONEY))
          .isEqualTo(List.of("0.00", "under 0.01", "over -0.01", "0.09", "1,234.50"));
      assertThat(visitor.page().evaluate(READ_ALERTS))
          .isEqualTo(
              "unsafe,silent a:1,memory,entries full,throttled busy,operationsPerSecond busy");
    }
  }

  @Test
  void showsKeysAndValuesAsTextJsonAndHex() {
    Tenant tenant = server.admin().createTenant("browsed-console");
    fill(tenant);
    try (ConsoleVisitor visitor = visitor()) {
      visitor.open("#/maps/shop");
      visitor.signIn(tenant.accessKey());
      visitor.awaitHeading("shop");
      Page page = visitor.page();
      Locator more = page.getByRole(AriaRole.BUTTON, button("More keys"));
      page.locator(".keys li").first().waitFor(); // and with them, whether there are more
      while (more.isVisible()) {
        more.click();
        visitor.await(
            "() => { const more = document.querySelector('.key-pane > button'); return more.hidden || !more.disabled; }");
      }
      assertThat(page.locator(".keys li").count()).isEqualTo(KEYS + 1);
      page.getByRole(AriaRole.BUTTON, button("order/007")).click();
      visitor.await(
          "() => document.querySelector('.value')?.textContent.includes('\"customer\": \"ada\"')");
      assertThat(page.locator(".value b").count()).as("elements made of a value").isZero();
      assertThat(page.locator(".value-head").textContent()).containsPattern("ends in \\d+");
      visitor.look("key-browser");
      page.getByRole(AriaRole.TAB, new Page.GetByRoleOptions().setName("JSON")).press("ArrowRight");
      assertThat(page.locator(".value").textContent()).startsWith("00000000  7b 22 63");
      page.getByRole(AriaRole.BUTTON, button("0x00ff61")).click();
      visitor.await(
          "() => document.querySelector('.value')?.textContent.includes('00 01 fe 6b 76 73')");
      page.getByLabel("Keys that begin with").fill("order/10");
      page.keyboard().press("Enter");
      visitor.await("() => document.querySelectorAll('.keys li').length === 10");
      page.getByLabel("Keys that begin with").fill("none");
      page.keyboard().press("Enter");
      visitor.await(
          "() => document.querySelector('.key-pane').textContent.includes('No key begins so.')");
    }
  }

  private void fill(Tenant tenant) {
    try (Jedis jedis = RedisDoor.jedis(server, tenant, "shop")) {
      for (int i = 0; i < KEYS; i++) {
        jedis.set(
            "order/%03d".formatted(i),
            "{\"customer\":\"ada\",\"lines\":[1,2,{\"note\":\"<b>no markup</b>\"}]}",
            SetParams.setParams().ex(3_600));
      }
      jedis.set(new byte[] {0, (byte) 0xff, 'a'}, new byte[] {0, 1, (byte) 0xfe, 'k', 'v', 's'});
    }
  }

  @Test
  void showsAThousandTenantsAndAHundredMembersByTheRowsThatAreSeen() {
    SimulatedCluster cluster = new SimulatedCluster(1_000, 100);
    try (ConsoleVisitor visitor = visitor()) {
      cluster.answerIn(visitor.context());
      visitor.open("#/tenants");
      visitor.signIn("an-operator-key-of-nobody");
      visitor.awaitHeading("Tenants");
      visitor.await("() => document.querySelector('.count').textContent === '1,000 of 1,000'");
      visitor.look("scale-tenants");
      assertThatUpdatesAreSmall(visitor, cluster);
      Page page = visitor.page();
      page.evaluate("() => { document.querySelector('.scroller').scrollTop = 1e9; }");
      visitor.await("() => document.querySelector('tr[aria-rowindex=\"1001\"]') !== null");
      assertThat(rows(page)).isLessThan(MOST_ROWS);
      page.getByLabel("Filter by name or state").fill("tenant-012");
      visitor.await("() => document.querySelector('.count').textContent === '10 of 1,000'");
      assertThat(rows(page)).isEqualTo(10);
      page.getByRole(AriaRole.BUTTON, button("Tenant")).press("Enter");
      assertThat(page.locator("tbody tr:not(.spacer) >> nth=0").textContent())
          .startsWith("tenant-0120");
      page.getByRole(AriaRole.BUTTON, button("Tenant")).press("Enter");
      assertThat(page.locator("tbody tr:not(.spacer) >> nth=0").textContent())
          .startsWith("tenant-0129");
      visitor.goByKeyboard("Overview");
      visitor.await("() => document.querySelector('.facts').textContent.includes('100')");
      visitor.look("scale-overview");
      page.evaluate("() => document.querySelector('[aria-label=Members]').scrollIntoView()");
      visitor.await(
          "() => document.querySelector('[aria-label=\"Logs of members\"] tbody').textContent"
              + ".includes('/s')");
      visitor.look("scale-overview-members");
      assertThatUpdatesAreSmall(visitor, cluster);
    }
  }

  /** Counts, not times: what a machine that is busy does as well. */
  private static void assertThatUpdatesAreSmall(ConsoleVisitor visitor, SimulatedCluster cluster) {
    Page page = visitor.page();
    assertThat(rows(page)).isLessThan(MOST_ROWS);
    page.evaluate(
        "() => { window.changes = 0; new MutationObserver(all => { window.changes += all.length; })"
            + ".observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true}); }");
    int before = cluster.events();
    page.waitForCondition(() -> cluster.events() >= before + 3);
    int updates = cluster.events() - before + 1;
    int changes = ((Number) page.evaluate("() => window.changes")).intValue();
    assertThat(changes).as("changes of %s updates", updates).isBetween(1, updates * MOST_CHANGES);
    int elements =
        ((Number) page.evaluate("() => document.querySelectorAll('*').length")).intValue();
    assertThat(elements).as("elements").isLessThan(MOST_ELEMENTS);
  }

  private static int rows(Page page) {
    return page.locator(".virtual tbody tr:not(.spacer)").count();
  }

  private static String createTenant(ConsoleVisitor operator, String name) {
    Page page = operator.page();
    page.getByRole(AriaRole.BUTTON, button("Create a tenant")).press("Enter");
    page.waitForSelector("dialog input[name=name]:focus");
    page.keyboard().type("No Name");
    page.keyboard().press("Enter");
    operator.await(
        "() => document.querySelector('dialog [role=alert]').textContent.includes('lower-case')");
    operator.excuse("400");
    page.locator("dialog input[name=name]").fill(name);
    page.keyboard().press("Enter");
    String key = page.locator("dialog code[data-secret]").textContent();
    operator.look("key-shown-once");
    page.getByRole(AriaRole.BUTTON, button("I have copied it")).press("Enter");
    page.waitForSelector(
        "dialog", new Page.WaitForSelectorOptions().setState(WaitForSelectorState.DETACHED));
    assertThat(page.content()).doesNotContain(key);
    return key;
  }

  private void setQuota(ConsoleVisitor operator) {
    Page page = operator.page();
    page.getByRole(AriaRole.BUTTON, button("Change")).click();
    page.locator("dialog").getByLabel("Operations a second").fill("20k");
    page.locator("dialog").getByLabel("Memory").fill("1m");
    page.getByRole(AriaRole.BUTTON, button("Set")).click();
    operator.await("() => document.querySelector('.quota').textContent.includes('20,000/s')");
    assertThat(
            server
                .admin()
                .quota(new Tenant("seen-in-console", ""))
                .path("limits")
                .path("memoryBytes")
                .asLong())
        .isEqualTo(1L << 20);
  }

  private static void assertThatPlotMoves(ConsoleVisitor visitor) {
    String read = "() => document.querySelector('" + OPERATIONS + " canvas').toDataURL()";
    Object before = visitor.page().evaluate(read);
    visitor
        .page()
        .waitForFunction(
            "before => document.querySelector('" + OPERATIONS + " canvas').toDataURL() !== before",
            before);
  }

  private static void onAPhone(ConsoleVisitor operator) {
    operator.page().setViewportSize(390, 844);
    operator.goByKeyboard("Overview");
    operator.look("phone-overview");
    assertThat(
            operator
                .page()
                .evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"))
        .as("nothing is wider than the screen")
        .isEqualTo(true);
    operator.goByKeyboard("Tenants");
    operator.look("phone-tenants");
  }

  private ConsoleVisitor visitor() {
    return new ConsoleVisitor(Objects.requireNonNull(chromium).browser(), server.httpAddress());
  }

  private static Page.GetByRoleOptions link(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }

  private static Page.GetByRoleOptions button(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }

  private static Page.GetByRoleOptions group(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }

  /** A Redis client that reads and writes until it is closed. */
  private final class Load implements AutoCloseable {
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Thread thread;

    Load(Tenant tenant) {
      thread = Thread.ofVirtual().start(() -> work(tenant));
    }

    private void work(Tenant tenant) {
      try (Jedis jedis = RedisDoor.jedis(server, tenant, "default")) {
        for (int i = 0; !ended.get(); i++) {
          jedis.set("user:" + i % 500, "{\"name\":\"ada\",\"visits\":" + i + "}");
          jedis.get("user:" + i % 500);
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }

    @Override
    public void close() {
      ended.set(true);
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
