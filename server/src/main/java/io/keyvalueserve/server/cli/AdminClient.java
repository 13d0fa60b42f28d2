package io.keyvalueserve.server.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.server.Server;
import io.keyvalueserve.server.cli.KvsCommand.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options by which a command finds its server, and the calls it makes there. */
final class AdminClient {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String[] JSON_TYPE = {"Content-Type", "application/json"};
  private static final int UNAUTHORIZED = 401;
  private static final int FIRST_ERROR = 400;

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
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
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
        check(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
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
      download(path, System.out);
      System.out.flush();
      return;
    }
    try (OutputStream out = Files.newOutputStream(Path.of(file), StandardOpenOption.CREATE_NEW)) {
      download(path, out);
    } catch (FileAlreadyExistsException e) {
      throw new Failure(file + " is there already: name another file");
    } catch (IOException e) {
      throw new Failure(file + " cannot be written: " + e);
    }
  }

  /** Writes what the server has under a path, whatever it is. */
  private void download(String path, OutputStream to) {
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
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
          check(response.statusCode(), new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
        body.transferTo(to);
      }
    } catch (IOException e) {
      throw new Failure("not all was received from " + url + ": " + e);
    }
  }

  private JsonNode call(String method, String path, @Nullable Object body) {
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      HttpResponse<String> response =
          send(
              client,
              method,
              path,
              body == null
                  ? HttpRequest.BodyPublishers.noBody()
                  : HttpRequest.BodyPublishers.ofString(body.toString()),
              HttpResponse.BodyHandlers.ofString(),
              JSON_TYPE);
      return check(response.statusCode(), response.body());
    }
  }

  private JsonNode check(int status, String body) {
    JsonNode answer = read(body);
    if (status >= FIRST_ERROR) {
      throw new Failure(
          answer.path("error").path("message").asText("the server answered with status " + status));
    }
    return answer;
  }

  private <T> HttpResponse<T> send(
      HttpClient client,
      String method,
      String path,
      HttpRequest.BodyPublisher body,
      HttpResponse.BodyHandler<T> handler,
      String... headers) {
    Key key = key();
    HttpRequest.Builder request;
    try {
      request = HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
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
        throw new Failure(
            url
                + " refused the key ("
                + key.source()
                + "); give the right one with --key-file FILE or KVS_KEY");
      }
      return response;
    } catch (ConnectException e) {
      throw new Failure(
          "no server answers at " + url + "; start one with 'kvs serve', or name it with --url");
    } catch (IOException e) {
      throw new Failure("the server at " + url + " did not answer: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
  }

  private JsonNode read(String body) {
    try {
      return body.isEmpty() ? JSON.createObjectNode() : JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new Failure(url + " is not a KeyValueServe server: its answer is not JSON");
    }
  }

  private Key key() {
    if (keyFile != null) {
      return new Key(readKey(keyFile), "from " + keyFile);
    }
    String fromEnvironment = System.getenv("KVS_KEY");
    if (fromEnvironment != null) {
      return new Key(fromEnvironment.strip(), "from KVS_KEY");
    }
    Path usual = Server.defaultOperatorKeyFile();
    return Files.isReadable(usual)
        ? new Key(readKey(usual), "from " + usual)
        : new Key(null, "none was given");
  }

  private static String readKey(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new Failure("the key cannot be read from " + file + ": " + e);
    }
  }
}
