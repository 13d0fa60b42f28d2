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
                      "getkeys",
                      -4,
                      "command [arg [arg ...]]",
                      "Returns the keys of a request.",
                      CommandCommands::getKeys),
                  sub(
                      "getkeysandflags",
                      -4,
                      "command [arg [arg ...]]",
                      "Returns the keys of a request, and what it does with each.",
                      CommandCommands::getKeysAndFlags),
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
    CommandFacts facts = CommandFacts.of(command.descriptor());
    List<Command> inner = subcommands(command);
    return new Reply.Array(
        List.of(
            Reply.bulk(facts.name()),
            Reply.integer(facts.arity()),
            KeySpecification.flagsReply(facts.flags()),
            Reply.integer(facts.firstKey()),
            Reply.integer(facts.lastKey()),
            Reply.integer(facts.step()),
            KeySpecification.flagsReply(facts.categories()),
            new Reply.SetOf(facts.tips().stream().map(Reply::bulk).toList()),
            new Reply.SetOf(facts.keys().stream().map(KeySpecification::reply).toList()),
            inner.isEmpty()
                ? new Reply.SetOf(List.of())
                : new Reply.Array(inner.stream().map(CommandCommands::info).toList())));
  }

  private static Reply getKeys(Client client, Request request) {
    return keysOf(request, key -> new Reply.Bulk(key.bytes()));
  }

  private static Reply getKeysAndFlags(Client client, Request request) {
    return keysOf(
        request,
        key ->
            new Reply.Array(
                List.of(new Reply.Bulk(key.bytes()), KeySpecification.flagsReply(key.flags()))));
  }

  private static Reply keysOf(Request request, Function<CommandKeys.Key, Reply> show) {
    byte[][] arguments = new byte[request.count() - 2][];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = request.argument(i + 2);
    }
    String name = request.latin(2);
    Command command = find(name);
    if (command instanceof Container && arguments.length > 1) {
      command = find(name + "|" + request.latin(3));
    }
    if (command == null) {
      throw new CommandException("ERR Invalid command specified");
    }
    CommandFacts facts = CommandFacts.of(command.descriptor());
    if (facts.keys().stream().allMatch(key -> key.flags().contains("not_key"))) {
      throw new CommandException("ERR The command has no key arguments");
    }
    if (!command.descriptor().accepts(arguments.length)) {
      throw new CommandException("ERR Invalid number of arguments specified for command");
    }
    List<CommandKeys.Key> keys = CommandKeys.of(facts, arguments);
    if (keys == null) {
      if (facts.has("no_mandatory_keys")) {
        return new Reply.Array(List.of());
      }
      throw new CommandException("ERR Invalid arguments specified for command");
    }
    return new Reply.Array(keys.stream().map(show).toList());
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
    CommandFacts facts = CommandFacts.of(descriptor);
    entry(document, "since", Reply.bulk(facts.since()));
    entry(document, "group", Reply.bulk(facts.group()));
    entry(document, "complexity", Reply.bulk(descriptor.complexity()));
    if (!facts.deprecatedSince().isEmpty()) {
      entry(document, "doc_flags", new Reply.SetOf(List.of(new Reply.Status("deprecated"))));
      entry(document, "deprecated_since", Reply.bulk(facts.deprecatedSince()));
    }
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
        String category = "@" + value.toLowerCase(Locale.ROOT);
        wanted = descriptor -> CommandFacts.of(descriptor).categories().contains(category);
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
}
