package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Somebody who has the console open in a browser. Notes every address that the page asks for, and
 * everything that goes wrong in it, and says in {@link #close} if there was anything. Not
 * thread-safe.
 */
final class ConsoleVisitor implements AutoCloseable {
  private static final int PATIENCE_MS = 20_000;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String AXE = resource("/axe.min.js");
  private static final String RUN_AXE =
      """
      async () => {
        const found = await axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']});
        return JSON.stringify(found.violations.map((each) =>
          each.id + ': ' + each.nodes.map((node) => node.target.join(' ') + ' ' + (node.any[0]?.message ?? '')).join(' | ')));
      }
      """;

  private final String origin;
  private final BrowserContext context;
  private final Page page;
  private final List<String> addresses = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final List<String> allowed = new ArrayList<>();
  private final List<String> secrets = new ArrayList<>();

  ConsoleVisitor(Browser browser, String origin) {
    this.origin = origin;
    context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(1360, 900)
                .setColorScheme(ColorScheme.LIGHT)
                .setBypassCSP(false));
    context.setDefaultTimeout(PATIENCE_MS);
    page = context.newPage();
    page.onRequest(request -> addresses.add(request.url()));
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") || message.type().equals("warning")) {
            faults.add(message.text() + " at " + message.location());
          }
        });
    page.onPageError(faults::add);
  }

  /** The page, for what this class has no word for. */
  Page page() {
    return page;
  }

  BrowserContext context() {
    return context;
  }

  /** Opens the console at an address within it. */
  void open(String hash) {
    page.navigate(origin + "/" + hash);
  }

  /** Something that must never be in an address. */
  void mustStaySecret(String secret) {
    secrets.add(secret);
  }

  /** Signs in with the keyboard alone. */
  void signIn(String key) {
    mustStaySecret(key);
    page.waitForSelector("input[name=key]:focus");
    page.keyboard().type(key);
    page.keyboard().press("Enter");
    page.waitForSelector(".shell h1");
  }

  /** Goes to a view with the keyboard alone: by the Tab key to its link, and Enter. */
  void goByKeyboard(String title) {
    page.evaluate("() => { document.activeElement?.blur(); }");
    for (int presses = 0; presses < 40; presses++) {
      page.keyboard().press("Tab");
      Object here =
          page.evaluate(
              "() => document.activeElement.closest('nav') && document.activeElement.textContent.trim()");
      if (here instanceof String text && text.startsWith(title)) {
        page.keyboard().press("Enter");
        awaitHeading(title);
        return;
      }
    }
    throw new AssertionError("the Tab key does not come to " + title);
  }

  void awaitHeading(String text) {
    page.waitForFunction("text => document.querySelector('h1')?.textContent === text", text);
  }

  /** Waits until a script says true. */
  void await(String script) {
    page.waitForFunction(script);
  }

  /** Keeps pictures of what is seen, light and dark, and has it checked for accessibility. */
  void look(String name) {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
      picture(name + "-" + scheme.name().toLowerCase(java.util.Locale.ROOT));
      assertThat(violations()).as("accessibility of %s, %s", name, scheme).isEmpty();
    }
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
    assertThat(page.locator("h1").count()).as("h1 of %s", name).isEqualTo(1);
    assertThat(page.locator("main").count()).as("main of %s", name).isEqualTo(1);
  }

  void picture(String name) {
    Path file = Scratch.target().resolve("screenshots").resolve(name + ".png");
    page.screenshot(new Page.ScreenshotOptions().setPath(file));
  }

  private List<String> violations() {
    if (!Boolean.TRUE.equals(page.evaluate("() => typeof axe === 'object'"))) {
      page.evaluate(AXE);
    }
    try {
      JsonNode found = JSON.readTree(String.valueOf(page.evaluate(RUN_AXE)));
      List<String> texts = new ArrayList<>();
      found.forEach(each -> texts.add(each.asText()));
      return texts;
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets something go wrong from now on, or not. */
  void allow(String part) {
    allowed.add(part);
  }

  /** Forgets what went wrong as it had to. */
  void excuse(String part) {
    // The browser tells of it a little later.
    page.waitForCondition(() -> faults.stream().anyMatch(fault -> fault.contains(part)));
    faults.removeIf(fault -> fault.contains(part));
  }

  @Override
  public void close() {
    context.close();
    faults.removeIf(fault -> allowed.stream().anyMatch(fault::contains));
    assertThat(faults).as("errors in the page").isEmpty();
    assertThat(addresses)
        .as("requests")
        .isNotEmpty()
        .allMatch(each -> each.startsWith(origin + "/"));
    for (String secret : secrets) {
      assertThat(addresses).as("requests").noneMatch(each -> each.contains(secret));
    }
  }

  private static String resource(String name) {
    try (InputStream in = ConsoleVisitor.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
