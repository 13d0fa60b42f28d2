package io.keyvalueserve.gateway.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.gateway.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every command by its name.
 *
 * <p>A look-up hashes the name's bytes without regard to case and allocates nothing. Immutable.
 */
public final class CommandTable {
  /** The version of Redis whose commands these are. */
  public static final String REDIS_VERSION = "7.0.15";

  private static final CommandTable STANDARD = new CommandTable(standardCommands());

  private static final int SLOTS_PER_COMMAND = 4;
  private static final int CASE_BIT = 0x20;

  private final List<Command> commands;
  private final @Nullable Slot[] slots;
  private final int mask;

  private record Slot(byte[] name, Command command) {}

  private CommandTable(List<Command> commands) {
    this.commands = List.copyOf(commands);
    int size = Integer.highestOneBit(commands.size() * SLOTS_PER_COMMAND) * 2;
    this.slots = new Slot[size];
    this.mask = size - 1;
    for (Command command : commands) {
      byte[] name = command.descriptor().name().getBytes(US_ASCII);
      int at = hash(name) & mask;
      while (slots[at] != null) {
        at = (at + 1) & mask;
      }
      slots[at] = new Slot(name, command);
    }
  }

  /** The commands of this door. */
  public static CommandTable standard() {
    return STANDARD;
  }

  private static List<Command> standardCommands() {
    List<Command> all = new ArrayList<>();
    all.addAll(StringReads.ALL);
    all.addAll(StringWrites.ALL);
    all.addAll(Counters.ALL);
    all.addAll(KeyCounts.ALL);
    all.addAll(Expiries.ALL);
    all.addAll(Keyspace.ALL);
    all.addAll(Authentications.ALL);
    all.addAll(ConnectionCommands.ALL);
    all.addAll(ClientCommands.ALL);
    all.addAll(ConfigCommands.ALL);
    all.addAll(CommandCommands.ALL);
    all.add(new Info());
    return all;
  }

  /** All of them; the subcommands are in their containers. */
  public List<Command> commands() {
    return commands;
  }

  /**
   * The command or the subcommand that a request names.
   *
   * @throws CommandException if there is none, or the request has too few or too many arguments
   */
  public Command resolve(Request request) {
    Command command = find(request.argument(0));
    if (command == null) {
      throw new CommandException(Errors.unknownCommand(request));
    }
    if (command instanceof Container container) {
      command = container.choose(request);
    }
    if (!command.descriptor().accepts(request)) {
      throw new CommandException(Errors.wrongArity(command.descriptor()));
    }
    return command;
  }

  /** The command of this name, in whatever case. */
  @Nullable Command find(byte[] name) {
    int at = hash(name) & mask;
    while (true) {
      Slot slot = slots[at];
      if (slot == null) {
        return null;
      }
      if (sameWord(slot.name(), name)) {
        return slot.command();
      }
      at = (at + 1) & mask;
    }
  }

  private static int hash(byte[] name) {
    int hash = 0;
    for (byte b : name) {
      hash = 31 * hash + (b | CASE_BIT);
    }
    return hash ^ (hash >>> 7);
  }

  private static boolean sameWord(byte[] lower, byte[] name) {
    if (lower.length != name.length) {
      return false;
    }
    for (int i = 0; i < lower.length; i++) {
      int b = name[i];
      if (lower[i] != (b >= 'A' && b <= 'Z' ? b | CASE_BIT : b)) {
        return false;
      }
    }
    return true;
  }
}
