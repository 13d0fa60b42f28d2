package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * MULTI, EXEC and DISCARD, which are refused: this door has no transactions. A refused MULTI spoils
 * its block. Nothing is carried out until EXEC, DISCARD or RESET ends the block, as a client may
 * have sent the whole block before it sees the refusal.
 *
 * <p>{@link CommandTable} does not list them: COMMAND LIST names what is supported.
 */
public final class Transactions {
  /** A command within a block whose MULTI was refused. */
  public static final Reply.ErrorLine SPOILED =
      Reply.error(
          "ERR not executed, as MULTI was refused on this connection: send EXEC, DISCARD or RESET"
              + " to end the block");

  private static final Reply.ErrorLine REFUSED =
      Reply.error(
          "ERR MULTI is not supported by this server: no command is executed until EXEC, DISCARD"
              + " or RESET ends the block");
  private static final Reply.ErrorLine ABORTED =
      Reply.error(
          "EXECABORT Transaction discarded because of previous errors: MULTI is not supported by"
              + " this server");

  private static final List<Command> ALL =
      List.of(new Multi(), new End("exec", ABORTED), new End("discard", Reply.OK));

  private Transactions() {}

  /** The command of this name, in whatever case, or null. */
  static @Nullable Command find(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    for (Command command : ALL) {
      if (command.descriptor().name().equals(lower)) {
        return command;
      }
    }
    return null;
  }

  /** Returns whether a command is carried out within a block whose MULTI was refused. */
  public static boolean isServedInSpoiledBlock(Command command) {
    return switch (command.descriptor().fullName()) {
      case "exec", "discard", "reset", "quit" -> true;
      default -> false;
    };
  }

  private static Descriptor descriptor(String name, String summary) {
    return Descriptor.of(name, 1, Group.CONNECTION, "", summary)
        .with(Flag.FAST, Flag.LOADING, Flag.STALE);
  }

  private static final class Multi implements SessionCommand {
    private static final Descriptor DESCRIPTOR =
        Transactions.descriptor("multi", "Is refused: there are no transactions.");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      client.spoilBlock(true);
      return REFUSED;
    }
  }

  /**
   * Ends a refused block.
   *
   * @param ended what is answered if there was one
   */
  private record End(Descriptor descriptor, Reply ended) implements SessionCommand {
    End(String name, Reply ended) {
      this(
          Transactions.descriptor(name, "Ends a refused block, of which nothing was executed."),
          ended);
    }

    @Override
    public Reply execute(Client client, Request request) {
      if (!client.isBlockSpoiled()) {
        return Reply.error("ERR " + descriptor.name().toUpperCase(Locale.ROOT) + " without MULTI");
      }
      client.spoilBlock(false);
      return ended;
    }
  }
}
