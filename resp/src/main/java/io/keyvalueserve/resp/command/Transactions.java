package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** MULTI, EXEC, DISCARD, WATCH, UNWATCH and KVS.MULTI. */
public final class Transactions {
  /** The answer to a command within a block. */
  public static final Reply QUEUED = new Reply.Status("QUEUED");

  /** A block that holds an error. */
  public static final Reply.ErrorLine ABORTED =
      Reply.error("EXECABORT Transaction discarded because of previous errors.");

  static final List<Command> ALL =
      List.of(new Multi(), new Exec(), new Discard(), new Watch(), new Unwatch(), new OnError());

  private Transactions() {}

  /** Returns whether a command is carried out at once within a block. */
  public static boolean isServedInBlock(Command command) {
    return switch (command.descriptor().fullName()) {
      case "multi", "exec", "discard", "watch", "reset", "quit" -> true;
      default -> false;
    };
  }

  /** Returns whether a command carries a block out. */
  public static boolean isEnd(Command command) {
    return command instanceof Exec;
  }

  /**
   * Returns why a command cannot be part of a block.
   *
   * @return null if it can
   */
  public static Reply.@Nullable ErrorLine refusal(Command command) {
    String name = command.descriptor().fullName();
    if (command instanceof PublishingCommand) {
      return null;
    }
    if (command.descriptor().group() == Group.PUBSUB) {
      return refused(name, "subscriptions are no part of it");
    }
    return switch (command) {
      case ListingCommand _ -> refused(name, "it lists the keys of a map");
      case SpaceCommand space when !space.isTransactional() ->
          refused(name, "it is about more than single keys");
      case SessionCommand _ -> refusalOfSession(name);
      default -> null;
    };
  }

  private static Reply.@Nullable ErrorLine refusalOfSession(String name) {
    return switch (name) {
      case "auth", "hello" -> refused(name, "a block is carried out for the tenant that began it");
      case "kvs.multi" -> refused(name, "send it before MULTI");
      case "monitor", "client|reply" ->
          refused(name, "EXEC has one reply; send it before MULTI or after EXEC");
      default -> null;
    };
  }

  private static Reply.ErrorLine refused(String name, String why) {
    return Reply.error("ERR '" + name + "' cannot be part of a transaction: " + why);
  }

  private static Descriptor descriptor(String name, int arity, String usage, String summary) {
    return Descriptor.of(name, arity, Group.TRANSACTIONS, usage, summary)
        .with(Flag.FAST, Flag.LOADING, Flag.STALE);
  }

  private static final class Multi implements SessionCommand {
    private static final Descriptor DESCRIPTOR =
        Transactions.descriptor("multi", 1, "", "Begins a transaction: what follows is queued.")
            .since("1.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      if (client.isInBlock()) {
        throw new CommandException("ERR MULTI calls can not be nested");
      }
      client.beginBlock();
      return Reply.OK;
    }
  }

  private static final class Exec implements SpaceCommand {
    private static final Descriptor DESCRIPTOR =
        Transactions.descriptor(
                "exec", 1, "", "Carries out all commands of a transaction, or none.")
            .since("1.2.0")
            .complexity("Depends on the commands in the transaction");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      if (!client.isInBlock()) {
        throw new CommandException("ERR EXEC without MULTI");
      }
      return client.executeBlock(request);
    }
  }

  private static final class Discard implements SessionCommand {
    private static final Descriptor DESCRIPTOR =
        Transactions.descriptor("discard", 1, "", "Drops a transaction, and watches no key.")
            .since("2.0.0")
            .complexity("O(N) where N is the number of queued commands");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      if (!client.isInBlock()) {
        throw new CommandException("ERR DISCARD without MULTI");
      }
      client.discardBlock();
      return Reply.OK;
    }
  }

  private static final class Watch implements SpaceCommand {
    private static final Descriptor DESCRIPTOR =
        Transactions.descriptor(
                "watch",
                -2,
                "key [key ...]",
                "Lets the next transaction do nothing if one of these keys changes before.")
            .keys(1, -1, 1)
            .since("2.2.0")
            .complexity("O(1) for every key");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      if (client.isInBlock()) {
        throw new CommandException("ERR WATCH inside MULTI is not allowed");
      }
      List<byte[]> keys = new ArrayList<>(request.count() - 1);
      for (int i = 1; i < request.count(); i++) {
        keys.add(request.argument(i));
      }
      return client.watch(keys);
    }
  }

  private static final class Unwatch implements SessionCommand {
    private static final Descriptor DESCRIPTOR =
        Transactions.descriptor("unwatch", 1, "", "Watches no key any more.").since("2.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      client.unwatch();
      return Reply.OK;
    }
  }

  /** Redis has none such: there, an error of one command leaves the others in effect. */
  private static final class OnError implements SessionCommand {
    private static final Descriptor DESCRIPTOR =
        Transactions.descriptor(
                "kvs.multi",
                2,
                "<ROLLBACK|KEEP>",
                "Says whether an error of one command undoes its whole transaction.")
            .since("0.1.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public Reply execute(Client client, Request request) {
      boolean rollBack = request.is(1, "ROLLBACK");
      if (!rollBack && !request.is(1, "KEEP")) {
        throw Parsing.syntaxError();
      }
      client.rollBackOnError(rollBack);
      return Reply.OK;
    }
  }
}
