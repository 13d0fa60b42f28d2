package io.keyvalueserve.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import io.keyvalueserve.journal.FileTrouble;
import io.keyvalueserve.server.Server;
import io.keyvalueserve.server.Version;
import io.keyvalueserve.server.config.Likeness;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options by which a command finds its server, and the calls it makes there. */
final class AdminClient {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String[] JSON_TYPE = {"Content-Type", "application/json"};
  private static final int UNAUTHORIZED = 401;
  private static final int FIRST_ERROR = 400;
  private static final int UNAVAILABLE = 503;
  private static final int COPY_BYTES = 64 * 1024;
  private static final String VERSION = "/api/v1/version";
  private static final Pattern TENANT = Pattern.compile("/api/v1/tenants/([^/]+)");

  @Option(
      names = "--url",
      defaultValue = "${env:KVS_URL:-http://127.0.0.1:8080}",
      paramLabel = "URL",
      description = "The server's HTTP address (or KVS_URL). Default: ${DEFAULT-VALUE}")
  private String url = "";

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "The file with the key, the operator's or a tenant's access key (or KVS_KEY: the key"
              + " itself). Default: ~/.kvs/operator.key")
  private @Nullable Path keyFile;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private record Key(@Nullable String text, String source) {}

  JsonNode get(String path) {
    return call("GET", path, null);
  }

  JsonNode post(String path, ObjectNode body) {
    return call("POST", path, body);
  }

  JsonNode put(String path, ObjectNode body) {
    return call("PUT", path, body);
  }

  /** Sends JSON as it is written, so that no number in it is rounded. */
  JsonNode putText(String path, String json) {
    return call("PUT", path, json);
  }

  /** Does the same as {@link #putText} with POST. */
  JsonNode postText(String path, String json) {
    return call("POST", path, json);
  }

  JsonNode patch(String path, ObjectNode body) {
    return call("PATCH", path, body);
  }

  JsonNode delete(String path) {
    return call("DELETE", path, null);
  }

  /**
   * Sends bytes and takes bytes.
   *
   * @param headers names and values in turns
   * @param body null for none
   */
  HttpResponse<byte[]> exchange(
      String method, String path, byte @Nullable [] body, String... headers) {
    try (HttpClient client = connect()) {
      HttpResponse<byte[]> response =
          send(
              client,
              method,
              path,
              body == null
                  ? HttpRequest.BodyPublishers.noBody()
                  : HttpRequest.BodyPublishers.ofByteArray(body),
              HttpResponse.BodyHandlers.ofByteArray(),
              headers);
      if (response.statusCode() >= FIRST_ERROR) {
        check(response, new String(response.body(), StandardCharsets.UTF_8));
      }
      return response;
    }
  }

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  /** A name as part of a path. */
  static String part(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Adds a parameter, if it was given. */
  static void add(StringJoiner parameters, String name, @Nullable String value) {
    if (value != null) {
      parameters.add(name + "=" + part(value));
    }
  }

  /** Writes what the server has under a path to a new file, or to standard output for "-". */
  void download(String path, String file) {
    if (file.equals("-")) {
      download(path, System.out, Screen.of(spec).isOutTerminal());
      System.out.flush();
      return;
    }
    try (OutputStream out = Files.newOutputStream(Path.of(file), StandardOpenOption.CREATE_NEW)) {
      download(path, out, false);
    } catch (FileAlreadyExistsException e) {
      throw new Failure(file + " is there already: name another file");
    } catch (Failure e) {
      removeIfEmpty(Path.of(file)); // it would be in the way of the next attempt
      throw e;
    } catch (IOException e) {
      throw new Failure(file + " cannot be written: " + FileTrouble.of(e));
    }
  }

  private static void removeIfEmpty(Path file) {
    try {
      if (Files.size(file) == 0) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new Failure(file + " is empty, and cannot be removed: " + e);
    }
  }

  /** Writes what the server has under a path, whatever it is; quietly where it is seen itself. */
  private void download(String path, OutputStream to, boolean isQuiet) {
    try (HttpClient client = connect()) {
      HttpResponse<InputStream> response =
          send(
              client,
              "GET",
              path,
              HttpRequest.BodyPublishers.noBody(),
              HttpResponse.BodyHandlers.ofInputStream(),
              JSON_TYPE);
      try (InputStream body = response.body()) {
        if (response.statusCode() >= FIRST_ERROR) {
          check(response, new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
        long total = response.headers().firstValueAsLong("Content-Length").orElse(Progress.UNKNOWN);
        copy(body, to, total, isQuiet);
      }
    } catch (IOException e) {
      throw new Failure(
          "not all was received from " + url + ": " + e + "; what was written is a part");
    }
  }

  private void copy(InputStream from, OutputStream to, long total, boolean isQuiet)
      throws IOException {
    byte[] buffer = new byte[COPY_BYTES];
    long begun = System.nanoTime();
    long done = 0;
    try (Progress progress = new Progress(spec)) {
      for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
        to.write(buffer, 0, read);
        done += read;
        if (!isQuiet) {
          progress.tell("receiving", done, total, System.nanoTime() - begun);
        }
      }
    }
  }

  /**
   * Takes lines for as long as they come.
   *
   * @param line whether to go on after this one
   */
  void lines(String path, Predicate<String> line) {
    try (HttpClient client = connect()) {
      HttpResponse<Stream<String>> response =
          send(
              client,
              "GET",
              path,
              HttpRequest.BodyPublishers.noBody(),
              HttpResponse.BodyHandlers.ofLines(),
              JSON_TYPE);
      try (Stream<String> lines = response.body()) {
        if (response.statusCode() >= FIRST_ERROR) {
          check(response, lines.collect(Collectors.joining("\n")));
        }
        boolean _ = lines.allMatch(line);
      } catch (UncheckedIOException e) {
        throw new Failure("the server at " + url + " has gone: " + e.getCause());
      } finally {
        client.shutdownNow(); // else closing it would wait for what still comes
      }
    }
  }

  /** An answer that is read as it comes. {@link #close} may be called by any thread. */
  static final class Streamed implements AutoCloseable {
    private final HttpClient client;
    private final InputStream body;

    private Streamed(HttpClient client, InputStream body) {
      this.client = client;
      this.body = body;
    }

    InputStream body() {
      return body;
    }

    /** Ends the connection, also if the answer goes on. Idempotent. */
    @Override
    public void close() {
      client.shutdownNow();
    }
  }

  /**
   * Posts JSON, and returns the answer when it begins.
   *
   * @param patience how long the answer may take to begin
   * @throws SqlRefusal if the server has refused a statement
   */
  Streamed stream(String path, ObjectNode body, Duration patience) {
    HttpClient client = connect();
    boolean isGood = false;
    try {
      HttpResponse<InputStream> response =
          send(
              client,
              patience,
              "POST",
              path,
              HttpRequest.BodyPublishers.ofString(body.toString()),
              HttpResponse.BodyHandlers.ofInputStream(),
              JSON_TYPE);
      if (response.statusCode() >= FIRST_ERROR) {
        String refusal = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
        JsonNode error = read(refusal).path("error");
        if (error.path("code").asText().startsWith("sql_")) {
          throw SqlRefusal.of(error);
        }
        check(response, refusal);
      }
      isGood = true;
      return new Streamed(client, response.body());
    } catch (IOException e) {
      throw new Failure("the server at " + url + " has gone: " + e);
    } finally {
      if (!isGood) {
        client.shutdownNow();
      }
    }
  }

  /** Returns the server's answer, also if it says that it cannot serve now. */
  JsonNode state(String path) {
    HttpResponse<String> response = ask("GET", path, null);
    return response.statusCode() == UNAVAILABLE
        ? read(response.body())
        : check(response, response.body());
  }

  private JsonNode call(String method, String path, @Nullable Object body) {
    HttpResponse<String> response = ask(method, path, body);
    return check(response, response.body());
  }

  private HttpResponse<String> ask(String method, String path, @Nullable Object body) {
    try (HttpClient client = connect()) {
      return send(
          client,
          method,
          path,
          body == null
              ? HttpRequest.BodyPublishers.noBody()
              : HttpRequest.BodyPublishers.ofString(body.toString()),
          HttpResponse.BodyHandlers.ofString(),
          JSON_TYPE);
    }
  }

  private JsonNode check(HttpResponse<?> response, String body) {
    JsonNode answer = read(body);
    int status = response.statusCode();
    if (status < FIRST_ERROR) {
      return answer;
    }
    JsonNode error = answer.path("error");
    String message = error.path("message").asText("the server answered with status " + status);
    String remedy =
        switch (error.path("code").asText()) {
          case "not_found", "method_not_allowed" -> ofAnotherVersion(response.request().uri());
          case "timeout" -> "; it may have been done: look before trying again";
          case "no_such_tenant" -> meant(response.request().uri().getRawPath());
          default ->
              response
                  .headers()
                  .firstValue("Retry-After")
                  .map(seconds -> "; try again in " + seconds + " s")
                  .orElse("");
        };
    throw new Failure(message + remedy);
  }

  /** A path that the server does not know is one of another version's. */
  private String ofAnotherVersion(URI asked) {
    if (asked.getRawPath().endsWith(VERSION)) {
      return "";
    }
    String ours = Version.current().version();
    String theirs;
    try {
      theirs = get(VERSION).path("version").asText(ours);
    } catch (Failure e) {
      theirs = ours;
    }
    return theirs.equals(ours)
        ? ""
        : ": it has version "
            + theirs
            + ", this command is of "
            + ours
            + "; use that of its version";
  }

  /** The name of a tenant that is like the one of a path; nothing for who may not know. */
  private String meant(String path) {
    Matcher tenant = TENANT.matcher(path);
    if (!tenant.lookingAt()) {
      return "";
    }
    try {
      List<String> known = new ArrayList<>();
      get("/api/v1/tenants?limit=1000")
          .path("tenants")
          .forEach(each -> known.add(each.path("tenant").asText()));
      return Likeness.suggestion(URLDecoder.decode(tenant.group(1), StandardCharsets.UTF_8), known);
    } catch (Failure e) {
      return "";
    }
  }

  private static HttpClient connect() {
    return HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  }

  private <T> HttpResponse<T> send(
      HttpClient client,
      String method,
      String path,
      HttpRequest.BodyPublisher body,
      HttpResponse.BodyHandler<T> handler,
      String... headers) {
    return send(client, PATIENCE, method, path, body, handler, headers);
  }

  private <T> HttpResponse<T> send(
      HttpClient client,
      Duration patience,
      String method,
      String path,
      HttpRequest.BodyPublisher body,
      HttpResponse.BodyHandler<T> handler,
      String... headers) {
    Key key = key();
    HttpRequest.Builder request;
    try {
      request = HttpRequest.newBuilder(URI.create(url + path)).timeout(patience);
    } catch (IllegalArgumentException e) {
      throw new Failure("--url '" + url + "' is not an address: use http://HOST:PORT");
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    if (key.text() != null) {
      request.header("Authorization", "Bearer " + key.text());
    }
    request.method(method, body);
    try {
      HttpResponse<T> response = client.send(request.build(), handler);
      if (response.statusCode() == UNAUTHORIZED) {
        throw new Failure(refused(key));
      }
      return response;
    } catch (ConnectException e) {
      throw new Failure(
          isUnresolved(e)
              ? "nobody knows the host of " + url + "; check the name of --url or KVS_URL"
              : "no server answers at "
                  + url
                  + "; start one with 'kvs serve', or name it with --url");
    } catch (HttpTimeoutException e) {
      throw new Failure(
          "the server at "
              + url
              + " did not answer within "
              + patience.toSeconds()
              + " s; it may do what was asked all the same: look before trying again");
    } catch (SSLException e) {
      throw new Failure(url + " does not speak TLS; use http:// in --url");
    } catch (IOException e) {
      throw new Failure(
          "the server at "
              + url
              + " did not answer: "
              + (e.getMessage() == null ? e : e.getMessage())
              + "; is it a KeyValueServe server's HTTP port? 'kvs serve' names it");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
  }

  private static boolean isUnresolved(Throwable e) {
    return e instanceof UnresolvedAddressException
        || (e.getCause() != null && isUnresolved(e.getCause()));
  }

  private String refused(Key key) {
    return key.text() == null
        ? url
            + " needs a key; give it with --key-file FILE or KVS_KEY: the operator's is where"
            + " 'kvs serve' says, a tenant's is made by 'kvs key create'"
        : url
            + " refused the key ("
            + key.source()
            + "); give the right one with --key-file FILE or KVS_KEY";
  }

  private JsonNode read(String body) {
    try {
      return body.isEmpty() ? JSON.createObjectNode() : JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new Failure(
          url + " is not a KeyValueServe server: its answer is not JSON; name one with --url");
    }
  }

  private Key key() {
    if (keyFile != null) {
      return key(readKey(keyFile), "from " + keyFile);
    }
    String fromEnvironment = System.getenv("KVS_KEY");
    if (fromEnvironment != null) {
      return key(fromEnvironment, "from KVS_KEY");
    }
    Path usual = Server.defaultOperatorKeyFile();
    return Files.isReadable(usual)
        ? key(readKey(usual), "from " + usual)
        : new Key(null, "none was given");
  }

  /** Checks that a key is one word. No message has the key in it. */
  private static Key key(String said, String source) {
    String text = said.strip();
    if (!text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new Failure(
          "the key ("
              + source
              + ") is not one word: it has a space, a line break or a character outside ASCII in"
              + " it; give the key alone");
    }
    return new Key(text, source);
  }

  private static String readKey(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new Failure(
          "the key cannot be read from "
              + file
              + ": "
              + FileTrouble.of(e)
              + "; name another with --key-file");
    }
  }
}
