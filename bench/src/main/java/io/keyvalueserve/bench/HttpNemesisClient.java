package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;

/** An HTTP client at one member. Conditional requests compare and set. */
final class HttpNemesisClient extends NemesisClient {
  /** Codes of errors that say that it may have been done. After all others it was not. */
  static final Set<String> MAY_BE_DONE = Set.of("timeout", "in_doubt", "internal", "");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TAG_BYTES = 16;

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final String entries;
  private final String authorization;

  /**
   * @param member its number, from 1
   * @param server such as {@code http://10.0.0.1:8080}
   * @param key the tenant's access key
   */
  HttpNemesisClient(int member, String server, String tenant, String key, String map) {
    super("HTTP", member, Set.of(KeyOperation.Kind.GET_AND_SET, KeyOperation.Kind.INCREMENT));
    this.entries = server + "/api/v1/tenants/" + tenant + "/maps/" + map + "/entries/";
    this.authorization = "Bearer " + key;
  }

  @Override
  Outcome perform(
      KeyOperation.Kind kind, String name, String argument, String expected, long expiryMillis) {
    boolean expires = kind == KeyOperation.Kind.SET_WITH_EXPIRY;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(entries + name + (expires ? "?ttl=" + expiryMillis + "ms" : "")))
            .timeout(Duration.ofMillis(PATIENCE_MILLIS))
            .header("Authorization", authorization);
    switch (kind) {
      case GET -> request.GET();
      case DELETE -> request.DELETE();
      case SET, SET_WITH_EXPIRY -> request.PUT(BodyPublishers.ofString(argument));
      case SET_IF_ABSENT ->
          request.header("If-None-Match", "*").PUT(BodyPublishers.ofString(argument));
      case COMPARE_AND_SET ->
          request.header("If-Match", tag(expected)).PUT(BodyPublishers.ofString(argument));
      case GET_AND_SET, INCREMENT -> throw new IllegalArgumentException("HTTP has none: " + kind);
    }
    try {
      return outcome(kind, http.send(request.build(), BodyHandlers.ofString()));
    } catch (ConnectException e) {
      return new Outcome.NotDone("no connection");
    } catch (IOException e) {
      return new Outcome.Unknown(e.getClass().getSimpleName());
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
  }

  private static Outcome outcome(KeyOperation.Kind kind, HttpResponse<String> answer)
      throws IOException {
    int status = answer.statusCode();
    boolean isRead = kind == KeyOperation.Kind.GET;
    if (status / 100 == 2) {
      return new Outcome.Done(isRead ? answer.body() : "1");
    }
    String code = JSON.readTree(answer.body()).path("error").path("code").asText("");
    if (code.equals("entry_not_found")) {
      return new Outcome.Done(isRead ? null : "0");
    }
    if (status == 412) {
      return new Outcome.Done("0");
    }
    String why = status + " " + code;
    return MAY_BE_DONE.contains(code) ? new Outcome.Unknown(why) : new Outcome.NotDone(why);
  }

  /** The entity tag of a value, as docs/http.md defines it. */
  private static String tag(String value) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(value.getBytes(UTF_8));
      return '"' + HexFormat.of().formatHex(Arrays.copyOf(digest, TAG_BYTES)) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
