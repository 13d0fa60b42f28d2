package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * ACL, as far as it has a true answer: a tenant is one user, which may do everything with its own
 * maps, and what others have granted it with theirs. Access keys are made by the operator.
 */
final class AclCommands {
  /** The categories, in Redis' order. */
  private static final List<String> CATEGORIES =
      List.of(
          "keyspace",
          "read",
          "write",
          "set",
          "sortedset",
          "list",
          "hash",
          "string",
          "bitmap",
          "hyperloglog",
          "geo",
          "stream",
          "pubsub",
          "admin",
          "fast",
          "slow",
          "blocking",
          "dangerous",
          "connection",
          "transaction",
          "scripting");

  private static final int USUAL_BITS = 256;
  private static final int MOST_BITS = 4096;
  private static final SecureRandom RANDOM = new SecureRandom();

  private static final Descriptor PARENT =
      Descriptor.of("acl", -2, Group.SERVER, "", "What concerns access.").since("6.0.0");

  static final List<Command> ALL =
      List.of(
          new Container(
              PARENT,
              null,
              List.of(
                  sub(
                      "cat",
                      -2,
                      "[category]",
                      "Lists the categories of commands, or the commands of one.",
                      AclCommands::categories),
                  sub(
                      "dryrun",
                      -4,
                      "username command [arg [arg ...]]",
                      "Says whether the tenant may run a command, without running it.",
                      AclCommands::dryRun),
                  sub(
                      "genpass",
                      -2,
                      "[bits]",
                      "Makes a random password, which the server does not keep.",
                      AclCommands::randomPassword),
                  sub(
                      "getuser",
                      3,
                      "username",
                      "Returns the tenant's rights, and the maps it has been granted.",
                      AclCommands::user),
                  sub(
                      "list",
                      2,
                      "",
                      "Returns the tenant's rights as a rule.",
                      (client, request) ->
                          new Reply.Array(
                              List.of(Reply.bulk("user " + tenant(client) + " on ~* &* +@all")))),
                  sub(
                      "users",
                      2,
                      "",
                      "Returns the tenant's name.",
                      (client, request) -> new Reply.Array(List.of(Reply.bulk(tenant(client))))),
                  sub(
                      "whoami",
                      2,
                      "",
                      "Returns the tenant's name.",
                      (client, request) -> Reply.bulk(tenant(client))))));

  private AclCommands() {}

  private static Command sub(
      String name, int arity, String usage, String summary, Container.Action action) {
    return Container.subcommand(
        PARENT,
        Descriptor.of(name, arity, Group.SERVER, usage, summary)
            .with(Flag.LOADING, Flag.STALE)
            .since("6.0.0"),
        action);
  }

  private static String tenant(Client client) {
    return client.identity().tenant().value();
  }

  private static Reply categories(Client client, Request request) {
    if (request.count() == 2) {
      return new Reply.Array(CATEGORIES.stream().map(Reply::bulk).toList());
    }
    if (request.count() > 3) {
      throw new CommandException(
          "ERR unknown subcommand or wrong number of arguments for 'CAT'. Try ACL HELP.");
    }
    String category = request.latin(2).toLowerCase(Locale.ROOT);
    if (!CATEGORIES.contains(category)) {
      throw new CommandException("ERR Unknown category '" + Errors.shown(request.latin(2)) + "'");
    }
    return new Reply.Array(
        CommandTable.standard().everyDescriptor().stream()
            .filter(descriptor -> CommandFacts.of(descriptor).categories().contains("@" + category))
            .map(descriptor -> Reply.bulk(descriptor.fullName()))
            .toList());
  }

  private static Reply user(Client client, Request request) {
    if (!request.text(2).equals(tenant(client))) {
      return Reply.Null.NULL;
    }
    List<Reply.Bulk> granted =
        client.member().grantedTo(client.identity()).stream()
            .map(name -> Reply.bulk(name.toString()))
            .toList();
    return new Reply.MapOf(
        List.of(
            Reply.bulk("flags"),
            new Reply.SetOf(List.of(Reply.bulk("on"))),
            Reply.bulk("passwords"),
            new Reply.Array(List.of()),
            Reply.bulk("commands"),
            Reply.bulk("+@all"),
            Reply.bulk("keys"),
            Reply.bulk("~*"),
            Reply.bulk("channels"),
            Reply.bulk("&*"),
            Reply.bulk("selectors"),
            new Reply.Array(List.of()),
            Reply.bulk("granted-maps"),
            new Reply.Array(granted)));
  }

  /** Everything that exists and has enough arguments may be run on the tenant's own maps. */
  private static Reply dryRun(Client client, Request request) {
    if (!request.text(2).equals(tenant(client))) {
      throw new CommandException("ERR User '" + Errors.shown(request.latin(2)) + "' not found");
    }
    byte[][] arguments = new byte[request.count() - 3][];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = request.argument(i + 3);
    }
    Request asked = new Request(arguments);
    if (CommandTable.standard().find(asked.argument(0)) == null) {
      throw new CommandException("ERR Command '" + Errors.shown(asked.latin(0)) + "' not found");
    }
    Command _ = CommandTable.standard().resolve(asked);
    return Reply.OK;
  }

  private static Reply randomPassword(Client client, Request request) {
    long bits = request.count() == 2 ? USUAL_BITS : Parsing.integer(request, 2);
    if (request.count() > 3 || bits <= 0 || bits > MOST_BITS) {
      throw new CommandException(
          "ERR ACL GENPASS argument must be the number of bits for the output password, a positive"
              + " number up to 4096");
    }
    int digits = (int) (bits + 3) / 4;
    byte[] random = new byte[(digits + 1) / 2];
    RANDOM.nextBytes(random);
    String password = HexFormat.of().formatHex(random).substring(0, digits);
    Arrays.fill(random, (byte) 0);
    return Reply.bulk(password);
  }
}
