package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.resp.protocol.LargeValueRoom;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A command that takes elements out of the first of several keys that has any, and waits if none
 * has. In a block or a script it does not wait.
 */
abstract class BlockingCommand extends MultiKeyCommand {
  private static final int MOST_KEYS = 1024;
  private static final BigDecimal MILLIS_PER_SECOND = BigDecimal.valueOf(1000);
  private static final BigDecimal MOST_MILLIS = BigDecimal.valueOf(Long.MAX_VALUE);

  /** Returns the type of the collections that elements are taken from. */
  abstract CollectionType type();

  /**
   * Checks the arguments as Redis does, and returns how long to wait, in milliseconds, 0 for ever.
   *
   * @throws CommandException if they are not what the command takes
   */
  abstract long check(Request request);

  /** Returns the keys at which it waits, in the order in which they are looked at. */
  abstract List<byte[]> awaited(Request request);

  /**
   * Takes what there is.
   *
   * @param key the one to look at
   * @return the reply, or null if there is nothing
   */
  @Nullable Reply take(TransactionScope scope, Request request, byte[] key) {
    KeyCommand command = single(request, key, scope.mostCollectionBytes());
    if (command == null) {
      throw new IllegalStateException("it has to say how it takes elements");
    }
    return taken(request, key, scope.demand(command));
  }

  /** Returns the one command on a key that {@link #take} consists of; null if there are more. */
  @Nullable KeyCommand single(Request request, byte[] key, int mostCollectionBytes) {
    return null;
  }

  /** Returns the reply to what {@link #single} has taken, or null if there was nothing. */
  @Nullable Reply taken(Request request, byte[] key, Outcome outcome) {
    throw new IllegalStateException("it consists of more than one command");
  }

  /** Returns the reply if there is nothing and it may not wait. */
  Reply nothingNow() {
    return Reply.NullArray.NULL_ARRAY;
  }

  @Override
  final Reply run(TransactionScope scope, Request request) {
    long _ = check(request);
    for (byte[] key : awaited(request)) {
      Reply reply = take(scope, request, key);
      if (reply != null) {
        return reply;
      }
    }
    return nothingNow();
  }

  @Override
  public final CompletionStage<Reply> execute(Client client, Request request) {
    long timeoutMillis = check(request);
    List<byte[]> awaited = awaited(request);
    if (request.heldBytes() > 0) {
      throw new CommandException(
          "ERR a request that may wait takes arguments of at most "
              + LargeValueRoom.LARGE_ARGUMENT_BYTES
              + " bytes: use shorter keys");
    }
    if (awaited.size() > MOST_KEYS) {
      throw new CommandException(
          "ERR a request may wait at " + MOST_KEYS + " keys at most: use fewer keys");
    }
    return client.block(new Attempts(client, request, awaited, timeoutMillis));
  }

  /** Tries again and again to do what a request asks for. */
  private final class Attempts implements BlockedRequest {
    private final TransactionScope.Caller caller;
    private final Request request;
    private final List<byte[]> awaited;
    private final List<KeyRef> refs;
    private final long timeoutMillis;

    Attempts(Client client, Request request, List<byte[]> awaited, long timeoutMillis) {
      this.caller = TransactionScope.Caller.of(client);
      this.request = request;
      this.awaited = awaited;
      this.refs = awaited.stream().map(key -> new KeyRef(caller.map(), key)).toList();
      this.timeoutMillis = timeoutMillis;
    }

    @Override
    public List<KeyRef> keys() {
      return refs;
    }

    @Override
    public CollectionType type() {
      return BlockingCommand.this.type();
    }

    @Override
    public long timeoutMillis() {
      return timeoutMillis;
    }

    @Override
    public Reply nothing() {
      return Reply.NullArray.NULL_ARRAY;
    }

    @Override
    public CompletionStage<Optional<Reply>> attempt(int index) {
      List<byte[]> looked = index == ALL ? awaited : List.of(awaited.get(index));
      if (caller.client().noticeTarget(caller.map().name()).flags() != 0) {
        return takeAndTell(looked);
      }
      if (single(request, looked.getFirst(), caller.mostCollectionBytes()) != null) {
        Outcome.Failure refusal = refusal(looked);
        return refusal == null
            ? takeInOrder(looked, 0)
            : CompletableFuture.failedFuture(new EngineException(refusal));
      }
      List<KeyRef> all =
          BlockingCommand.this.keys(request).stream()
              .map(key -> new KeyRef(caller.map(), key))
              .toList();
      return caller
          .space()
          .transact(
              new TransactionRequest<Optional<Reply>>(
                  all, List.of(), view -> take(new TransactionScope(view, caller), looked)))
          .thenApply(Optional::orElseThrow);
    }

    /** Requests on several keys are refused as a whole. */
    private Outcome.@Nullable Failure refusal(List<byte[]> looked) {
      for (byte[] key : looked) {
        Outcome.Failure refusal =
            caller
                .map()
                .refusal(
                    Objects.requireNonNull(single(request, key, caller.mostCollectionBytes())));
        if (refusal != null) {
          return refusal;
        }
      }
      return null;
    }

    /**
     * Looks at one key after the other, without a lock: a transaction would read all of them, and
     * most that is in them is of no use.
     */
    private CompletionStage<Optional<Reply>> takeInOrder(List<byte[]> looked, int from) {
      for (int i = from; i < looked.size(); i++) {
        byte[] key = looked.get(i);
        KeyCommand command =
            Objects.requireNonNull(single(request, key, caller.mostCollectionBytes()));
        CompletableFuture<Outcome> outcome = outcome(command);
        if (!outcome.isDone()) {
          int next = i + 1;
          return outcome.thenCompose(
              done -> {
                Optional<Reply> reply = reply(key, done);
                return reply.isPresent()
                    ? CompletableFuture.completedFuture(reply)
                    : takeInOrder(looked, next);
              });
        }
        Optional<Reply> reply = reply(key, outcome.join());
        if (reply.isPresent()) {
          return CompletableFuture.completedFuture(reply);
        }
      }
      return CompletableFuture.completedFuture(Optional.empty());
    }

    /** Takes in a transaction that sees what happens to the keys, and sends the messages. */
    private CompletionStage<Optional<Reply>> takeAndTell(List<byte[]> looked) {
      List<KeyRef> all =
          BlockingCommand.this.keys(request).stream()
              .map(key -> new KeyRef(caller.map(), key))
              .toList();
      AtomicReference<List<OutgoingMessage>> messages = new AtomicReference<>(List.of());
      return caller
          .space()
          .transact(
              new TransactionRequest<Optional<Reply>>(
                  all,
                  List.of(),
                  view -> {
                    List<OutgoingMessage> noted = new ArrayList<>();
                    KeyEvents events = KeyEvents.over(view, caller.client(), noted);
                    events.begin(BlockingCommand.this, request);
                    Optional<Reply> taken = take(new TransactionScope(events, caller), looked);
                    events.end();
                    messages.set(noted);
                    return taken;
                  }))
          .thenApply(Optional::orElseThrow)
          .thenCompose(
              taken ->
                  messages.get().isEmpty()
                      ? CompletableFuture.completedFuture(taken)
                      : caller.client().publish(messages.get(), Reply.OK).thenApply(_ -> taken));
    }

    private Optional<Reply> take(TransactionScope scope, List<byte[]> looked) {
      for (byte[] key : looked) {
        Reply reply = BlockingCommand.this.take(scope, request, key);
        if (reply != null) {
          return Optional.of(reply);
        }
      }
      return Optional.empty();
    }

    private CompletableFuture<Outcome> outcome(KeyCommand command) {
      Outcome direct = caller.map().direct().execute(command);
      if (direct != null) {
        return CompletableFuture.completedFuture(direct);
      }
      CompletableFuture<Outcome> outcome = new CompletableFuture<>();
      caller
          .map()
          .submit(
              List.of(command),
              (_, done) -> {
                boolean _ = outcome.complete(done);
              });
      return outcome;
    }

    private Optional<Reply> reply(byte[] key, Outcome outcome) {
      return switch (outcome) {
        case Outcome.Failure failure -> throw new EngineException(failure);
        case Outcome.Rejected rejected -> Optional.of(Errors.of(rejected));
        case Outcome done -> Optional.ofNullable(taken(request, key, done));
      };
    }
  }

  /**
   * A time to wait, in seconds.
   *
   * @return in milliseconds, rounded up; 0 for ever
   */
  static long timeoutMillis(Request request, int index) {
    String text = new String(request.argument(index), StandardCharsets.ISO_8859_1);
    if (Arithmetic.isInfinite(text)) {
      throw new CommandException(
          text.startsWith("-") ? "ERR timeout is negative" : "ERR timeout is out of range");
    }
    BigDecimal millis =
        Arithmetic.parseDecimal(text)
            .orElseThrow(() -> new CommandException("ERR timeout is not a float or out of range"))
            .multiply(MILLIS_PER_SECOND)
            .setScale(0, RoundingMode.CEILING);
    if (millis.compareTo(MOST_MILLIS) > 0) {
      throw new CommandException("ERR timeout is out of range");
    }
    if (millis.signum() < 0) {
      throw new CommandException("ERR timeout is negative");
    }
    return millis.longValueExact();
  }
}
