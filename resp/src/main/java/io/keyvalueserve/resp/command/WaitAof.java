package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * WAITAOF: waits until the writes to the map are on the disks of the owners and of the backups. The
 * disk is waited for once, whatever numbers the client asks for; they only say what is an error.
 */
final class WaitAof implements SpaceCommand {
  private static final Descriptor DESCRIPTOR =
      Descriptor.of(
              "waitaof",
              4,
              Group.GENERIC,
              "numlocal numreplicas timeout",
              "Waits until the writes to the map are on the disks of all members that have them.")
          .since("7.2.0");

  private static final Reply NOTHING = reply(0, 0);

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public CompletionStage<Reply> execute(Client client, Request request) {
    long local = Parsing.integer(request, 1);
    if (local < 0 || local > 1) {
      throw new CommandException("ERR value is out of range, must be between 0 and 1");
    }
    long replicas = Parsing.integer(request, 2);
    if (replicas < 0) {
      throw new CommandException("ERR value is out of range, must be positive");
    }
    long millis = Parsing.timeoutMillis(request, 3);
    CompletableFuture<Reply> answer =
        client.map().copiesOnDisk().thenApply(copies -> reply(copies, local)).toCompletableFuture();
    return millis == 0
        ? answer
        : answer.copy().completeOnTimeout(NOTHING, millis, TimeUnit.MILLISECONDS);
  }

  private static Reply reply(int copies, long local) {
    if (copies == 0 && local > 0) {
      throw new CommandException(
          "ERR WAITAOF cannot be used when numlocal is set but the map is kept in memory only");
    }
    return reply(Math.min(copies, 1), Math.max(0, copies - 1));
  }

  private static Reply reply(int owners, int backups) {
    return new Reply.Array(List.of(Reply.integer(owners), Reply.integer(backups)));
  }
}
