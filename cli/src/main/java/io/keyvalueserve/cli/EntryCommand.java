package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import io.keyvalueserve.journal.FileTrouble;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvs entry ...} */
@Command(
    name = "entry",
    description = {
      "Reads and writes entries of maps.",
      "It needs an access key of the tenant (KVS_KEY or --key-file): the operator key opens no"
          + " entries. The tenant dev of a server with --dev needs none on the same machine."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class EntryCommand implements Runnable {
  private static final int CREATED = 201;
  private static final int MOST_OF_PAGE = 1_000;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? See below.");
  }

  @Command(name = "get", description = "Shows a value.", mixinStandardHelpOptions = true)
  void get(
      @Parameters(paramLabel = "TENANT/MAP") String map,
      @Parameters(paramLabel = "KEY") String key,
      @Option(
              names = "--output",
              paramLabel = "FILE",
              description = "Write its bytes, and nothing else, to a file.")
          @Nullable Path output,
      @Mixin AdminClient client,
      @Mixin Output out) {
    HttpResponse<byte[]> answer = client.exchange("GET", path(map, key), null);
    byte[] value = answer.body();
    ObjectNode json = AdminClient.object().put("key", key);
    String text = text(value);
    if (text != null) {
      json.put("value", text);
    } else {
      json.put("value", Base64.getEncoder().encodeToString(value)).put("valueEncoding", "base64");
    }
    json.put("etag", answer.headers().firstValue("ETag").orElse(""));
    answer
        .headers()
        .firstValueAsLong("Kvs-Ttl-Millis")
        .ifPresent(millis -> json.put("ttlMillis", millis));
    if (output != null) {
      write(output, value);
      out.print(json, value.length + " bytes are in " + output);
    } else if (text == null && !out.isJson()) {
      throw new Failure("the value is no text: use --output FILE or --json");
    } else {
      out.print(json, String.valueOf(text));
    }
  }

  private static void write(Path file, byte[] value) {
    try {
      Files.write(file, value);
    } catch (IOException e) {
      throw new Failure("the value cannot be written to " + file + ": " + e);
    }
  }

  @Command(
      name = "put",
      description = "Writes a value, and replaces what is there.",
      mixinStandardHelpOptions = true)
  void put(
      @Parameters(paramLabel = "TENANT/MAP") String map,
      @Parameters(paramLabel = "KEY") String key,
      @Parameters(paramLabel = "VALUE|-", description = "A text, or - for standard input.")
          String value,
      @Option(
              names = "--ttl",
              paramLabel = "TIME",
              description = "For how long it lives: 250ms, 30s, 15m, 12h, 7d. Default: for good.")
          @Nullable String ttl,
      @Option(names = "--if-absent", description = "Only if there is no such entry.")
          boolean ifAbsent,
      @Option(
              names = "--if-match",
              paramLabel = "ETAG",
              description =
                  "Only if the value is still the one that 'get --json' showed with this"
                      + " etag.")
          @Nullable String etag,
      @Mixin AdminClient client,
      @Mixin Output out) {
    if (ifAbsent && etag != null) {
      throw new ParameterException(
          spec.commandLine(), "--if-absent and --if-match: a value is written on one of them");
    }
    List<String> headers = new ArrayList<>(ifMatch(etag));
    if (ifAbsent) {
      headers.addAll(List.of("If-None-Match", "*"));
    }
    HttpResponse<byte[]> answer =
        client.exchange(
            "PUT",
            path(map, key) + (ttl == null ? "" : "?ttl=" + AdminClient.part(ttl)),
            value.equals("-") ? standardInput() : value.getBytes(StandardCharsets.UTF_8),
            headers.toArray(String[]::new));
    boolean isNew = answer.statusCode() == CREATED;
    out.print(
        AdminClient.object()
            .put("key", key)
            .put("created", isNew)
            .put("etag", answer.headers().firstValue("ETag").orElse("")),
        key + " of " + map + (isNew ? " is created" : " is replaced"));
  }

  private static byte[] standardInput() {
    try {
      return System.in.readAllBytes();
    } catch (IOException e) {
      throw new Failure("standard input cannot be read: " + FileTrouble.of(e));
    }
  }

  /** An etag as the API wants it, whether a shell has taken its quotes or not. */
  private static List<String> ifMatch(@Nullable String etag) {
    if (etag == null) {
      return List.of();
    }
    boolean isBare = !etag.equals("*") && !etag.startsWith("\"");
    return List.of("If-Match", isBare ? '"' + etag + '"' : etag);
  }

  @Command(name = "delete", description = "Removes an entry.", mixinStandardHelpOptions = true)
  void delete(
      @Parameters(paramLabel = "TENANT/MAP") String map,
      @Parameters(paramLabel = "KEY") String key,
      @Option(names = "--if-match", paramLabel = "ETAG", description = "As of 'put'.")
          @Nullable String etag,
      @Mixin AdminClient client,
      @Mixin Output out) {
    HttpResponse<byte[]> _ =
        client.exchange("DELETE", path(map, key), null, ifMatch(etag).toArray(String[]::new));
    out.print(
        AdminClient.object().put("key", key).put("deleted", true),
        key + " of " + map + " is deleted");
  }

  @Command(
      name = "batch",
      description = {
        "Does up to 1,000 operations on a map, each by itself, and says what became of each.",
        "They are a JSON object: {\"operations\":[{\"op\":\"put\",\"key\":\"k\",\"value\":\"v\"}]}"
      },
      mixinStandardHelpOptions = true)
  void batch(
      @Parameters(paramLabel = "TENANT/MAP") String map,
      @Parameters(paramLabel = "FILE|-", description = "A file, or - for standard input.")
          String file,
      @Mixin AdminClient client,
      @Mixin Output out) {
    JsonNode answer = client.postText(entries(map) + "/batch", textOf(file));
    out.print(answer, results(answer));
  }

  /** Returns the text of a file, or of standard input if the name is {@code -}. */
  static String textOf(String file) {
    byte[] body = file.equals("-") ? standardInput() : read(Path.of(file));
    return new String(body, StandardCharsets.UTF_8);
  }

  /** Returns the results of operations, each with its place in the request. */
  static TextTable results(JsonNode answer) {
    TextTable table =
        new TextTable("OPERATION", "STATUS", "VALUE", "ERROR").shortening("VALUE", "ERROR");
    int number = 0;
    for (JsonNode result : answer.path("results")) {
      table.add(
          String.valueOf(number++),
          result.path("status").asText(),
          result.path("value").asText(),
          result.path("error").path("message").asText());
    }
    return table;
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new Failure(file + " cannot be read: " + FileTrouble.of(e));
    }
  }

  @Command(name = "list", description = "Lists keys, in no order.", mixinStandardHelpOptions = true)
  void list(
      @Parameters(paramLabel = "TENANT/MAP") String map,
      @Option(names = "--prefix", paramLabel = "TEXT", description = "That begin with this text.")
          @Nullable String prefix,
      @Option(
              names = "--limit",
              defaultValue = "100",
              paramLabel = "N",
              description = "About how many. Default: ${DEFAULT-VALUE}")
          int limit,
      @Mixin AdminClient client,
      @Mixin View out) {
    if (limit < 1) {
      throw new ParameterException(spec.commandLine(), "--limit " + limit + ": use 1 or more");
    }
    out.show(() -> pages(client, map, prefix, limit), answer -> table(answer, out));
  }

  private ObjectNode pages(AdminClient client, String map, @Nullable String prefix, int limit) {
    ObjectNode answer = AdminClient.object();
    ArrayNode entries = answer.putArray("entries");
    String cursor = null;
    do {
      JsonNode page =
          client.get(
              entries(map)
                  + "?limit="
                  + Math.min(MOST_OF_PAGE, limit - entries.size())
                  + (prefix == null ? "" : "&prefix=" + AdminClient.part(prefix))
                  + (cursor == null ? "" : "&cursor=" + cursor));
      page.path("entries").forEach(entries::add);
      cursor = page.has("cursor") ? page.path("cursor").asText() : null;
    } while (cursor != null && entries.size() < limit);
    return answer.put("more", cursor != null);
  }

  private static TextTable table(JsonNode answer, Output out) {
    TextTable table = new TextTable("KEY", "KIND", "SIZE", "TTL");
    for (JsonNode entry : answer.path("entries")) {
      table.add(
          entry.path("key").asText() + (entry.has("encoding") ? "  (base64url)" : ""),
          entry.path("kind").asText(),
          entry.path("size").asText(),
          entry.has("ttlMillis") ? entry.path("ttlMillis").asText() + " ms" : "");
    }
    if (answer.path("more").asBoolean()) {
      out.warn("there are more: see --limit and --prefix");
    }
    return table.shortening("KEY");
  }

  private static @Nullable String text(byte[] value) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private String entries(String map) {
    return MapPath.of(map, spec.commandLine()) + "/entries";
  }

  private String path(String map, String key) {
    if (key.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "the key has at least one character");
    }
    return entries(map) + "/" + AdminClient.part(key).replace(".", "%2E");
  }
}
