package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A command's arguments in one line, as Redis' manual writes them: {@code key [EX seconds|PX
 * milliseconds] [GET] [field ...]}. A word in capitals stands for itself, brackets hold what may be
 * left out, angle brackets what may not, a bar parts alternatives, dots mean "and more of these".
 */
final class ArgumentSyntax {
  private final String line;
  private int at;

  private ArgumentSyntax(String line) {
    this.line = line;
  }

  /** The arguments as COMMAND DOCS tells them. */
  static List<Reply> arguments(String line) {
    return new ArgumentSyntax(line).alternatives('\0').documents();
  }

  /** Parses the alternatives between brackets, or on the whole line. */
  private Alternatives alternatives(char end) {
    List<List<Argument>> all = new ArrayList<>();
    List<Argument> sequence = new ArrayList<>();
    all.add(sequence);
    while (at < line.length() && line.charAt(at) != end) {
      char c = line.charAt(at);
      switch (c) {
        case ' ' -> at++;
        case '|' -> {
          at++;
          sequence = new ArrayList<>();
          all.add(sequence);
        }
        case '[', '<' -> {
          at++;
          Alternatives inner = alternatives(c == '[' ? ']' : '>');
          at++;
          append(sequence, inner, c == '[');
        }
        default -> append(sequence, word());
      }
    }
    return new Alternatives(all);
  }

  private String word() {
    int from = at;
    while (at < line.length() && " []<>|".indexOf(line.charAt(at)) < 0) {
      at++;
    }
    return line.substring(from, at);
  }

  /** A word in capitals is the token of the lower-case word that follows it, if one does. */
  private static void append(List<Argument> sequence, String word) {
    if (!word.equals("...")) {
      boolean token = word.equals(word.toUpperCase(Locale.ROOT));
      Argument last = sequence.isEmpty() ? null : sequence.getLast();
      if (!token && last != null && last.isBareToken()) {
        sequence.removeLast();
        sequence.add(new Argument(word, last.token(), false, false, List.of(), false));
      } else {
        sequence.add(
            new Argument(
                word.toLowerCase(Locale.ROOT), token ? word : "", false, token, List.of(), false));
      }
    }
  }

  private static void append(List<Argument> sequence, Alternatives inner, boolean optional) {
    List<Argument> first = inner.all().getFirst();
    // "key [key ...]" is one argument that may be repeated
    if (optional && repeats(sequence, first)) {
      for (int i = sequence.size() - first.size(); i < sequence.size(); i++) {
        sequence.set(i, sequence.get(i).repeated());
      }
      return;
    }
    if (inner.all().size() == 1 && first.size() == 1) {
      sequence.add(first.getFirst().optional(optional));
      return;
    }
    sequence.add(
        new Argument(
            inner.all().size() > 1 ? "condition" : "block",
            "",
            optional,
            false,
            inner.arguments(),
            inner.all().size() > 1));
  }

  private static boolean repeats(List<Argument> sequence, List<Argument> tail) {
    return !tail.isEmpty()
        && sequence.size() >= tail.size()
        && names(sequence.subList(sequence.size() - tail.size(), sequence.size()))
            .equals(names(tail));
  }

  private static List<String> names(List<Argument> arguments) {
    return arguments.stream().map(Argument::name).toList();
  }

  private record Alternatives(List<List<Argument>> all) {
    List<Argument> arguments() {
      if (all.size() == 1) {
        return all.getFirst();
      }
      return all.stream()
          .map(
              sequence ->
                  sequence.size() == 1
                      ? sequence.getFirst()
                      : new Argument("block", "", false, false, sequence, false))
          .toList();
    }

    List<Reply> documents() {
      return all.getFirst().stream().map(Argument::document).toList();
    }
  }

  private record Argument(
      String name,
      String token,
      boolean isOptional,
      boolean isPureToken,
      List<Argument> parts,
      boolean isOneOf,
      boolean isRepeated) {
    Argument(
        String name,
        String token,
        boolean isOptional,
        boolean isPureToken,
        List<Argument> parts,
        boolean isOneOf) {
      this(name, token, isOptional, isPureToken, parts, isOneOf, false);
    }

    boolean isBareToken() {
      return isPureToken;
    }

    Argument repeated() {
      return new Argument(name, token, isOptional, isPureToken, parts, isOneOf, true);
    }

    Argument optional(boolean yes) {
      return new Argument(name, token, yes, isPureToken, parts, isOneOf, isRepeated);
    }

    Reply document() {
      List<Reply> pairs = new ArrayList<>();
      pairs.add(Reply.bulk("name"));
      pairs.add(Reply.bulk(name));
      pairs.add(Reply.bulk("type"));
      pairs.add(Reply.bulk(type()));
      if (!token.isEmpty()) {
        pairs.add(Reply.bulk("token"));
        pairs.add(Reply.bulk(token));
      }
      List<Reply> flags = new ArrayList<>();
      if (isOptional) {
        flags.add(new Reply.Status("optional"));
      }
      if (isRepeated) {
        flags.add(new Reply.Status("multiple"));
      }
      if (!flags.isEmpty()) {
        pairs.add(Reply.bulk("flags"));
        pairs.add(new Reply.SetOf(flags));
      }
      if (!parts.isEmpty()) {
        pairs.add(Reply.bulk("arguments"));
        pairs.add(new Reply.Array(parts.stream().map(Argument::document).toList()));
      }
      return new Reply.MapOf(pairs);
    }

    private String type() {
      if (!parts.isEmpty()) {
        return isOneOf ? "oneof" : "block";
      }
      if (isPureToken) {
        return "pure-token";
      }
      return switch (name) {
        case "key", "key1", "key2", "destkey", "sourcekey", "newkey", "source", "destination" ->
            "key";
        case "seconds",
            "milliseconds",
            "start",
            "end",
            "offset",
            "count",
            "cursor",
            "decrement",
            "protover",
            "client-id",
            "increment",
            "bit",
            "ttl",
            "len" ->
            "integer";
        case "unix-time-seconds", "unix-time-milliseconds" -> "unix-time";
        case "pattern" -> "pattern";
        default -> "string";
      };
    }
  }
}
