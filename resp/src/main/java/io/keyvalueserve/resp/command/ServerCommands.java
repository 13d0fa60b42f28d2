package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;

/** Small commands about the server: LASTSAVE, LOLWUT, MODULE LIST, ROLE, WAIT. */
final class ServerCommands {
  private static final Descriptor MODULE =
      Descriptor.of("module", -2, Group.SERVER, "", "What concerns modules.").since("4.0.0");

  static final List<Command> ALL =
      List.of(
          new Small(
              Descriptor.of(
                      "lastsave",
                      1,
                      Group.SERVER,
                      "",
                      "Returns when the member was started: it saves nothing at a time.")
                  .with(Flag.LOADING, Flag.STALE, Flag.FAST),
              (client, request) ->
                  Reply.integer(client.member().facts().startedAt().getEpochSecond())),
          new Small(
              Descriptor.of(
                      "lolwut",
                      -1,
                      Group.SERVER,
                      "[VERSION version]",
                      "Returns the version, without art.")
                  .with(Flag.FAST) // it reads no keys
                  .since("5.0.0"),
              (client, request) ->
                  new Reply.Verbatim(
                      "KeyValueServe ver. "
                          + client.member().facts().version()
                          + ", as Redis ver. "
                          + CommandTable.REDIS_VERSION
                          + "\n")),
          new Container(
              MODULE,
              null,
              List.of(
                  Container.subcommand(
                      MODULE,
                      Descriptor.of("list", 2, Group.SERVER, "", "Returns nothing: there are none.")
                          .since("4.0.0"),
                      (client, request) -> new Reply.Array(List.of())))),
          new Small(
              Descriptor.of(
                      "role", 1, Group.SERVER, "", "Returns that of a master without replicas.")
                  .with(Flag.LOADING, Flag.STALE, Flag.FAST)
                  .since("2.8.12"),
              (client, request) ->
                  new Reply.Array(
                      List.of(Reply.bulk("master"), Reply.Int.ZERO, new Reply.Array(List.of())))),
          new Small(
              Descriptor.of(
                      "wait",
                      3,
                      Group.GENERIC,
                      "numreplicas timeout",
                      "Returns how many other members had each write when it was answered.")
                  .with(Flag.NOSCRIPT)
                  .since("3.0.0"),
              ServerCommands::backups));

  private ServerCommands() {}

  /** Nothing has to be waited for: a write is answered when its backups have it. */
  private static Reply backups(Client client, Request request) {
    long _ = Parsing.integer(request, 1);
    long _ = Parsing.timeoutMillis(request, 2);
    return Reply.integer(client.map().backups());
  }

  private record Small(Descriptor descriptor, Container.Action action) implements SessionCommand {
    @Override
    public Reply execute(Client client, Request request) {
      return action.execute(client, request);
    }
  }
}
