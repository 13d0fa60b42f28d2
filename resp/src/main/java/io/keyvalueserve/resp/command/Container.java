package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A command that is nothing but its subcommands, such as CLIENT; run without one, if it may be, it
 * does something of its own.
 */
final class Container implements SessionCommand {
  /** Does what a command does. */
  @FunctionalInterface
  interface Action {
    /** See {@link SessionCommand#execute}. */
    Reply execute(Client client, Request request);
  }

  private final Descriptor descriptor;
  private final @Nullable Action alone;
  private final List<Command> subcommands;

  /**
   * @param alone what it does without a subcommand, or null if it needs one
   */
  Container(Descriptor descriptor, @Nullable Action alone, List<Command> subcommands) {
    this.descriptor = descriptor;
    this.alone = alone;
    List<Command> all = new ArrayList<>(subcommands);
    all.add(help());
    this.subcommands = List.copyOf(all);
  }

  @Override
  public Descriptor descriptor() {
    return descriptor;
  }

  List<Command> subcommands() {
    return subcommands;
  }

  /**
   * The subcommand that a request names, or this command if it names none.
   *
   * @throws CommandException if there is no such subcommand
   */
  Command choose(Request request) {
    if (request.count() == 1) {
      return this;
    }
    for (Command subcommand : subcommands) {
      if (request.is(1, subcommand.descriptor().name().toUpperCase(Locale.ROOT))) {
        return subcommand;
      }
    }
    throw new CommandException(
        Errors.unknownSubcommand(descriptor.name().toUpperCase(Locale.ROOT), request));
  }

  @Override
  public Reply execute(Client client, Request request) {
    if (alone == null) {
      throw new CommandException(Errors.wrongArity(descriptor));
    }
    return alone.execute(client, request);
  }

  /** A subcommand that is described here and does this. */
  static Command subcommand(Descriptor parent, Descriptor descriptor, Action action) {
    return new Subcommand(descriptor.inside(parent.name()), action);
  }

  private Command help() {
    return subcommand(
        descriptor,
        Descriptor.of("help", 2, descriptor.group(), "", "Lists the subcommands."),
        (client, request) -> helpText());
  }

  private Reply helpText() {
    String name = descriptor.name().toUpperCase(Locale.ROOT);
    List<Reply> lines = new ArrayList<>();
    lines.add(new Reply.Status(name + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:"));
    for (Command subcommand : subcommands) {
      Descriptor each = subcommand.descriptor();
      lines.add(
          new Reply.Status((each.name().toUpperCase(Locale.ROOT) + " " + each.usage()).strip()));
      lines.add(new Reply.Status("    " + each.summary()));
    }
    return new Reply.Array(lines);
  }

  private record Subcommand(Descriptor descriptor, Action action) implements SessionCommand {
    @Override
    public Reply execute(Client client, Request request) {
      return action.execute(client, request);
    }
  }
}
