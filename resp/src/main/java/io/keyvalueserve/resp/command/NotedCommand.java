package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A command that writes, while its tenant is told of changes of keys. It is carried out as a
 * transaction of its own, which sees what happens to each key, and its messages are sent behind it.
 *
 * @param command one that {@link #canBe}
 */
public record NotedCommand(Command command) implements SpaceCommand {
  /**
   * Returns whether a command can be carried out so. Others need not, or note events themselves.
   */
  public static boolean canBe(Command command) {
    return command.descriptor().has(Descriptor.Flag.WRITE)
        && !command.descriptor().runsScript()
        && !(command instanceof BlockingCommand)
        && (command instanceof KeyedCommand
            || (command instanceof SpaceCommand space && space.isTransactional()));
  }

  @Override
  public Descriptor descriptor() {
    return command.descriptor();
  }

  @Override
  public CompletionStage<Reply> execute(Client client, Request request) {
    for (int i = 0; i < request.count(); i++) {
      byte[] _ = request.argument(i); // it is kept as an array from now on
    }
    TransactionScope.Caller caller = TransactionScope.Caller.of(client);
    KeyMap map = caller.map();
    List<KeyRef> refs = command.keys(request).stream().map(key -> new KeyRef(map, key)).toList();
    TransactionStep step =
        command instanceof SpaceCommand space
            ? space.inTransaction(client, map, request)
            : view -> new TransactionScope(view, caller).run(command, request);
    Run run = new Run();
    return caller
        .space()
        .transact(
            new TransactionRequest<Reply>(
                refs,
                List.of(),
                view -> {
                  List<OutgoingMessage> messages = new ArrayList<>();
                  KeyEvents events = KeyEvents.over(view, client, messages);
                  events.begin(command, request);
                  Reply reply = step.run(events);
                  events.end();
                  run.messages = messages;
                  return reply;
                }))
        .thenCompose(
            reply -> {
              caller.billReads(step.extraReads());
              return client.publish(run.messages, reply.orElseThrow());
            });
  }

  /** The messages of the last run. */
  private static final class Run {
    private volatile List<OutgoingMessage> messages = List.of();
  }
}
