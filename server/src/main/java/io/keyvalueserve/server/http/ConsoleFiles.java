package io.keyvalueserve.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The console's files: a page, its style and its modules. They are few, and read once; a path that
 * is not among them is not looked for anywhere. A browser asks each time whether its copy is still
 * the one, so that no page of an old version meets a new server. Thread-safe.
 */
final class ConsoleFiles {
  /** The path of the files; the page itself is at the root. */
  static final String PATH = "/console/";

  static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private static final String PAGE = "index.html";
  private static final List<String> NAMES =
      List.of(
          "index.html",
          "app.js",
          "icon.svg",
          "style.css",
          "theme.js",
          "views.js",
          "lib/alerts.js",
          "lib/api.js",
          "lib/dialog.js",
          "lib/directory.js",
          "lib/dom.js",
          "lib/encoding.js",
          "lib/format.js",
          "lib/months.js",
          "lib/parts.js",
          "lib/plot.js",
          "lib/plots.js",
          "lib/queries.js",
          "lib/quota.js",
          "lib/series.js",
          "lib/session.js",
          "lib/snippets.js",
          "lib/sql.js",
          "lib/statements.js",
          "lib/store.js",
          "lib/stream.js",
          "lib/table.js",
          "panels/audit.js",
          "panels/alerts.js",
          "panels/bill.js",
          "panels/clients.js",
          "panels/editor.js",
          "panels/grants.js",
          "panels/hibernation.js",
          "panels/history.js",
          "panels/keys.js",
          "panels/maps.js",
          "panels/quota.js",
          "panels/reservations.js",
          "panels/results.js",
          "panels/schema.js",
          "panels/snapshots.js",
          "panels/spending.js",
          "panels/value.js",
          "views/alerts.js",
          "views/audit.js",
          "views/bill.js",
          "views/clients.js",
          "views/connect.js",
          "views/grants.js",
          "views/keys.js",
          "views/map.js",
          "views/maps.js",
          "views/memory.js",
          "views/overview.js",
          "views/signin.js",
          "views/sql.js",
          "views/stores.js",
          "views/tenant.js",
          "views/tenants.js",
          "views/usage.js");

  private static final Map<HeaderName, String> HEADERS = headers();
  private static final int ETAG_BYTES = 12;

  private final Map<String, File> files = new LinkedHashMap<>();

  private record File(byte[] bytes, String type, String etag) {}

  ConsoleFiles() {
    NAMES.forEach(name -> files.put(name, read(name)));
  }

  /** The paths of the files, without the page's. */
  static List<String> paths() {
    return NAMES.stream().filter(name -> !name.equals(PAGE)).map(name -> PATH + name).toList();
  }

  void addTo(HttpRouting.Builder routing) {
    for (String path : paths()) {
      File file = file(path.substring(PATH.length()));
      routing.get(path, (request, response) -> send(file, request, response));
    }
  }

  /** Returns whether a page is asked for. A browser says so in its headers, a program does not. */
  static boolean isWanted(ServerRequest request) {
    return request.headers().first(HeaderNames.ACCEPT).orElse("").contains("text/html");
  }

  void sendPage(ServerRequest request, ServerResponse response) {
    send(file(PAGE), request, response);
  }

  private static void send(File file, ServerRequest request, ServerResponse response) {
    HEADERS.forEach(response::header);
    response.header(HeaderNames.ETAG, file.etag());
    boolean known =
        request
            .headers()
            .first(HeaderNames.IF_NONE_MATCH)
            .map(tags -> tags.contains(file.etag()))
            .orElse(false);
    if (known) {
      response.status(Status.NOT_MODIFIED_304).send();
    } else {
      response.header(HeaderNames.CONTENT_TYPE, file.type()).send(file.bytes());
    }
  }

  private File file(String name) {
    File file = files.get(name);
    if (file == null) {
      throw new IllegalStateException("the console has no file " + name);
    }
    return file;
  }

  private static File read(String name) {
    try (InputStream in = ConsoleFiles.class.getResourceAsStream("console/" + name)) {
      if (in == null) {
        throw new IllegalStateException("console/" + name + " is missing from the class path");
      }
      byte[] bytes = in.readAllBytes();
      return new File(bytes, type(name), etag(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> throw new IllegalStateException("of what type is " + name + "?");
    };
  }

  private static String etag(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return '"' + HexFormat.of().formatHex(digest, 0, ETAG_BYTES) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  private static Map<HeaderName, String> headers() {
    Map<HeaderName, String> headers = new LinkedHashMap<>();
    headers.put(HeaderNames.create("Content-Security-Policy"), CONTENT_SECURITY_POLICY);
    headers.put(HeaderNames.create("X-Content-Type-Options"), "nosniff");
    headers.put(HeaderNames.create("Referrer-Policy"), "no-referrer");
    headers.put(HeaderNames.create("Cross-Origin-Opener-Policy"), "same-origin");
    headers.put(HeaderNames.create("Cross-Origin-Embedder-Policy"), "require-corp");
    headers.put(HeaderNames.create("Cross-Origin-Resource-Policy"), "same-origin");
    headers.put(HeaderNames.CACHE_CONTROL, "no-cache");
    headers.put(HeaderNames.VARY, "Accept");
    return headers;
  }
}
