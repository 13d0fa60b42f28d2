package io.keyvalueserve.server.http;

import static io.keyvalueserve.server.http.OperationJson.ETAG;
import static io.keyvalueserve.server.http.OperationJson.STATUS;
import static io.keyvalueserve.server.http.OperationJson.VALUE;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.engine.DeadlinePassed;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TransactionOrigin;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.server.http.TransactionOperation.Action;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Many operations in one request, on keys of several maps: all of them are carried out, or none.
 * They run as one transaction of the engine, as those of Redis clients do.
 */
final class EntryTransaction {
  /**
   * The most bytes in a request, and in the values of an answer. Both are in memory more than once.
   */
  private static final int MOST_BYTES = 16 * 1024 * 1024;

  private final EntryServices services;
  private final BodyRoom room;
  private final int mostBytes;

  EntryTransaction(EntryServices services, BodyRoom room) {
    this.services = services;
    this.room = room;
    this.mostBytes = Math.min(MOST_BYTES, services.mostValueBytes());
  }

  void run(ServerRequest request, ServerResponse response) {
    EntrySession session = EntrySession.of(services, request, response, null);
    requireItself(request, session);
    try (BodyRoom.Part part = session.part(room);
        AnswerRoom answerRoom = new AnswerRoom(session.part(room))) {
      byte[] body = RequestBody.read(request, mostBytes, part);
      List<TransactionOperation> operations =
          TransactionReader.read(session.identity().tenant(), body);
      admit(session, operations, body.length);
      Map<QualifiedName, KeyMap> maps = maps(session, operations);
      requireGrants(session, operations, maps);
      List<Outcome> outcomes = transact(session, operations, maps, answerRoom);
      operations.forEach(each -> session.carriedOut(each.map(), each.measure()));
      session.answer(response, answer(operations, outcomes));
    }
  }

  /** Refuses a key of another tenant than the path names. */
  private static void requireItself(ServerRequest request, EntrySession session) {
    TenantName named = new TenantName(request.path().pathParameters().get("tenant"));
    TenantName own = session.identity().tenant();
    if (!named.equals(own)) {
      throw session
          .refused(
              named.value(),
              "an access key of tenant '"
                  + own
                  + "' runs transactions at /api/v1/tenants/"
                  + own
                  + "/transactions; name maps of others there as OWNER/MAP")
          .at("tenant");
    }
  }

  private static void admit(
      EntrySession session, List<TransactionOperation> operations, long bytes) {
    Map<Measure, Long> counts = new EnumMap<>(Measure.class);
    operations.forEach(each -> counts.merge(each.measure(), 1L, Long::sum));
    session.admit(
        counts.getOrDefault(Measure.READS, 0L),
        counts.getOrDefault(Measure.WRITES, 0L),
        counts.getOrDefault(Measure.DELETES, 0L),
        bytes);
  }

  private static Map<QualifiedName, KeyMap> maps(
      EntrySession session, List<TransactionOperation> operations) {
    Map<QualifiedName, KeyMap> maps = new HashMap<>();
    for (TransactionOperation each : operations) {
      try {
        KeyMap _ = maps.computeIfAbsent(each.map(), session::map);
      } catch (HttpErrors.Refused e) {
        throw e.at(each.at() + ".map");
      }
    }
    return maps;
  }

  private static KeyMap map(Map<QualifiedName, KeyMap> maps, TransactionOperation operation) {
    KeyMap map = maps.get(operation.map());
    if (map == null) {
      throw new IllegalStateException("no such map: " + operation.map());
    }
    return map;
  }

  /** Refuses what is not granted before a key is locked. The transaction asks again. */
  private void requireGrants(
      EntrySession session,
      List<TransactionOperation> operations,
      Map<QualifiedName, KeyMap> maps) {
    long now = services.clock().millis();
    for (TransactionOperation each : operations) {
      Outcome.Failure refusal = map(maps, each).refusal(each.command(now));
      if (refusal != null) {
        throw failed(session, each, refusal);
      }
    }
  }

  private static HttpErrors.Refused failed(
      EntrySession session, TransactionOperation operation, Outcome.Failure failure) {
    Outcome.Failure described =
        new Outcome.Failure(failure.kind(), operation.describe(failure.message()));
    return session.of(described, operation.map().toString()).at(operation.at());
  }

  // ---- the transaction

  /** Ends the run of a transaction's body, because the engine refuses an operation. */
  private static final class NotDone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient TransactionOperation operation;
    private final transient Outcome.Failure failure;

    NotDone(TransactionOperation operation, Outcome.Failure failure) {
      super("an operation of a transaction is not carried out", null, false, false);
      this.operation = operation;
      this.failure = failure;
    }
  }

  /**
   * The end of a transaction.
   *
   * @param outcomes one for each operation; none if nothing was done
   * @param notDone why nothing was done; null if all was done
   */
  private record Ended(List<Outcome> outcomes, @Nullable RuntimeException notDone) {}

  private static List<Outcome> transact(
      EntrySession session,
      List<TransactionOperation> operations,
      Map<QualifiedName, KeyMap> maps,
      AnswerRoom answerRoom) {
    List<KeyRef> keys = new ArrayList<>(operations.size());
    operations.forEach(each -> keys.add(new KeyRef(map(maps, each), each.key())));
    CompletionStage<Ended> stage =
        session
            .space()
            .transact(
                new TransactionRequest<>(
                    keys,
                    List.of(),
                    view -> run(view, operations, maps, answerRoom),
                    TransactionOrigin.HTTP))
            .thenApply(outcomes -> new Ended(outcomes.orElseThrow(), null))
            .exceptionally(EntryTransaction::notDone);
    Ended ended = session.await(stage);
    RuntimeException notDone = ended.notDone();
    if (notDone instanceof NotDone not) {
      throw failed(session, not.operation, not.failure);
    }
    if (notDone != null) {
      throw notDone;
    }
    return ended.outcomes();
  }

  /** Tells refusals, which the body has thrown, from failures of the engine. */
  private static Ended notDone(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return switch (cause) {
      case NotDone not -> new Ended(List.of(), not);
      case HttpErrors.Refused refused -> new Ended(List.of(), refused);
      default -> throw new CompletionException(cause);
    };
  }

  /** The body of the transaction: it may run more than once, on any thread. */
  private static List<Outcome> run(
      TransactionView view,
      List<TransactionOperation> operations,
      Map<QualifiedName, KeyMap> maps,
      AnswerRoom answerRoom) {
    List<Outcome> outcomes = new ArrayList<>(operations.size());
    long bytes = 0;
    for (TransactionOperation each : operations) {
      requireTime(view);
      KeyCommand command = each.command(view.nowMillis());
      Outcome outcome = view.execute(map(maps, each), command);
      if (outcome instanceof Outcome.Failure failure) {
        throw new NotDone(each, failure);
      }
      HttpErrors.Refused obstacle = each.obstacle(outcome);
      if (obstacle != null) {
        throw obstacle.at(each.at());
      }
      if (each.action() instanceof Action.Get && outcome instanceof Outcome.Entry entry) {
        bytes += entry.value().length;
        answerRoom.require(bytes, each);
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  private static void requireTime(TransactionView view) {
    long deadline = view.deadlineNanos();
    if (deadline != 0 && System.nanoTime() - deadline > 0) {
      throw new DeadlinePassed();
    }
  }

  /**
   * The room for values in an answer. Runs of the body take it, on any thread, until the request
   * has ended. Thread-safe.
   */
  private final class AnswerRoom implements AutoCloseable {
    private final BodyRoom.Part part;
    private long taken;
    private boolean closed;

    AnswerRoom(BodyRoom.Part part) {
      this.part = part;
    }

    /**
     * Takes room until there is so much.
     *
     * @throws HttpErrors.Refused if it is more than an answer may have, or there is none
     */
    synchronized void require(long bytes, TransactionOperation operation) {
      if (bytes > mostBytes) {
        throw new HttpErrors.Refused(
                Status.REQUEST_ENTITY_TOO_LARGE_413,
                "answer_too_large",
                operation.describe(
                    "the values that the transaction reads have more than "
                        + mostBytes
                        + " bytes together: read fewer"),
                0)
            .at(operation.at());
      }
      if (bytes > taken && !closed) {
        part.take(bytes - taken);
        taken = bytes;
      }
    }

    @Override
    public synchronized void close() {
      closed = true;
      part.close();
    }
  }

  // ---- the answer

  private ObjectNode answer(List<TransactionOperation> operations, List<Outcome> outcomes) {
    ObjectNode answer = HttpDoor.object().put("committed", true);
    ArrayNode results = answer.putArray("results");
    for (int i = 0; i < outcomes.size(); i++) {
      add(results.addObject(), operations.get(i).action(), outcomes.get(i));
    }
    return answer;
  }

  private void add(ObjectNode result, Action action, Outcome outcome) {
    switch (action) {
      case Action.Get _ when outcome instanceof Outcome.Entry entry ->
          OperationJson.add(result, entry, services.clock().millis());
      case Action.Get _, Action.Delete _ when outcome == Outcome.Missing.MISSING ->
          OperationJson.add(result, EntryRoutes.notFound());
      case Action.Put put when outcome instanceof Outcome.IntegerResult(long written) ->
          result
              .put(
                  STATUS,
                  written == KeyCommand.WriteIf.CREATED
                      ? Status.CREATED_201.code()
                      : Status.NO_CONTENT_204.code())
              .put(ETAG, Preconditions.entityTag(put.value()));
      case Action.Increment _ when outcome instanceof Outcome.IntegerResult(long sum) -> {
        String text = Long.toString(sum);
        result
            .put(STATUS, Status.OK_200.code())
            .put(VALUE, text)
            .put(ETAG, Preconditions.entityTag(text.getBytes(StandardCharsets.US_ASCII)));
      }
      default -> result.put(STATUS, Status.NO_CONTENT_204.code());
    }
  }
}
