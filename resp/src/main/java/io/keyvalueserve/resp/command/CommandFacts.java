package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.command.Descriptor.Flag;
import java.util.List;
import java.util.Locale;

/**
 * The facts that COMMAND tells of a command. Those of Redis' own commands are Redis' facts: clients
 * decide by them how they route and retry.
 *
 * @param name the full name in lower case, as {@code client|id}
 * @param since the version that brought it
 * @param group as Redis groups it
 * @param arity how many arguments, all names included; at least so many if negative
 * @param flags in Redis' words
 * @param firstKey the index of the first key, 0 if there is none
 * @param lastKey the index of the last key; -1 is the last argument
 * @param step from one key to the next
 * @param categories access categories, each with an at sign
 * @param tips for clients of a cluster
 * @param deprecatedSince the version that deprecated it; empty for most
 * @param keys where its keys are
 */
record CommandFacts(
    String name,
    String since,
    String group,
    int arity,
    List<String> flags,
    int firstKey,
    int lastKey,
    int step,
    List<String> categories,
    List<String> tips,
    String deprecatedSince,
    List<KeySpecification> keys) {
  private static final int COLUMNS = 10;

  /** Reads a row of the list of Redis' commands. */
  static CommandFacts parse(String row) {
    String[] columns = row.split("\t", -1);
    if (columns.length != COLUMNS) {
      throw new IllegalStateException("a row must have " + COLUMNS + " columns: " + row);
    }
    List<String> places = list(columns[5]);
    return new CommandFacts(
        columns[0],
        columns[1],
        columns[2],
        Integer.parseInt(columns[3]),
        list(columns[4]),
        Integer.parseInt(places.get(0)),
        Integer.parseInt(places.get(1)),
        Integer.parseInt(places.get(2)),
        list(columns[6]),
        list(columns[7]),
        columns[8],
        columns[9].isEmpty()
            ? List.of()
            : List.of(columns[9].split(" & ", -1)).stream().map(KeySpecification::parse).toList());
  }

  private static List<String> list(String values) {
    return values.isEmpty() ? List.of() : List.of(values.split(",", -1));
  }

  /** Returns the facts of a command of this door. */
  static CommandFacts of(Descriptor descriptor) {
    CommandFacts known = RedisCommands.facts(descriptor.fullName());
    if (known != null) {
      return known;
    }
    KeySpecification keys = KeySpecification.of(descriptor);
    return new CommandFacts(
        descriptor.fullName(),
        descriptor.since(),
        descriptor.group().name().toLowerCase(Locale.ROOT),
        descriptor.arity(),
        descriptor.flags().stream().map(flag -> flag.name().toLowerCase(Locale.ROOT)).toList(),
        descriptor.firstKey(),
        descriptor.lastKey(),
        descriptor.step(),
        descriptor.categories(),
        List.of(),
        "",
        keys == null ? List.of() : List.of(keys));
  }

  /** Returns whether the command has this flag of Redis'. */
  boolean has(String flag) {
    return flags.contains(flag);
  }

  /** Returns whether the command administers, and is shown to no monitor. */
  boolean isAdministrative() {
    return has("admin") || categories.contains("@admin");
  }

  /** Returns whether the command writes. */
  boolean writes() {
    return has(Flag.WRITE.name().toLowerCase(Locale.ROOT));
  }
}
