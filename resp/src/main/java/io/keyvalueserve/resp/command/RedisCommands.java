package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every command and subcommand of Redis 7, and what is said of those that this server lacks or has
 * otherwise. Both are lists in files: {@code redis-commands.tsv} has the facts of all commands,
 * {@code other-commands.tsv} has a line for each that is not as in Redis. Immutable.
 */
final class RedisCommands {
  /** The page that lists every command. */
  static final String PAGE = "docs/redis-commands.md";

  private static final Map<String, CommandFacts> FACTS = readFacts();
  private static final Map<String, Other> OTHERS = readOthers();

  private RedisCommands() {}

  /** The fate of a command that is not as in Redis. */
  enum Status {
    /** It works, but differs. */
    DIFFERS("differs"),
    /** It does not work yet. */
    NOT_YET("not yet"),
    /** It will not work, for a reason. */
    REFUSED("refused");

    private final String label;

    Status(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /**
   * A line of the commands that are not as in Redis.
   *
   * @param name the full name
   * @param words how it differs, or why it is refused; may be empty for what is only missing
   */
  record Other(String name, Status status, String words) {}

  /** Returns the facts of a command of Redis by its full name in lower case, or null. */
  static @Nullable CommandFacts facts(String fullName) {
    return FACTS.get(fullName);
  }

  /** Returns all commands and subcommands of Redis, sorted by name. */
  static Map<String, CommandFacts> all() {
    return FACTS;
  }

  /** Returns all lines of commands that are not as in Redis, sorted by name. */
  static Map<String, Other> others() {
    return OTHERS;
  }

  /**
   * Returns words for a client that has sent a command of Redis which this server lacks; empty if
   * Redis has none such.
   *
   * @param fullName in any case
   */
  static String whyMissing(String fullName) {
    String name = fullName.toLowerCase(Locale.ROOT);
    if (!FACTS.containsKey(name)) {
      return "";
    }
    Other other = OTHERS.get(name);
    String why = other != null && other.status() == Status.REFUSED ? ": " + other.words() : " yet";
    return "(Redis has this command, this server does not"
        + why
        + "; COMMAND LIST names those that it has, "
        + PAGE
        + " has all)";
  }

  private static Map<String, CommandFacts> readFacts() {
    Map<String, CommandFacts> all = new LinkedHashMap<>();
    for (String row : rows("redis-commands.tsv")) {
      CommandFacts facts = CommandFacts.parse(row);
      all.put(facts.name(), facts);
    }
    return Collections.unmodifiableMap(all);
  }

  private static Map<String, Other> readOthers() {
    Map<String, Other> all = new LinkedHashMap<>();
    for (String row : rows("other-commands.tsv")) {
      String[] columns = row.split("\t", -1);
      if (columns.length != 3) {
        throw new IllegalStateException("a row must have 3 columns: " + row);
      }
      Status status = null;
      for (Status each : Status.values()) {
        if (each.label().equals(columns[1])) {
          status = each;
        }
      }
      if (status == null) {
        throw new IllegalStateException("'" + columns[1] + "' is no status: " + row);
      }
      if (all.put(columns[0], new Other(columns[0], status, columns[2])) != null) {
        throw new IllegalStateException("a command has two rows: " + row);
      }
    }
    return Collections.unmodifiableMap(all);
  }

  /** Reads the lines of a file beside this class that are no comments. */
  private static List<String> rows(String file) {
    try (InputStream in = RedisCommands.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the server was built without " + file);
      }
      return new String(in.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
