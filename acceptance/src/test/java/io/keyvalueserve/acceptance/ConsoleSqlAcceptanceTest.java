package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Goal: a tenant writes, runs, explains, ends, keeps and downloads statements in a browser. Method:
 * a real browser on a real server's console.
 */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleSqlAcceptanceTest {
  private static final String MAPPING =
      "CREATE MAPPING stock (__key VARCHAR, amount INTEGER, note VARCHAR) TYPE IMap"
          + " OPTIONS ('keyFormat'='varchar', 'valueFormat'='json-flat');\n";
  private static final String ROWS =
      "INSERT INTO stock VALUES ('ham', 7, '<b>no markup</b>'), ('eggs', 12, NULL);\n";
  private static final String ENDLESS =
      "SELECT count(*) FROM TABLE(generate_series(1, 2147483647)) AS a(v) WHERE MOD(v, 7) = 3";
  private static final String SPLITS =
      """
      async () => {
        const { statementsOf, statementAt, quotedName } = await import('/console/lib/statements.js');
        const text = "-- c;\\nSELECT 'a;b' ; /* ; */ SELECT \\"x;y\\", $$;$$;\\n";
        return [...statementsOf(text).map((each) => each.text), statementAt(text, 30).text,
          String(statementAt(' ', 0)), quotedName('my-map'), quotedName('order'), quotedName('Name')];
      }
      """;

  /** A result that comes a few characters at a time, of every number of them. */
  private static final String PARSES =
      """
      async () => {
        const { ResultParser } = await import('/console/lib/sql.js');
        const json = '{"columns":[{"name":"a","type":"BIGINT"},{"name":"b,]}\\\\"","type":"JSON"}],"rows":'
          + '[[9007199254740993,"x\\\\\\\\"],[null,"] , \\\\" {"],[1.50,{"k":[1,"}"]}]],"rowCount":3,"error":{"code":"c"}}';
        const read = (size) => {
          const found = [];
          const parser = new ResultParser({ columns: (all) => found.push(all.length),
            row: (cells) => found.push(cells.map((cell) => (cell.isNull ? 'NULL' : cell.text)).join('|')),
            field: (name, value) => found.push(name + JSON.stringify(value)) });
          for (let at = 0; at < json.length; at += size) {
            parser.push(json.slice(at, at + size));
          }
          return [...found, parser.isWhole].join('\\n');
        };
        const whole = read(json.length);
        return [whole, Array.from({ length: 40 }, (_, i) => read(i + 1)).every((each) => each === whole)];
      }
      """;

  private final KvsProcess server;
  private @Nullable Chromium chromium;

  ConsoleSqlAcceptanceTest(KvsProcess server) {
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
  void aTenantRunsExplainsAndKeepsStatements() throws IOException {
    Tenant tenant = server.admin().createTenant("sql-console");
    try (ConsoleVisitor visitor =
        new ConsoleVisitor(Objects.requireNonNull(chromium).browser(), server.httpAddress())) {
      visitor.open("#/sql");
      visitor.signIn(tenant.accessKey());
      visitor.awaitHeading("SQL");
      Page page = visitor.page();
      run(visitor, MAPPING, "Done in");
      run(visitor, ROWS, "2 rows written in");
      run(visitor, "SELECT * FROM stock ORDER BY amount;", "2 rows in");
      assertThat(page.locator(".result thead").textContent())
          .contains("__key", "varchar", "amount", "integer");
      assertThat(cells(page, 0)).containsExactly("ham", "7", "<b>no markup</b>");
      assertThat(cells(page, 1)).containsExactly("eggs", "12", "NULL");
      assertThat(page.locator(".result b").count()).as("elements made of a value").isZero();
      page.locator(".schema summary").getByText("stock").click();
      visitor.look("sql-workbench");

      page.locator("#statement").fill("SELECT FROM stock");
      page.evaluate("() => document.getElementById('statement').setSelectionRange(7, 7)");
      page.locator(".schema button").getByText("amount").click();
      assertThat(page.locator("#statement").inputValue()).isEqualTo("SELECT amount FROM stock");
      button(page, "Explain").click();
      page.locator(".plan li").first().waitFor();
      visitor.look("sql-plan");

      run(visitor, "SELECT 1;\nSELECT amount\n FROM stock WHERE nothing = 1;", "Failed");
      assertThat(page.locator(".marks mark").textContent()).isEqualTo("nothing");
      assertThat(page.locator(".result [role=alert]").textContent()).contains("nothing", "42703");
      visitor.excuse("400");
      visitor.look("sql-failure");

      saveAndLoad(visitor);
      download(page);
    }
  }

  /** Runs what is written, with the keyboard, and waits for what is said then. */
  private static void run(ConsoleVisitor visitor, String statement, String status) {
    Page page = visitor.page();
    page.locator("#statement").fill(statement);
    page.keyboard().press("Control+Enter");
    page.waitForFunction(
        "text => document.querySelector('.results [role=status]').textContent.startsWith(text)"
            + " || document.querySelector('.results [role=status]').textContent.includes(text)",
        status);
  }

  private static List<String> cells(Page page, int row) {
    return page.locator(".result tbody tr:not(.spacer)")
        .nth(row)
        .locator("th, td")
        .allTextContents();
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private static void saveAndLoad(ConsoleVisitor visitor) {
    Page page = visitor.page();
    page.locator("#statement").fill("SELECT note FROM stock");
    button(page, "Save").click();
    page.locator("dialog input[name=name]").fill("notes");
    page.locator("dialog button[type=submit]").click();
    page.locator(".queries").first().getByText("notes").waitFor();
    page.reload();
    visitor.awaitHeading("SQL");
    page.locator(".queries").first().getByText("notes").click();
    assertThat(page.locator("#statement").inputValue()).isEqualTo("SELECT note FROM stock");
    page.locator(".queries").nth(1).getByText("SELECT * FROM stock ORDER BY amount").click();
    assertThat(page.locator("#statement").inputValue())
        .isEqualTo("SELECT * FROM stock ORDER BY amount");
  }

  private static void download(Page page) throws IOException {
    page.evaluate("() => { delete window.showSaveFilePicker; }"); // nobody can choose a file here
    Download csv = page.waitForDownload(() -> button(page, "CSV").click());
    assertThat(csv.suggestedFilename()).isEqualTo("result.csv");
    assertThat(Files.readString(csv.path()))
        .isEqualTo("__key,amount,note\r\nham,7,<b>no markup</b>\r\neggs,12,\r\n");
    Download json = page.waitForDownload(() -> button(page, "JSON").click());
    assertThat(Files.readString(json.path())).contains("\"rowCount\":2");
  }

  @Test
  void endsAStatementThatRuns() {
    Tenant tenant = server.admin().createTenant("endless-sql-console");
    try (ConsoleVisitor visitor =
        new ConsoleVisitor(Objects.requireNonNull(chromium).browser(), server.httpAddress())) {
      visitor.page().setViewportSize(390, 844);
      visitor.open("#/sql");
      visitor.signIn(tenant.accessKey());
      visitor.awaitHeading("SQL");
      visitor.allow("status of 40"); // 408 of the statement, and 404 if it was ended twice
      run(visitor, ENDLESS, "Running");
      button(visitor.page(), "Cancel").click();
      visitor.await(
          "() => document.querySelector('.results [role=status]').textContent.startsWith('Ended')");
      run(visitor, "SELECT v FROM TABLE(generate_series(1, 1000000)) AS a(v)", "The first 10,000");
      visitor.await("() => document.querySelectorAll('.result tbody tr').length > 2");
      visitor.look("phone-sql");
    }
  }

  @Test
  void splitsStatementsAndReadsResultsInParts() {
    try (ConsoleVisitor visitor =
        new ConsoleVisitor(Objects.requireNonNull(chromium).browser(), server.httpAddress())) {
      visitor.open("");
      assertThat(visitor.page().evaluate(SPLITS))
          .isEqualTo(
              List.of(
                  "-- c;\nSELECT 'a;b'",
                  "/* ; */ SELECT \"x;y\", $$;$$",
                  "/* ; */ SELECT \"x;y\", $$;$$",
                  "null",
                  "\"my-map\"",
                  "\"order\"",
                  "Name"));
      assertThat(visitor.page().evaluate(PARSES))
          .isEqualTo(
              List.of(
                  "2\n9007199254740993|x\\\nNULL|] , \" {\n1.50|{\"k\":[1,\"}\"]}\n"
                      + "rowCount3\nerror{\"code\":\"c\"}\ntrue",
                  true));
    }
  }
}
