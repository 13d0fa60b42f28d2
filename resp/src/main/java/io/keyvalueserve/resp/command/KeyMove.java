package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * MOVE: gives an entry to another map, under the same key. A transaction: the entry is in one of
 * both maps at any time.
 */
final class KeyMove implements SpaceCommand {
  private static final Reply.ErrorLine SAME =
      Reply.error("ERR source and destination objects are the same");

  private static final Descriptor DESCRIPTOR =
      Descriptor.of(
              "move",
              3,
              Group.GENERIC,
              "key db",
              "Moves an entry to another map in which its key does not exist.")
          .with(Flag.WRITE, Flag.FAST)
          .keys(1, 1, 1);

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public CompletionStage<Reply> execute(Client client, Request request) {
    byte[] key = request.argument(1);
    KeyMap source = client.map();
    KeyMap target = target(client, source, request);
    CompletionStage<Boolean> isThere =
        Parsing.isMapWord(request.argument(2))
            ? client.space().maps().thenApply(names -> names.contains(target.name()))
            : CompletableFuture.completedFuture(true);
    return isThere.thenCompose(
        exists ->
            exists
                ? client
                    .space()
                    .transact(
                        new TransactionRequest<>(
                            List.of(new KeyRef(source, key), new KeyRef(target, key)),
                            List.of(),
                            step(source, key, target)::run))
                    .thenApply(Optional::orElseThrow)
                : CompletableFuture.failedFuture(new CommandException(Errors.NOT_AN_INTEGER)));
  }

  /**
   * Returns the map that is named.
   *
   * @throws CommandException if there is none such, or it is the one that the entry is in
   */
  private static KeyMap target(Client client, KeyMap source, Request request) {
    QualifiedName name = Parsing.mapName(request.text(2), client.identity().tenant());
    KeyMap target = client.map(name);
    if (target.name().equals(source.name())) {
      throw new CommandException(SAME);
    }
    return target;
  }

  @Override
  public boolean isTransactional() {
    return true;
  }

  /** A map that is named need not exist: it is made if something is moved to it. */
  @Override
  public TransactionStep inTransaction(Client client, KeyMap map, Request request) {
    return step(map, request.argument(1), target(client, map, request));
  }

  private static TransactionStep step(KeyMap source, byte[] key, KeyMap target) {
    KeyCommand.Remove removal = new KeyCommand.Remove(key, false);
    return view -> {
      Outcome.Failure refusal = source.refusal(removal);
      if (refusal != null) {
        return Errors.of(refusal);
      }
      MoveOutcome copied;
      try {
        copied = view.copy(source, key, target, key, false);
      } catch (EngineException e) {
        return Errors.of(e.failure());
      }
      if (copied != MoveOutcome.DONE) {
        return Reply.Int.ZERO;
      }
      Outcome _ = view.execute(source, removal);
      return Reply.Int.ONE;
    };
  }
}
