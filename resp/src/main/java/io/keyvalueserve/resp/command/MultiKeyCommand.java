package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.engine.collection.Bytes;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A command on several keys: done all or not at all, and never half seen. By itself it is a
 * transaction; in a block or a script it is a part of one.
 */
abstract class MultiKeyCommand implements SpaceCommand {
  private static final long MOST_BYTES = 16L << 20;
  private static final long FEWEST_COLLECTIONS = 16;

  /**
   * Carries the command out. It may be called again with another scope, so it changes nothing else.
   *
   * @param request has as many arguments as the command takes
   * @throws CommandException if the arguments are not what the command takes
   */
  abstract Reply run(TransactionScope scope, Request request);

  /** Carries the command out, unless it names too many collections. */
  final Reply runIfFew(TransactionScope scope, Request request) {
    requireFew(request, scope.mostCollectionBytes());
    return run(scope, request);
  }

  @Override
  public final boolean isTransactional() {
    return true;
  }

  @Override
  public final TransactionStep inTransaction(Client client, KeyMap map, Request request) {
    TransactionScope.Caller caller = TransactionScope.Caller.of(client, map);
    requireFew(request, caller.mostCollectionBytes());
    return new Step(caller, request);
  }

  /** The command as a part of a transaction. */
  private final class Step implements TransactionStep {
    private final TransactionScope.Caller caller;
    private final Request request;
    private volatile long extraReads;

    Step(TransactionScope.Caller caller, Request request) {
      this.caller = caller;
      this.request = request;
    }

    @Override
    public Reply run(TransactionView view) {
      TransactionScope scope = new TransactionScope(view, caller);
      try {
        return MultiKeyCommand.this.run(scope, request);
      } catch (CommandException e) {
        return e.reply();
      } catch (EngineException e) {
        return Errors.of(e.failure());
      } finally {
        extraReads = scope.work().reads();
      }
    }

    @Override
    public long extraReads() {
      return extraReads;
    }
  }

  @Override
  public CompletionStage<Reply> execute(Client client, Request request) {
    TransactionScope.Caller caller = TransactionScope.Caller.of(client);
    requireFew(request, caller.mostCollectionBytes());
    List<KeyRef> refs = keys(request).stream().map(key -> new KeyRef(caller.map(), key)).toList();
    AtomicLong extraReads = new AtomicLong();
    return caller
        .space()
        .transact(
            new TransactionRequest<Reply>(
                refs,
                List.of(),
                view -> {
                  TransactionScope scope = new TransactionScope(view, caller);
                  Reply reply = run(scope, request);
                  extraReads.set(scope.work().reads());
                  return reply;
                }))
        .thenApply(
            reply -> {
              caller.billReads(extraReads.get());
              return reply.orElseThrow();
            });
  }

  /** The keys behind a number of keys. */
  static List<byte[]> numbered(Request request, int numberIndex, int count) {
    return Many.of(count, i -> request.argument(numberIndex + 1 + i));
  }

  /** Refuses a request that names very many collections, before one of them is locked. */
  private void requireFew(Request request, int mostBytes) {
    if (descriptor().group().isOfCollections()) {
      requireFew(keys(request), mostBytes);
    }
  }

  /**
   * Refuses a command on very many collections, because all of them may be on the heap at once. One
   * that is named twice counts once.
   *
   * @param mostBytes the largest collection, in bytes
   */
  static void requireFew(List<byte[]> keys, int mostBytes) {
    long most = Math.max(FEWEST_COLLECTIONS, MOST_BYTES / mostBytes);
    if (keys.size() <= most) {
      return;
    }
    Set<Bytes> different = new HashSet<>();
    for (byte[] key : keys) {
      if (different.add(Bytes.of(key)) && different.size() > most) {
        throw new CommandException(
            "ERR a command names at most "
                + most
                + " collections, as all of them are read at once: use several commands, or have"
                + " 'resp.max-collection' lowered");
      }
    }
  }
}
