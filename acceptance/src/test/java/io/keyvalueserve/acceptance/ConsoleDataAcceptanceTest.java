package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/**
 * Goal: in a browser, tenants work with their entries, bills and clients, on a phone too, and
 * operators see what was wrong. Method: a real browser on a real server's console.
 */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleDataAcceptanceTest {
  /** Elements of the view that reach out of the screen, and numbers on more than one line. */
  private static final String MISPLACED =
      """
      () => {
        const found = [];
        const view = document.querySelector('.shell');
        for (const each of view.querySelectorAll('*')) {
          if (each.closest('.unseen, thead, pre, [hidden]') || each.tagName === 'OPTION') continue;
          const box = each.getBoundingClientRect();
          if (box.width > 0 && (box.right > innerWidth + 1 || box.left < -1)) {
            found.push(`${each.tagName}.${each.className} reaches ${box.left} to ${box.right}: ${each.textContent.slice(0, 40)}`);
          }
        }
        const texts = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const text = texts.currentNode;
          if (text.parentElement.closest('.unseen, thead, pre, code, [hidden], .keys, option')) continue;
          for (const number of text.data.matchAll(/[0-9][0-9.,:]*[0-9]/g)) {
            const range = document.createRange();
            range.setStart(text, number.index);
            range.setEnd(text, number.index + number[0].length);
            if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) {
              found.push(`${number[0]} is broken: ${text.data}`);
            }
          }
        }
        return [innerWidth, document.documentElement.scrollWidth, ...found].join('\\n');
      }
      """;

  private static final String NOT_LOADING = "() => document.querySelector('[aria-busy]') === null";

  private static final String BILL =
      """
      {"id":"INV-2030-01-00000001-0001","tenant":"phone-console","month":"2030-01","zone":"Europe/Berlin","currency":"USD",
      "total":"1234567.891234567","credit":"0.000000000","forecast":{"total":"44123456.123456789","basis":"as since 1 January"},
      "spendCap":{"cap":"1","currency":"USD","left":"0.123456789","admits":true,"action":"refuse"},
      "lines":[{"measure":"residentByteSeconds","basis":"used","band":"default","quantity":"123456789012345","free":"1000000",
      "per":1073741824,"unitPrice":"0.000012345","amount":"1234567.891234567"}],"head":{"entries":3,"hash":"00"}}
      """;

  private static final String USAGE =
      """
      {"usage":[{"group":"a-map-with-a-rather-long-name-in-all-of-it","quantities":{"residentByteSeconds":"123456789012345",
      "reads":"98765432101"}}]}
      """;

  private final KvsProcess server;
  private @Nullable Chromium chromium;

  ConsoleDataAcceptanceTest(KvsProcess server) {
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
  void onAPhoneTablesAreCardsAndNumbersAreWhole() {
    Tenant tenant = server.admin().createTenant("phone-console");
    server
        .admin()
        .setQuota(tenant, "{\"operationsPerSecond\":123456789,\"memoryBytes\":1234567890}");
    try (Jedis jedis = RedisDoor.jedis(server, tenant, "default")) {
      jedis.set("key", "value");
    }
    try (ConsoleVisitor visitor = visitor()) {
      visitor.page().setViewportSize(390, 844);
      answer(visitor, "**/api/v1/tenants/phone-console/bill*", BILL);
      answer(visitor, "**/api/v1/tenants/phone-console/usage*", USAGE);
      visitor.open("#/usage");
      visitor.signIn(tenant.accessKey());
      visitor.awaitHeading("Usage");
      visitor.page().locator(".quota").getByText("123 M").first().waitFor();
      for (String view :
          List.of(
              "usage", "bill", "maps", "clients", "keys", "grants", "connect", "maps/default")) {
        assertThatAllIsOnScreen(visitor, view);
      }
      visitor.open("#/bill");
      Locator amount = visitor.page().locator("td[data-label=Amount]");
      amount.getByText("1,234,567.89 USD").waitFor();
      assertThat(
              visitor
                  .page()
                  .locator(".cards tbody tr")
                  .first()
                  .evaluate("row => getComputedStyle(row).display"))
          .isEqualTo("block");
      visitor.look("phone-bill");
    }
    try (ConsoleVisitor operator = visitor()) {
      operator.page().setViewportSize(390, 844);
      operator.open("#/overview");
      operator.signIn(server.operatorKey());
      operator.await(
          "() => document.querySelectorAll('.virtual tbody tr:not(.spacer)').length >= 2");
      for (String view :
          List.of("overview", "tenants", "memory", "alerts", "audit", "tenants/phone-console")) {
        assertThatAllIsOnScreen(operator, view);
      }
      operator.open("#/tenants");
      operator.page().getByLabel("Filter by name or state").fill("phone-console");
      operator.await(
          "() => document.querySelectorAll('.virtual tbody tr:not(.spacer)').length === 1");
      assertThat(
              operator
                  .page()
                  .locator(".virtual tbody tr:not(.spacer)")
                  .evaluate("row => row.getBoundingClientRect().height"))
          .as("the height of a card, which the table counts with")
          .isEqualTo(272);
      operator.look("phone-tenant-cards");
    }
  }

  private static void assertThatAllIsOnScreen(ConsoleVisitor visitor, String view) {
    visitor.open("#/" + view);
    visitor.await(
        "() => location.hash === '#/" + view + "' && document.querySelector('h1') !== null");
    visitor.await(NOT_LOADING);
    visitor.picture("phone-" + view.replace('/', '-'));
    assertThat(visitor.page().evaluate(MISPLACED)).as(view).isEqualTo("390\n390");
  }

  private static void answer(ConsoleVisitor visitor, String address, String json) {
    visitor
        .page()
        .route(
            address,
            route ->
                route.fulfill(
                    new Route.FulfillOptions().setContentType("application/json").setBody(json)));
  }

  @Test
  void aTenantEditsLimitsAndDeletesItsEntries() {
    Tenant tenant = server.admin().createTenant("edited-console");
    byte[] binary = {0, 1, (byte) 0xfe};
    try (ConsoleVisitor visitor = visitor();
        Jedis jedis = RedisDoor.jedis(server, tenant, "notes")) {
      jedis.set("greeting", "first", SetParams.setParams().ex(3_600));
      jedis.set("..", "steps");
      jedis.set("binary".getBytes(StandardCharsets.UTF_8), binary);
      visitor.open("#/maps/notes");
      visitor.signIn(tenant.accessKey());
      visitor.awaitHeading("notes");
      Page page = visitor.page();
      Locator dialog = page.locator("dialog");
      Locator submit = dialog.locator("button[type=submit]");

      click(page, "greeting");
      click(page, "Edit");
      dialog.locator("textarea").fill("<b>mine</b>\nnext line");
      visitor.look("edit-value");
      jedis.set("greeting", "of\r\nanother", SetParams.setParams().ex(3_600));
      submit.click();
      visitor.await(
          "() => document.querySelector('dialog [role=alert]').textContent.includes('Nothing was done')");
      visitor.excuse("412");
      assertThat(jedis.get("greeting")).isEqualTo("of\r\nanother");
      dialog.getByText("Cancel").click();

      click(page, "greeting");
      page.locator(".value").getByText("another").waitFor();
      click(page, "Edit");
      dialog.locator("textarea").fill("<b>mine</b>\nnext line");
      submit.click();
      visitor.await(
          "() => document.querySelector('.value')?.textContent.startsWith('<b>mine</b>')");
      assertThat(page.locator(".value b").count()).as("elements made of a value").isZero();
      assertThat(jedis.get("greeting")).isEqualTo("<b>mine</b>\r\nnext line");
      assertThat(jedis.ttl("greeting")).isBetween(3_000L, 3_600L);

      setTimeToLive(page, "soon");
      visitor.await(
          "() => document.querySelector('dialog [role=alert]').textContent.includes('is no time')");
      dialog.locator("input[name=ttl]").fill("10m");
      submit.click();
      page.locator(".value-head").getByText("ends in").waitFor();
      page.waitForCondition(() -> jedis.ttl("greeting") <= 600);
      setTimeToLive(page, "");
      page.locator(".value-head").getByText("no end").waitFor();
      assertThat(jedis.ttl("greeting")).isEqualTo(-1);
      assertThat(jedis.get("greeting")).isEqualTo("<b>mine</b>\r\nnext line");

      click(page, "binary");
      page.getByText("Only text can be edited here.").waitFor();
      assertThat(page.getByRole(AriaRole.BUTTON, button("Edit")).count()).isZero();
      for (String key : List.of("..", "greeting")) {
        click(page, key);
        page.locator(".value-head h2")
            .getByText(key, new Locator.GetByTextOptions().setExact(true))
            .waitFor();
        click(page, "Delete");
        assertThat(jedis.exists(key)).as("before it is confirmed").isTrue();
        submit.click();
        page.getByText(key + " was deleted.").waitFor();
        assertThat(jedis.exists(key)).isFalse();
      }
      assertThat(page.locator(".keys li").allTextContents()).containsExactly("binary");
      assertThat(jedis.dbSize()).isEqualTo(1);
    }
  }

  @Test
  void aTenantOpensAMapThatWasGrantedAndChangesNothingThere() {
    Tenant owner = server.admin().createTenant("giver-console");
    Tenant reader = server.admin().createTenant("reader-console");
    String _ = server.admin().grant(owner, "prices", reader, "read", "");
    try (ConsoleVisitor visitor = visitor();
        Jedis jedis = RedisDoor.jedis(server, owner, "prices")) {
      jedis.set("tea", "2.50");
      visitor.open("#/grants");
      visitor.signIn(reader.accessKey());
      Page page = visitor.page();
      page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("giver-console/prices"))
          .click();
      visitor.awaitHeading("giver-console/prices");
      click(page, "tea");
      page.locator(".value").getByText("2.50").waitFor();
      click(page, "Delete");
      page.locator("dialog button[type=submit]").click();
      visitor.await("() => document.querySelector('dialog [role=alert]').textContent !== ''");
      visitor.excuse("403");
      assertThat(jedis.get("tea")).isEqualTo("2.50");
    }
  }

  @Test
  void aTenantChoosesTheMonthOfItsBill() {
    Tenant tenant = server.admin().createTenant("months-console");
    try (ConsoleVisitor visitor = visitor()) {
      answer(
          visitor,
          "**/api/v1/tenants/months-console",
          "{\"tenant\":\"months-console\",\"createdAt\":\"2026-01-15T00:00:00Z\"}");
      visitor.open("#/bill");
      visitor.signIn(tenant.accessKey());
      Page page = visitor.page();
      Locator month = page.getByLabel("Month of the bill");
      page.getByText("Forecast").waitFor();
      visitor.look("own-bill-months");
      assertThat(month.locator("option").last().textContent()).isEqualTo("January 2026");
      month.selectOption("2026-01");
      page.locator(".fact").getByText("2026-01,").waitFor();
      assertThat(page.getByText("Forecast").count()).isZero();
      click(page, "Verify");
      page.getByText("The bill is what its ledger says").first().waitFor();
      month.selectOption(String.valueOf(month.locator("option").first().getAttribute("value")));
      page.getByText("Forecast").waitFor();
    }
  }

  @Test
  void alertsHaveTimesAndAHistoryThatSurvivesAReload() {
    Tenant tenant = server.admin().createTenant("alerted-console");
    server.admin().setQuota(tenant, "{\"entries\":1}");
    try (Jedis jedis = RedisDoor.jedis(server, tenant, "default");
        ConsoleVisitor operator = visitor()) {
      jedis.set("one", "1");
      operator.open("#/alerts");
      operator.signIn(server.operatorKey());
      Page page = operator.page();
      Locator noted = row(page, "alerted-console is at its limit of entries");
      noted.getByText("now", new Locator.GetByTextOptions().setExact(true)).waitFor();
      Locator now =
          page.locator(".alerts li")
              .filter(new Locator.FilterOptions().setHasText("alerted-console"));
      now.getByText("since").waitFor();
      operator.look("alerts-history");

      jedis.del("one");
      page.waitForCondition(() -> noted.locator("time").count() == 2);
      page.reload();
      noted.waitFor();
      assertThat(noted.locator("time").count()).as("when it began and when it ended").isEqualTo(2);
      assertThat(server.kvs("alert", "list"))
          .contains("alerted-console is at its limit of entries");
    }
  }

  @Test
  void aTenantSeesItsClientsAndHowLargeItsMapsAre() {
    Tenant tenant = server.admin().createTenant("clients-console");
    Tenant other = server.admin().createTenant("foreign-console");
    try (Jedis jedis = RedisDoor.jedis(server, tenant, "stock");
        Jedis foreign = RedisDoor.jedis(server, other, "secret-map");
        HazelcastClients.Connection hazelcast = HazelcastClients.connect(server, tenant);
        ConsoleVisitor visitor = visitor()) {
      jedis.clientSetname("<b>worker</b>");
      foreign.clientSetname("foreigner");
      foreign.set("key", "value");
      for (String key : List.of("tea", "milk", "salt")) {
        jedis.set(key, "12");
      }
      visitor.open("#/clients");
      visitor.signIn(tenant.accessKey());
      Page page = visitor.page();
      Locator worker = row(page, "<b>worker</b>");
      worker.waitFor();
      assertThat(worker.allTextContents().getFirst())
          .contains("127.0.0.1:", "Redis", "stock", "set");
      assertThat(row(page, hazelcast.client().getName()).allTextContents().getFirst())
          .contains("Hazelcast", "JVM");
      assertThat(page.locator("main").textContent())
          .doesNotContain("foreign", "secret-map", "Member");
      visitor.look("own-clients");
      assertThat(server.kvs("client", "list", tenant.name()))
          .contains("<b>worker</b>", hazelcast.client().getName())
          .doesNotContain("foreign");

      visitor.open("#/maps");
      Locator stock = row(page, "stock");
      stock.waitFor();
      assertThat(stock.locator("[data-label=Entries]").textContent()).isEqualTo("3");
      assertThat(stock.locator("[data-label=Memory]").textContent()).isNotEqualTo("0 B");
      assertThat(stock.locator("[data-label=Writes]").textContent()).endsWith("/s");
      assertThat(row(page, "secret-map").count()).isZero();
      assertThat(server.kvs("map", "list", tenant.name())).containsPattern("stock +3 +[1-9]");
    }
  }

  @Test
  void aTenantSeesItsHistoryOfAMonth() {
    Tenant tenant = server.admin().createTenant("history-console");
    Instant end = Instant.now().truncatedTo(ChronoUnit.HOURS);
    try (Jedis jedis = RedisDoor.jedis(server, tenant, "stock");
        ConsoleVisitor visitor = visitor()) {
      Page page = visitor.page();
      page.setViewportSize(1440, 900);
      answer(visitor, "**/api/v1/tenants/history-console/history*step=1h*", month(end));
      jedis.set("tea", "12");
      visitor.open("#/usage");
      visitor.signIn(tenant.accessKey());
      visitor.awaitHeading("Usage");
      Locator history =
          page.locator("section.card")
              .filter(
                  new Locator.FilterOptions()
                      .setHas(
                          page.getByRole(
                              AriaRole.HEADING,
                              new Page.GetByRoleOptions().setName("History").setExact(true))));
      Locator entries = history.getByLabel("Entries: at most 1, ");
      entries.waitFor(new Locator.WaitForOptions().setTimeout(40_000));
      history.getByText("From the members' memory").waitFor();

      Locator period = page.getByLabel("Time that is shown");
      assertThat(period.locator("option").allTextContents())
          .containsExactly("15 minutes", "1 hour", "24 hours", "7 days", "31 days");
      for (int i = 1; i < 5; i++) {
        period.focus();
        page.keyboard().press("ArrowDown");
        visitor.await(NOT_LOADING);
        String text = period.locator("option").nth(i).textContent();
        Locator traffic =
            history.locator("canvas[aria-label^='in: at most'][aria-label$='" + text + "']");
        traffic.waitFor();
        assertThat(history.locator("canvas").count()).as("plots").isEqualTo(5);
      }
      Locator operations = history.locator("canvas[aria-label^='all: at most 7/s, on average']");
      operations.waitFor();
      operations.focus();
      page.keyboard().press("End");
      page.keyboard().press("ArrowLeft");
      visitor.await(
          "() => document.getElementById('announcer').textContent"
              + ".endsWith(': all 7/s · reads 5/s · writes 2/s')");
      history.getByText("As a table").click();
      Locator latest = history.locator("tbody tr").first();
      assertThat(latest.locator("time").getAttribute("datetime"))
          .isEqualTo(end.minus(Duration.ofHours(2)).toString());
      assertThat(latest.locator("[data-label='Operations: reads']").textContent()).isEqualTo("5/s");
      visitor.look("history-month");

      page.setViewportSize(390, 844);
      visitor.picture("phone-history");
      assertThat(page.evaluate(MISPLACED)).as("on a phone").isEqualTo("390\n390");
    }
  }

  /**
   * A history of 31 days in which something was used in the last hour but one, and a day before.
   */
  private static String month(Instant end) {
    String point =
        "{\"at\":\"%s\",\"operationsPerSecond\":7,\"readsPerSecond\":5,\"writesPerSecond\":2,\"memoryBytes\":65536}";
    return """
           {"tenant":"history-console","from":"%s","to":"%s","stepSeconds":3600,"source":"ledger",
           "series":["operationsPerSecond","readsPerSecond","writesPerSecond","bytesInPerSecond","bytesOutPerSecond",
           "throttledPerSecond","refusedPerSecond","memoryBytes","connections"],"points":[%s,%s],"silent":[]}
           """
        .formatted(
            end.minus(Duration.ofDays(31)),
            end,
            point.formatted(end.minus(Duration.ofHours(26))),
            point.formatted(end.minus(Duration.ofHours(2))));
  }

  private static Locator row(Page page, String text) {
    return page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText(text));
  }

  private static void setTimeToLive(Page page, String text) {
    click(page, "Time to live");
    page.locator("dialog input[name=ttl]").fill(text);
    page.locator("dialog button[type=submit]").click();
  }

  private static void click(Page page, String name) {
    page.getByRole(AriaRole.BUTTON, button(name)).click();
  }

  private ConsoleVisitor visitor() {
    return new ConsoleVisitor(Objects.requireNonNull(chromium).browser(), server.httpAddress());
  }

  private static Page.GetByRoleOptions button(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }
}
