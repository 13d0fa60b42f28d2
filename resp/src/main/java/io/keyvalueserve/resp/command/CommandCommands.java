package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyvalueserve.engine.GlobMatcher;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** COMMAND and its subcommands: what the descriptors say. */
final class CommandCommands {
  private static final Descriptor PARENT =
      Descriptor.of("command", -1, Group.SERVER, "", "Describes all commands.").since("2.8.13");

  static final List<Command> ALL =
      List.of(
          new Container(
              PARENT,
              (client, request) -> new Reply.Array(all().map(CommandCommands::info).toList()),
              List.of(
                  sub(
                      "count",
                      2,
                      "",
                      "Counts the commands.",
                      (client, request) -> Reply.integer(all().count())),
                  sub(
                      "docs",
                      -2,
                      "[command-name [command-name ...]]",
                      "Documents commands.",
                      CommandCommands::docs),
                  sub(
                      "info",
                      -2,
                      "[command-name [command-name ...]]",
                      "Describes commands.",
                      (client, request) ->
                          new Reply.Array(named(request, CommandCommands::info, Reply.Null.NULL))),
                  sub(
                      "list",
                      -2,
                      "[FILTERBY <MODULE module-name|ACLCAT category|PATTERN pattern>]",
                      "Lists the names of commands.",
                      CommandCommands::list))));

  private CommandCommands() {}

  private static Command sub(
      String name, int arity, String usage, String summary, Container.Action action) {
    return Container.subcommand(
        PARENT,
        Descriptor.of(name, arity, Group.SERVER, usage, summary)
            .with(Flag.LOADING, Flag.STALE)
            .since("2.8.13"),
        action);
  }

  private static java.util.stream.Stream<Command> all() {
    return CommandTable.standard().commands().stream();
  }

  private static List<Command> subcommands(Command command) {
    return command instanceof Container container ? container.subcommands() : List.of();
  }

  private static List<Reply> named(
      Request request, Function<Command, Reply> describe, @Nullable Reply unknown) {
    if (request.count() == 2) {
      return all().map(describe).toList();
    }
    List<Reply> replies = new ArrayList<>();
    for (int i = 2; i < request.count(); i++) {
      Command command = find(request.latin(i));
      if (command != null) {
        replies.add(describe.apply(command));
      } else if (unknown != null) {
        replies.add(unknown);
      }
    }
    return replies;
  }

  /** The command of this full name. */
  private static @Nullable Command find(String fullName) {
    String name = fullName.toLowerCase(Locale.ROOT);
    int bar = name.indexOf('|');
    Command command =
        CommandTable.standard().find((bar < 0 ? name : name.substring(0, bar)).getBytes(UTF_8));
    if (bar < 0 || command == null) {
      return command;
    }
    return subcommands(command).stream()
        .filter(subcommand -> subcommand.descriptor().fullName().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static Reply info(Command command) {
    Descriptor descriptor = command.descriptor();
    return new Reply.Array(
        List.of(
            Reply.bulk(descriptor.fullName()),
            Reply.integer(descriptor.arity()),
            new Reply.SetOf(
                descriptor.flags().stream()
                    .map(flag -> new Reply.Status(flag.name().toLowerCase(Locale.ROOT)))
                    .toList()),
            Reply.integer(descriptor.firstKey()),
            Reply.integer(descriptor.lastKey()),
            Reply.integer(descriptor.step()),
            new Reply.SetOf(descriptor.categories().stream().map(Reply.Status::new).toList()),
            new Reply.Array(List.of()),
            new Reply.Array(keySpecifications(descriptor)),
            new Reply.Array(subcommands(command).stream().map(CommandCommands::info).toList())));
  }

  private static List<Reply> keySpecifications(Descriptor descriptor) {
    if (descriptor.firstKey() == 0) {
      return List.of();
    }
    boolean writes = descriptor.has(Flag.WRITE);
    int last = descriptor.lastKey();
    return List.of(
        map(
            "flags",
            new Reply.SetOf(List.of(new Reply.Status(writes ? "RW" : "RO"))),
            "begin_search",
            map(
                "type",
                Reply.bulk("index"),
                "spec",
                map("index", Reply.integer(descriptor.firstKey()))),
            "find_keys",
            map(
                "type",
                Reply.bulk("range"),
                "spec",
                map(
                    "lastkey",
                    Reply.integer(last < 0 ? last : last - descriptor.firstKey()),
                    "keystep",
                    Reply.integer(descriptor.step()),
                    "limit",
                    Reply.Int.ZERO))));
  }

  private static Reply docs(Client client, Request request) {
    List<Reply> pairs = new ArrayList<>();
    if (request.count() == 2) {
      all().forEach(command -> document(command, pairs));
    } else {
      for (int i = 2; i < request.count(); i++) {
        Command command = find(request.latin(i));
        if (command != null) {
          document(command, pairs);
        }
      }
    }
    return new Reply.MapOf(pairs);
  }

  private static void document(Command command, List<Reply> pairs) {
    Descriptor descriptor = command.descriptor();
    List<Reply> document = new ArrayList<>();
    entry(document, "summary", Reply.bulk(descriptor.summary()));
    entry(document, "since", Reply.bulk(descriptor.since()));
    entry(document, "group", Reply.bulk(descriptor.group().name().toLowerCase(Locale.ROOT)));
    entry(document, "complexity", Reply.bulk(descriptor.complexity()));
    List<Reply> arguments = ArgumentSyntax.arguments(descriptor.usage());
    if (!arguments.isEmpty()) {
      entry(document, "arguments", new Reply.Array(arguments));
    }
    List<Reply> inner = new ArrayList<>();
    subcommands(command).forEach(subcommand -> document(subcommand, inner));
    if (!inner.isEmpty()) {
      entry(document, "subcommands", new Reply.MapOf(inner));
    }
    entry(pairs, descriptor.fullName(), new Reply.MapOf(document));
  }

  private static boolean matches(GlobMatcher matcher, byte[] name) {
    boolean matches = matcher.matches(name);
    if (matcher.isTooCostly()) {
      throw new CommandException(Errors.tooCostly(matcher));
    }
    return matches;
  }

  private static Reply list(Client client, Request request) {
    Predicate<Descriptor> wanted = descriptor -> true;
    if (request.count() == 5 && request.is(2, "FILTERBY")) {
      String value = request.latin(4);
      if (request.is(3, "ACLCAT")) {
        wanted =
            descriptor -> descriptor.categories().contains("@" + value.toLowerCase(Locale.ROOT));
      } else if (request.is(3, "PATTERN")) {
        GlobMatcher matcher = new GlobMatcher(new GlobPattern(request.argument(4)));
        wanted = descriptor -> matches(matcher, descriptor.fullName().getBytes(UTF_8));
      } else if (request.is(3, "MODULE")) {
        wanted = descriptor -> false;
      } else {
        throw Parsing.syntaxError();
      }
    } else if (request.count() != 2) {
      throw Parsing.syntaxError();
    }
    return new Reply.Array(
        all()
            .flatMap(
                command ->
                    java.util.stream.Stream.concat(
                        java.util.stream.Stream.of(command), subcommands(command).stream()))
            .map(Command::descriptor)
            .filter(wanted)
            .map(descriptor -> Reply.bulk(descriptor.fullName()))
            .toList());
  }

  private static void entry(List<Reply> pairs, String key, Reply value) {
    pairs.add(Reply.bulk(key));
    pairs.add(value);
  }

  /** A map; keys and values take turns. */
  private static Reply map(Object... alternating) {
    List<Reply> pairs = new ArrayList<>();
    for (Object each : alternating) {
      pairs.add(each instanceof Reply reply ? reply : Reply.bulk((String) each));
    }
    return new Reply.MapOf(pairs);
  }
}
