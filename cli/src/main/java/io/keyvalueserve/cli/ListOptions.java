package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the part of a list of tenants that is asked for. */
final class ListOptions {
  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "How many tenants at most: 1 to 1000. Default: 100")
  private @Nullable Integer limit;

  @Option(
      names = "--after",
      paramLabel = "NAME",
      description = "Those whose names come after this one: the last name of the page before.")
  private @Nullable String after;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      description = "Those whose names begin with this.")
  private @Nullable String prefix;

  /** A path with the parameters. */
  String of(String path) {
    StringJoiner parameters = new StringJoiner("&", path + "?", "").setEmptyValue(path);
    AdminClient.add(parameters, "limit", limit == null ? null : limit.toString());
    AdminClient.add(parameters, "cursor", after);
    AdminClient.add(parameters, "prefix", prefix);
    return parameters.toString();
  }

  /** Returns the text that says how to get the rest of the list; empty if there is none. */
  static String more(JsonNode answer) {
    String cursor = answer.path("cursor").asText();
    return cursor.isEmpty()
        ? ""
        : "There are "
            + answer.path("total").asText()
            + " tenants in all. '--after "
            + cursor
            + "' shows the next page, '--limit' sets its length, '--prefix' chooses by name.";
  }
}
