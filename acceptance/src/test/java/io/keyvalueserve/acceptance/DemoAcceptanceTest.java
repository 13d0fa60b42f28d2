package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Goal: who starts {@code kvs demo} and knows nothing finds a console in which two tenants live,
 * are metered and billed. Method: the command as a process, what it prints, and a browser.
 */
class DemoAcceptanceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final double BETWEEN_LOOKS_MS = 200; // the API holds back who asks without pause
  private static final Pattern CONSOLE = Pattern.compile("console: +(http://[0-9.:]+)/");
  private static final String CHARGED =
      "() => [...document.querySelectorAll('.facts > *')].some(fact =>"
          + " fact.textContent.startsWith('So far') && /[1-9]/.test(fact.textContent.split(' USD')[0]))"
          + " && document.querySelector('main').textContent.includes('resident bytes')";

  private final Path folder = Scratch.newFolder("demo");
  private final Path output = folder.resolve("output.log");

  @Test
  void twoTenantsLiveAreMeteredAndBilledInItsConsole() throws Exception {
    Process demo = start();
    try (Chromium chromium = Chromium.start()) {
      String origin = awaitWord(demo, CONSOLE);
      try (ConsoleVisitor globex = new ConsoleVisitor(chromium.browser(), origin)) {
        readsItsBill(globex, awaitWord(demo, keyOf("globex")));
      }
      try (ConsoleVisitor acme = new ConsoleVisitor(chromium.browser(), origin)) {
        readsItsEntries(acme, awaitWord(demo, keyOf("acme")));
      }
      try (ConsoleVisitor operator = new ConsoleVisitor(chromium.browser(), origin)) {
        seesBoth(operator, awaitWord(demo, keyOf("operator")));
      }
      demo.destroy();
      assertThat(demo.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(demo.exitValue()).as(text()).isZero();
      assertThat(text()).contains("ending");
    } finally {
      demo.destroyForcibly();
      Scratch.delete(folder);
    }
  }

  private static void readsItsBill(ConsoleVisitor globex, String key) {
    Page page = globex.page();
    globex.open("");
    globex.signIn(key);
    globex.awaitHeading("Usage");
    globex.await(
        "() => Number.parseFloat(document.querySelector('.plot[aria-label=Operations] .plot-now')"
            + ".textContent) > 0");
    globex.goByKeyboard("Bill");
    page.waitForCondition(
        () -> {
          page.getByRole(AriaRole.BUTTON, named("Refresh")).click();
          page.waitForFunction("() => document.querySelector('[aria-busy]') === null");
          if (Boolean.TRUE.equals(page.evaluate(CHARGED))) {
            return true;
          }
          page.waitForTimeout(BETWEEN_LOOKS_MS);
          return false;
        });
    assertThat(page.locator(".facts").first().textContent()).contains("1 USD", "left");
    String charged = page.getByRole(AriaRole.TABLE, table("What is charged")).textContent();
    assertThat(charged).contains("reads").contains("writes").contains("resident bytes");
    String used = page.getByRole(AriaRole.TABLE, table("What was used")).textContent();
    assertThat(used).contains("globex/carts").contains("acme/orders");
    page.getByRole(AriaRole.BUTTON, named("Verify")).click();
    page.getByText("The bill is what its ledger says").first().waitFor();
    globex.look("demo-bill");
  }

  private static void readsItsEntries(ConsoleVisitor acme, String key) {
    Page page = acme.page();
    acme.open("#/maps");
    acme.signIn(key);
    page.getByRole(AriaRole.LINK, named("orders")).click();
    acme.awaitHeading("orders");
    page.getByRole(
            AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^(eu|us):\\d+")))
        .first()
        .click();
    acme.await("() => document.querySelector('.value')?.textContent.includes('\"paid\": true')");
    acme.look("demo-keys");
  }

  private static void seesBoth(ConsoleVisitor operator, String key) {
    operator.open("");
    operator.signIn(key);
    operator.awaitHeading("Overview");
    operator.goByKeyboard("Tenants");
    for (String tenant : List.of("acme", "globex")) {
      operator.await(
          "() => [...document.querySelectorAll('tbody tr')].some(row => row.textContent.startsWith('"
              + tenant
              + "') && Number.parseFloat(row.cells[2].textContent) > 0)");
    }
    operator.look("demo-tenants");
  }

  private Process start() throws IOException {
    List<String> command = ServerJvm.command("demo");
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private static Pattern keyOf(String whom) {
    return Pattern.compile("\\n  " + whom + " +(kvs[a-z]*_\\S+)");
  }

  private String awaitWord(Process demo, Pattern pattern) {
    return await("the demo says " + pattern)
        .atMost(PATIENCE)
        .until(
            () -> {
              assertThat(demo.isAlive()).as(text()).isTrue();
              Matcher said = pattern.matcher(text());
              return said.find() ? said.group(1) : "";
            },
            word -> !word.isEmpty());
  }

  private String text() {
    try {
      return Files.exists(output) ? Files.readString(output) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }

  private static Page.GetByRoleOptions table(String name) {
    return new Page.GetByRoleOptions().setName(name);
  }
}
