package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TransactionOrigin;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.engine.WatchedKey;
import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.Computation;
import io.keyvalueserve.resp.command.Descriptor;
import io.keyvalueserve.resp.command.Errors;
import io.keyvalueserve.resp.command.KeyedCommand;
import io.keyvalueserve.resp.command.KeyedPlan;
import io.keyvalueserve.resp.command.Noting;
import io.keyvalueserve.resp.command.OutgoingMessage;
import io.keyvalueserve.resp.command.PublishingCommand;
import io.keyvalueserve.resp.command.SessionCommand;
import io.keyvalueserve.resp.command.SpaceCommand;
import io.keyvalueserve.resp.command.TransactionScope;
import io.keyvalueserve.resp.command.TransactionStep;
import io.keyvalueserve.resp.command.Transactions;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The commands between MULTI and EXEC. They are bounded in number, bytes and keys, as they are held
 * until EXEC and carried out in one go, away from the event loop.
 *
 * <p>On the connection's event loop, but for the steps that are carried out.
 */
final class Block {
  private static final int MOST_COMMANDS = 4096;
  private static final long MOST_BYTES = 8L * 1024 * 1024;
  private static final int MOST_KEYS = 16_384;
  private static final long MOST_REPLY_BYTES = 64L << 20;

  /** The time that a run of the commands may take. Others end older transactions anyway. */
  private static final long MOST_SECONDS = 10;

  private final List<Queued> queue = new ArrayList<>();
  private long bytes;
  private long heldBytes;
  private int keys;
  private boolean spoiled;
  private boolean runsScripts;
  private boolean mayWrite;

  /** The time at which the present run of the commands has to end. */
  private long endNanos;

  /** A command that waits for EXEC. */
  record Queued(Command command, Request request) {}

  /** A step of the transaction; null for a command of the session, which is run afterwards. */
  private record Step(
      Queued queued, @Nullable TransactionStep work, List<OutgoingMessage> notices) {
    Step(Queued queued, @Nullable TransactionStep work) {
      this(queued, work, new ArrayList<>(0));
    }
  }

  /** Lets EXEC do nothing. */
  void spoil() {
    spoiled = true;
  }

  boolean isSpoiled() {
    return spoiled;
  }

  /** Returns whether one of the commands may write. */
  boolean mayWrite() {
    return mayWrite;
  }

  /** Returns the room that was taken for the requests, which is to be given back. */
  long heldBytes() {
    return heldBytes;
  }

  List<Queued> queue() {
    return queue;
  }

  /**
   * Queues a command.
   *
   * @return the reply: an error if it cannot be in a transaction, which does nothing then
   */
  Reply add(Command command, Request request) {
    Reply.ErrorLine refusal = Transactions.refusal(command);
    if (refusal != null) {
      spoiled = true;
      return refusal;
    }
    int more = keyCount(command, request);
    if (queue.size() >= MOST_COMMANDS
        || bytes + request.sizeBytes() > MOST_BYTES
        || keys + more > MOST_KEYS) {
      spoiled = true;
      return Reply.error(
          "ERR a transaction takes at most "
              + MOST_COMMANDS
              + " commands, "
              + MOST_KEYS
              + " arguments of commands on keys, and "
              + MOST_BYTES
              + " bytes");
    }
    if (request.staged() != null) {
      for (int i = 0; i < request.count(); i++) {
        byte[] _ = request.argument(i); // it is kept as an array from now on
      }
    }
    keys += more;
    bytes += request.sizeBytes();
    heldBytes += request.heldBytes();
    if (!spoiled) {
      queue.add(new Queued(command, request));
      runsScripts |= command.descriptor().runsScript();
      mayWrite |= command.descriptor().mayWrite();
    }
    return Transactions.QUEUED;
  }

  /** Counts the keys of a request that says how many it has, and all arguments of others. */
  private static int keyCount(Command command, Request request) {
    Descriptor descriptor = command.descriptor();
    if (!descriptor.has(Descriptor.Flag.MOVABLEKEYS)) {
      return descriptor.firstKey() == 0 ? 0 : request.count();
    }
    try {
      return command.keys(request).size();
    } catch (CommandException e) {
      return 0; // EXEC says it
    }
  }

  /**
   * Carries the block out.
   *
   * @param run runs a command of the session, when the others have been carried out
   * @param finisher has something done on the event loop
   * @return the reply to EXEC
   */
  CompletionStage<Reply> execute(
      RespClient client,
      KeyedCommand.PlanContext limits,
      List<WatchedKey> watches,
      boolean rollBack,
      BiFunction<Queued, Reply, CompletionStage<Reply>> run,
      Finisher finisher) {
    List<KeyRef> refs = new ArrayList<>(keys);
    List<Step> steps = steps(client, limits, refs);
    TransactionScope.Caller caller = TransactionScope.Caller.of(client);
    TransactionRequest<List<Reply>> request =
        new TransactionRequest<>(
            refs, watches, view -> replies(client, steps, view, rollBack), TransactionOrigin.MULTI);
    CompletionStage<Optional<List<Reply>>> carriedOut =
        runsScripts
            ? client.member().scripting().transact(client, request)
            : client.space().transact(request);
    return carriedOut
        .whenComplete(
            (replies, failure) -> {
              ended(steps);
              if (failure == null && replies.isPresent()) {
                caller.billReads(extraReads(steps));
              }
            })
        .thenCompose(replies -> finisher.onEventLoop(() -> finish(client, steps, replies, run)))
        .thenCompose(reply -> reply)
        .exceptionallyCompose(Block::rolledBack);
  }

  private static void ended(List<Step> steps) {
    for (Step step : steps) {
      TransactionStep work = step.work();
      if (work != null) {
        work.ended();
      }
    }
  }

  /** Has something done on the event loop of the session. */
  @FunctionalInterface
  interface Finisher {
    <T> CompletionStage<T> onEventLoop(Supplier<T> task);
  }

  private List<Step> steps(RespClient client, KeyedCommand.PlanContext limits, List<KeyRef> refs) {
    List<Step> steps = new ArrayList<>(queue.size());
    KeyMap map = client.map();
    for (Queued queued : queue) {
      TransactionStep work = null;
      try {
        switch (queued.command()) {
          case KeyedCommand keyed -> {
            work = step(keyed, queued.request(), map, limits);
            addKeys(queued, map, refs);
          }
          case PublishingCommand _ -> {} // it is sent afterwards
          case SpaceCommand space -> {
            work = space.inTransaction(client, map, queued.request());
            addKeys(queued, map, refs);
          }
          case SessionCommand session -> map = client.mapAfter(session, queued.request(), map);
          default -> throw new IllegalStateException("such commands are not queued");
        }
      } catch (CommandException e) {
        Reply reply = e.reply();
        work = queued.command() instanceof SessionCommand ? null : view -> reply;
      }
      steps.add(new Step(queued, work));
    }
    return steps;
  }

  private static long extraReads(List<Step> steps) {
    long reads = 0;
    for (Step step : steps) {
      TransactionStep work = step.work();
      reads += work == null ? 0 : work.extraReads();
    }
    return reads;
  }

  private static void addKeys(Queued queued, KeyMap map, List<KeyRef> refs) {
    for (byte[] key : queued.command().keys(queued.request())) {
      refs.add(new KeyRef(map, key));
    }
  }

  private TransactionStep step(
      KeyedCommand command, Request request, KeyMap map, KeyedCommand.PlanContext limits) {
    return view -> {
      KeyedCommand.PlanContext context =
          new KeyedCommand.PlanContext(
              view.nowMillis(), limits.mostValueBytes(), limits.mostCollectionBytes());
      KeyedPlan plan;
      try {
        Computation computation = command.computation(request, context);
        if (computation != null) {
          Outcome.Failure refusal = refusal(computation.known(), map);
          return refusal != null
              ? Errors.of(refusal)
              : Computation.run(
                  computation, each -> view.execute(map, each), () -> checkTime(view));
        }
        plan = command.plan(request, context);
      } catch (CommandException e) {
        return e.reply();
      }
      Outcome.Failure refusal = refusal(plan.commands(), map);
      if (refusal != null) {
        return Errors.of(refusal);
      }
      List<Outcome> outcomes = new ArrayList<>(plan.commands().size());
      for (KeyCommand each : plan.commands()) {
        outcomes.add(view.execute(map, each));
      }
      checkTime(view); // there may be much to do with what was read
      return plan.renderer().render(outcomes);
    };
  }

  private static Outcome.@Nullable Failure refusal(List<KeyCommand> commands, KeyMap map) {
    for (KeyCommand each : commands) {
      Outcome.Failure refusal = map.refusal(each);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /** Ends the run if its time is over. */
  private void checkTime(TransactionView view) {
    TransactionScope.checkTime(view);
    if (System.nanoTime() - endNanos > 0) {
      throw new EngineException(
          new Outcome.Failure(
              Outcome.Failure.Kind.TOO_COSTLY,
              "the commands of a transaction may take "
                  + MOST_SECONDS
                  + " s at most; nothing was changed"));
    }
  }

  private List<Reply> replies(
      RespClient client, List<Step> steps, TransactionView view, boolean rollBack) {
    List<Reply> replies = new ArrayList<>(steps.size());
    long replyBytes = 0;
    endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    for (Step step : steps) {
      checkTime(view);
      TransactionStep work = step.work();
      Reply reply = work == null ? Reply.OK : run(client, step, work, view);
      if (rollBack && reply instanceof Reply.ErrorLine error) {
        throw new RollbackException(
            replies.size() + 1, step.queued().command().descriptor().fullName(), error);
      }
      replyBytes += sizeOf(reply);
      if (replyBytes > MOST_REPLY_BYTES) {
        throw new EngineException(
            new Outcome.Failure(
                Outcome.Failure.Kind.TOO_COSTLY,
                "the replies of a transaction may take 64 MiB at most; nothing was changed"));
      }
      replies.add(reply);
    }
    return replies;
  }

  /** Carries a step out, and keeps the messages about keys that it changes. */
  private static Reply run(
      RespClient client, Step step, TransactionStep work, TransactionView view) {
    step.notices().clear();
    Queued queued = step.queued();
    return queued.command().descriptor().runsScript()
        ? work.run(view)
        : Noting.run(view, client, queued.command(), queued.request(), step.notices(), work);
  }

  private static long sizeOf(Reply reply) {
    return switch (reply) {
      case Reply.Bulk bulk -> bulk.length();
      case Reply.Array array -> {
        long size = 0;
        for (Reply element : array.elements()) {
          size += sizeOf(element);
        }
        yield size;
      }
      default -> Long.BYTES;
    };
  }

  /** Runs the commands of the session in their places, and sends the messages. */
  private static CompletionStage<Reply> finish(
      RespClient client,
      List<Step> steps,
      Optional<List<Reply>> carriedOut,
      BiFunction<Queued, Reply, CompletionStage<Reply>> run) {
    if (carriedOut.isEmpty()) {
      return CompletableFuture.completedFuture(Reply.NullArray.NULL_ARRAY);
    }
    Reply[] replies = carriedOut.get().toArray(Reply[]::new);
    CompletionStage<?> all = CompletableFuture.completedFuture(null);
    for (int i = 0; i < replies.length; i++) {
      int index = i;
      Step step = steps.get(i);
      CompletionStage<Reply> answered = run.apply(step.queued(), replies[i]);
      TransactionStep work = step.work();
      List<OutgoingMessage> messages =
          step.notices().isEmpty() && work != null ? work.messages() : step.notices();
      if (!messages.isEmpty()) {
        CompletionStage<Reply> sent = client.publish(messages, replies[i]);
        answered = answered.thenCombine(sent, (reply, _) -> reply);
      }
      all = all.thenCombine(answered, (_, reply) -> replies[index] = reply);
    }
    return all.thenApply(_ -> new Reply.Array(List.of(replies)));
  }

  private static CompletionStage<Reply> rolledBack(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof RollbackException rollback
        ? CompletableFuture.completedFuture(rollback.reply())
        : CompletableFuture.failedFuture(cause);
  }

  /** Undoes a transaction, as one of its commands had an error. */
  private static final class RollbackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int place;
    private final String command;
    private final transient Reply.ErrorLine error;

    RollbackException(int place, String command, Reply.ErrorLine error) {
      super("a command of a transaction has failed", null, false, false);
      this.place = place;
      this.command = command;
      this.error = error;
    }

    Reply reply() {
      return Reply.error(
          "EXECABORT Transaction rolled back: command "
              + place
              + " '"
              + command
              + "': "
              + new String(error.line(), UTF_8));
    }
  }
}
