package io.keyvalueserve.acceptance;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A headless Chromium and what drives it: the one that {@code KVS_CHROMIUM} names, or one on the
 * path, or one from the npm registry in the version that {@code src/test/clients/browser} pins,
 * which needs neither root nor libraries of the machine. A machine that has none of them fails the
 * test. Not thread-safe.
 */
final class Chromium implements AutoCloseable {
  private static final String NAMED = "KVS_CHROMIUM";
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");
  private static final Path SYSTEM_FONTS = Path.of("/etc/fonts/fonts.conf");

  private final Playwright playwright;
  private final Browser browser;

  private record Executable(Path path, Map<String, String> environment) {}

  private Chromium(Playwright playwright, Browser browser) {
    this.playwright = playwright;
    this.browser = browser;
  }

  static Chromium start() {
    Executable executable = executable();
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    try {
      Map<String, String> environment = new HashMap<>(System.getenv());
      environment.putAll(executable.environment());
      Browser browser =
          playwright
              .chromium()
              .launch(
                  new BrowserType.LaunchOptions()
                      .setExecutablePath(executable.path())
                      .setEnv(environment)
                      .setArgs(List.of("--disable-gpu", "--disable-dev-shm-usage")));
      return new Chromium(playwright, browser);
    } catch (RuntimeException e) {
      playwright.close();
      throw new AssertionError(executable.path() + " did not start; name another with " + NAMED, e);
    }
  }

  Browser browser() {
    return browser;
  }

  private static Executable executable() {
    String named = System.getenv(NAMED);
    if (named != null) {
      return new Executable(Path.of(named), Map.of());
    }
    return onPath().map(path -> new Executable(path, Map.of())).orElseGet(Chromium::installed);
  }

  private static Optional<Path> onPath() {
    String[] folders = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1);
    return NAMES.stream()
        .flatMap(name -> Stream.of(folders).map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Executable installed() {
    Path folder =
        Installation.of(
            "browser",
            Map.of(),
            List.of("npm ci --ignore-scripts --no-audit --no-fund", "node unpack.mjs"));
    Map<String, String> environment = new HashMap<>();
    environment.put("LD_LIBRARY_PATH", folder.resolve("al2023/lib").toString());
    if (!Files.exists(SYSTEM_FONTS)) {
      environment.put("FONTCONFIG_FILE", folder.resolve("fonts.conf").toString());
    }
    return new Executable(folder.resolve("chromium"), environment);
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
