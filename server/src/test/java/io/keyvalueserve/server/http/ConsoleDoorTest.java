package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The files of the console, as a browser gets them. */
@ExtendWith(SharedHttpServer.class)
class ConsoleDoorTest {
  private final HttpServerUnderTest server;

  ConsoleDoorTest(HttpServerUnderTest server) {
    this.server = server;
  }

  @Test
  void servesTheConsoleToBrowsersAndTheIndexToPrograms() {
    assertThat(server.by(null, "GET", "/", "").json().path("keyNeeded").asBoolean()).isTrue();
    Answer page = browse("/", "").is(200);
    assertThat(page.text()).startsWith("<!doctype html>");
    Set<String> named = new TreeSet<>();
    for (String path : ConsoleFiles.paths()) {
      Answer file = browse(path, "");
      assertThat(file.status()).as(path).isEqualTo(200);
      assertThat(file.header("Content-Security-Policy"))
          .isEqualTo(ConsoleFiles.CONTENT_SECURITY_POLICY);
      assertThat(file.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(file.header("Referrer-Policy")).isEqualTo("no-referrer");
      assertThat(file.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
      assertThat(file.header("Cache-Control")).isEqualTo("no-cache");
      String etag = file.header("ETag");
      Answer again = browse(path, etag);
      assertThat(again.status()).as(path).isEqualTo(304);
      assertThat(again.text()).isEmpty();
      assertThat(again.header("ETag")).isEqualTo(etag);
      named.addAll(imports(path, file.text()));
    }
    named.add("/console/app.js");
    named.add("/console/style.css");
    named.add("/console/icon.svg");
    assertThat(ConsoleFiles.paths())
        .as("what some file names")
        .containsExactlyInAnyOrderElementsOf(named);
    assertThat(page.header("Content-Security-Policy"))
        .isEqualTo(ConsoleFiles.CONTENT_SECURITY_POLICY);
    assertThat(page.text())
        .doesNotContain("<style")
        .doesNotContain(" style=")
        .doesNotContain(" on");
  }

  /** The paths of the modules that a module imports. */
  private static List<String> imports(String path, String text) {
    return Pattern.compile(" from '([.][^']+)';")
        .matcher(text)
        .results()
        .map(found -> URI.create(path).resolve(found.group(1)).getPath())
        .toList();
  }

  @Test
  void servesNothingElseUnderTheConsolesPath() {
    for (String path :
        List.of(
            "/console/",
            "/console/index.html",
            "/console/../openapi.json",
            "/console/%2e%2e/openapi.json",
            "/console/lib",
            "/console/lib/",
            "/console/lib%2Fdom.js%00",
            "/console//etc/passwd")) {
      assertThat(browse(path, "").status()).as(path).isBetween(400, 404);
    }
  }

  private Answer browse(String path, String etag) {
    String accept = "text/html,application/xhtml+xml,*/*;q=0.8";
    return etag.isEmpty()
        ? server.call(null, "GET", path, "", "Accept", accept)
        : server.call(null, "GET", path, "", "Accept", accept, "If-None-Match", etag);
  }
}
