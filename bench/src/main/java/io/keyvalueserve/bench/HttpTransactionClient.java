package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.bench.ListTransaction.Step;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * An HTTP client at one member. It reads keys in a first request; a second one reads them again,
 * and replaces values if they are still the same.
 */
final class HttpTransactionClient extends TransactionClient {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String VALUE = "value";

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final URI transactions;
  private final String authorization;
  private final String map;

  /**
   * @param member its number, from 1
   * @param server such as {@code http://10.0.0.1:8080}
   * @param key the tenant's access key
   */
  HttpTransactionClient(int member, String server, String tenant, String key, String map) {
    super("HTTP", member);
    this.transactions = URI.create(server + "/api/v1/tenants/" + tenant + "/transactions");
    this.authorization = "Bearer " + key;
    this.map = map;
  }

  @Override
  Answer perform(List<Step> plan, SplittableRandom random) {
    Map<String, List<Long>> additions = additions(plan);
    List<Step> doubtful = readThenAppend(Map.of(), additions);
    ArrayNode reads = JSON.createArrayNode();
    additions.keySet().forEach(each -> add(reads, "get", each));
    boolean sent = false;
    try {
      HttpResponse<String> first = send(reads);
      if (first.statusCode() != 200) {
        return new Answer.NotDone(door(), "read: " + why(first));
      }
      Map<String, JsonNode> found = results(additions, first);
      if (doubtful.isEmpty()) {
        return new Answer.Done(door(), readThenAppend(lists(found), additions));
      }
      sent = true;
      Map<String, List<Long>> compared = lists(found);
      compared.keySet().removeIf(each -> additions.getOrDefault(each, List.of()).isEmpty());
      doubtful = readThenAppend(compared, additions);
      return write(found, additions, doubtful, random);
    } catch (ConnectException e) {
      return new Answer.NotDone(door(), "no connection");
    } catch (IOException e) {
      String kind = e.getClass().getSimpleName();
      return sent
          ? new Answer.Unknown(door(), kind, doubtful)
          : new Answer.NotDone(door(), "read: " + kind);
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
  }

  private Answer write(
      Map<String, JsonNode> found,
      Map<String, List<Long>> additions,
      List<Step> doubtful,
      SplittableRandom random)
      throws IOException, InterruptedException {
    ArrayNode operations = JSON.createArrayNode();
    additions.forEach(
        (key, elements) -> {
          JsonNode before = found.getOrDefault(key, JSON.createObjectNode());
          if (elements.isEmpty()) {
            add(operations, "get", key);
          } else if (random.nextBoolean()) {
            put(operations, key, before, elements);
          } else {
            check(add(operations, "check", key), before);
            String text = before.path(VALUE).asText("");
            add(operations, "put", key).put(VALUE, longer(text, elements));
          }
        });
    HttpResponse<String> answer = send(operations);
    if (answer.statusCode() == 200) {
      JsonNode results = JSON.readTree(answer.body()).path("results");
      for (int i = 0; i < operations.size(); i++) {
        if (operations.get(i).path("op").asText().equals("get")) {
          found.put(operations.get(i).path("key").asText(), results.path(i));
        }
      }
      return new Answer.Done(door(), readThenAppend(lists(found), additions));
    }
    if (answer.statusCode() == 412) {
      return new Answer.NotDone(door(), "a condition did not hold");
    }
    String code = JSON.readTree(answer.body()).path("error").path("code").asText("");
    return HttpNemesisClient.MAY_BE_DONE.contains(code)
        ? new Answer.Unknown(door(), why(answer), doubtful)
        : new Answer.NotDone(door(), why(answer));
  }

  /** Replaces a value by its entity tag. */
  private void put(ArrayNode operations, String key, JsonNode before, List<Long> elements) {
    ObjectNode put = add(operations, "put", key);
    put.put(VALUE, longer(before.path(VALUE).asText(""), elements));
    if (before.has(VALUE)) {
      put.put("ifMatch", before.path("etag").asText());
    } else {
      put.put("ifNoneMatch", "*");
    }
  }

  private static void check(ObjectNode check, JsonNode before) {
    if (before.has(VALUE)) {
      check.put(VALUE, before.path(VALUE).asText());
    } else {
      check.put("exists", false);
    }
  }

  private ObjectNode add(ArrayNode operations, String op, String key) {
    return operations.addObject().put("op", op).put("map", map).put("key", key);
  }

  private HttpResponse<String> send(ArrayNode operations) throws IOException, InterruptedException {
    ObjectNode body = JSON.createObjectNode();
    body.set("operations", operations);
    HttpRequest request =
        HttpRequest.newBuilder(transactions)
            .timeout(Duration.ofMillis(PATIENCE_MILLIS))
            .header("Authorization", authorization)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  private static Map<String, JsonNode> results(
      Map<String, List<Long>> additions, HttpResponse<String> answer) throws IOException {
    JsonNode results = JSON.readTree(answer.body()).path("results");
    List<String> keys = new ArrayList<>(additions.keySet());
    Map<String, JsonNode> found = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      found.put(keys.get(i), results.path(i));
    }
    return found;
  }

  private static Map<String, List<Long>> lists(Map<String, JsonNode> found) {
    Map<String, List<Long>> lists = new LinkedHashMap<>();
    found.forEach((key, value) -> lists.put(key, elements(value.path(VALUE).asText(""))));
    return lists;
  }

  private static String why(HttpResponse<String> answer) throws IOException {
    return answer.statusCode()
        + " "
        + JSON.readTree(answer.body()).path("error").path("code").asText("");
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
