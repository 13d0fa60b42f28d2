package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.protocol.RequestView;
import java.util.ArrayList;
import java.util.IdentityHashMap;
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
  private final IdentityHashMap<Command, Integer> numbers = new IdentityHashMap<>();

  private record Slot(byte[] name, Command command) {}

  private CommandTable(List<Command> commands) {
    this.commands = List.copyOf(commands);
    int size = Integer.highestOneBit(commands.size() * SLOTS_PER_COMMAND) * 2;
    this.slots = new Slot[size];
    this.mask = size - 1;
    for (Command command : commands) {
      numbers.put(command, numbers.size() + 1);
      byte[] name = command.descriptor().name().getBytes(US_ASCII);
      int at = hash(name, 0, name.length) & mask;
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
    all.addAll(Hashes.ALL);
    all.addAll(Lists.ALL);
    all.addAll(ListMoves.ALL);
    all.addAll(BlockingPops.ALL);
    all.addAll(SortedSets.ALL);
    all.addAll(SortedSetAlgebra.ALL);
    all.addAll(GeoPoints.ALL);
    all.addAll(GeoSearches.ALL);
    all.addAll(ExpiringFields.ALL);
    all.addAll(Sets.ALL);
    all.addAll(SetAlgebra.ALL);
    all.addAll(Bitmaps.ALL);
    all.addAll(Sketches.ALL);
    all.add(new Lcs());
    all.addAll(Dumps.ALL);
    all.addAll(Inspections.ALL);
    all.addAll(KeyCounts.ALL);
    all.addAll(Expiries.ALL);
    all.addAll(Keyspace.ALL);
    all.addAll(Sorting.ALL);
    all.add(new KeyMove());
    all.add(new WaitAof());
    all.addAll(Authentications.ALL);
    all.addAll(ConnectionCommands.ALL);
    all.addAll(ChannelCommands.ALL);
    all.addAll(Transactions.ALL);
    all.add(new KvsCost());
    all.addAll(ClientCommands.ALL);
    all.addAll(ConfigCommands.ALL);
    all.addAll(CommandCommands.ALL);
    all.add(new Info());
    all.addAll(Scripts.ALL);
    all.addAll(SlowLogCommands.ALL);
    all.addAll(AclCommands.ALL);
    all.addAll(ServerCommands.ALL);
    return all;
  }

  /**
   * A number for a command: from 1 to {@link #mostNumber}, or 0 for all subcommands together, which
   * are in their containers.
   */
  public int number(Command command) {
    return numbers.getOrDefault(command, 0);
  }

  /** The greatest number of a command. */
  public int mostNumber() {
    return numbers.size();
  }

  /** All of them; the subcommands are in their containers. */
  public List<Command> commands() {
    return commands;
  }

  /** Returns the descriptors of all commands and subcommands. */
  public List<Descriptor> everyDescriptor() {
    List<Descriptor> all = new ArrayList<>();
    for (Command command : commands) {
      all.add(command.descriptor());
      if (command instanceof Container container) {
        container.subcommands().forEach(inner -> all.add(inner.descriptor()));
      }
    }
    return all;
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

  /** The command that a request names and that takes as many arguments, or null. */
  public @Nullable Command find(RequestView request) {
    Command command = find(request.bytes(), request.offset(0), request.length(0));
    return command != null && command.descriptor().accepts(request.count()) ? command : null;
  }

  /** The command of this name, in whatever case, or null. */
  public @Nullable Command find(byte[] name) {
    return find(name, 0, name.length);
  }

  private @Nullable Command find(byte[] bytes, int offset, int length) {
    int at = hash(bytes, offset, length) & mask;
    while (true) {
      Slot slot = slots[at];
      if (slot == null) {
        return null;
      }
      if (sameWord(slot.name(), bytes, offset, length)) {
        return slot.command();
      }
      at = (at + 1) & mask;
    }
  }

  private static int hash(byte[] bytes, int offset, int length) {
    int hash = 0;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + (bytes[i] | CASE_BIT);
    }
    return hash ^ (hash >>> 7);
  }

  private static boolean sameWord(byte[] lower, byte[] bytes, int offset, int length) {
    if (lower.length != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      int b = bytes[offset + i];
      if (lower[i] != (b >= 'A' && b <= 'Z' ? b | CASE_BIT : b)) {
        return false;
      }
    }
    return true;
  }
}
