package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageMeter;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.SessionRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One request of a tenant on the entries of a map, or of several in a transaction: whoever passed
 * the gate, what it is admitted for, what it may, and what is counted of it. Blocks; used by the
 * request's thread.
 */
final class EntrySession {
  /** Longer than the engine takes to say that there is no answer. */
  private static final long PATIENCE_SECONDS = 180;

  private static final int MILLIS_PER_SECOND = 1000;
  private static final int RETRY_SECONDS = 1;

  private final EntryServices services;
  private final Identity identity;
  private final @Nullable QualifiedName name;
  private final Visit visit;
  private final UsageMeter usage;
  private long beginNanos;

  private EntrySession(EntryServices services, Identity identity, @Nullable QualifiedName name) {
    this.services = services;
    this.identity = identity;
    this.name = name;
    this.visit = Visit.begin(services.policy(), identity, Door.HTTP);
    this.usage = visit.meter(name);
    this.beginNanos = services.nanoTime().getAsLong();
  }

  /**
   * Creates the session of the tenant that has sent a request. Its time is measured from here, when
   * the body has been read, until the answer is sent.
   *
   * @param map the map that the request is about; null if it may be about several
   * @throws Errors.Refused if no tenant has, it has used up its bytes, or the member is reserved
   *     for another
   */
  static EntrySession of(
      EntryServices services,
      ServerRequest request,
      ServerResponse response,
      @Nullable QualifiedName map) {
    Identity identity = Caller.of(request).tenant();
    if (identity == null) {
      throw new HttpErrors.Refused(
          Status.FORBIDDEN_403, "forbidden", ApiGate.ENTRIES_ARE_FOR_TENANTS, 0);
    }
    if (!services.policy().sessions().mayEnter(identity)) {
      throw new HttpErrors.Refused(
          Status.FORBIDDEN_403, "member_reserved", SessionRegistry.RESERVED, 0);
    }
    EntrySession session = new EntrySession(services, identity, map);
    var _ = response.whenSent(session::answered);
    session.requireAdmitted(session.visit.admit(null, 0, 0));
    return session;
  }

  private void answered() {
    long took = services.nanoTime().getAsLong() - beginNanos;
    visit.took(took, 1);
  }

  /**
   * Has operations admitted, and counts and charges them.
   *
   * @param measure as what
   * @param bytes of the request's body
   * @throws Errors.Refused if the tenant has used up what it may use, or spend
   */
  void admit(Measure measure, long operations, long bytes) {
    arrived(bytes);
    requireAdmitted(visit.admit(measure, operations, bytes));
    visit.operations(operations);
    visit.served(usage, measure, operations);
  }

  /** Has the commands of a batch admitted, and counts and charges them. */
  void admit(List<KeyCommand> commands, long bytes) {
    long reads = 0;
    long deletes = 0;
    for (KeyCommand command : commands) {
      switch (command) {
        case KeyCommand.Read _, KeyCommand.Probe _ -> reads++;
        case KeyCommand.OnCollection on when !on.writes() -> reads++;
        case KeyCommand.Remove _, KeyCommand.RemoveIf _ -> deletes++;
        default -> {}
      }
    }
    long writes = commands.size() - reads - deletes;
    arrived(bytes);
    requireAdmitted(visit.admit(reads, writes, deletes, bytes));
    visit.operations(commands.size());
    visit.served(usage, reads, writes, deletes);
  }

  /**
   * Has the operations of a transaction admitted. {@link #carriedOut} charges them, if ever.
   *
   * @param bytes of the request's body
   */
  void admit(long reads, long writes, long deletes, long bytes) {
    arrived(bytes);
    requireAdmitted(visit.admit(reads, writes, deletes, bytes));
    visit.operations(reads + writes + deletes);
    visit.postpone();
  }

  /** Charges an operation of a transaction, which has taken effect. */
  void carriedOut(QualifiedName map, Measure measure) {
    visit.servedLater(visit.meter(map), measure, 1);
  }

  private void arrived(long bytes) {
    beginNanos = services.nanoTime().getAsLong();
    visit.arrived(usage, bytes);
  }

  private void requireAdmitted(@Nullable NotAdmitted why) {
    if (why == null) {
      return;
    }
    visit.turnedAway(usage, why);
    if (why.isRefused()) {
      throw new HttpErrors.Refused(Status.PAYMENT_REQUIRED_402, "spend_cap", why.message(), 0);
    }
    throw new HttpErrors.Refused(
        Status.TOO_MANY_REQUESTS_429,
        "throttled",
        why.message(),
        (why.retryAfterMillis() + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND);
  }

  /**
   * Counts bytes of a request's body, which is about no map. What it asks for is admitted apart.
   */
  void arrivedAlone(long bytes) {
    arrived(bytes);
  }

  /** Returns the visit, for what admits and charges by itself. */
  Visit visit() {
    return visit;
  }

  /** Returns this request's part of the room for values. */
  BodyRoom.Part part(BodyRoom room) {
    return room.part(identity.number());
  }

  /** Answers with JSON, and counts it. */
  void answer(ServerResponse response, ObjectNode body) {
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    sent(bytes.length);
    HttpDoor.json(response, Status.OK_200, bytes);
  }

  /** Counts bytes of an answer's body. */
  void sent(long bytes) {
    visit.answered(usage, bytes);
  }

  /** Returns the tenant. */
  Identity identity() {
    return identity;
  }

  /** Returns all that the tenant can reach. */
  TenantSpace space() {
    return services.engine().space(identity);
  }

  /**
   * The map that the request is about.
   *
   * @throws Errors.Refused if it is another's and nothing on it is granted
   */
  KeyMap map() {
    return map(Objects.requireNonNull(name));
  }

  /**
   * A map.
   *
   * @throws Errors.Refused if it is another's and nothing on it is granted
   */
  KeyMap map(QualifiedName of) {
    if (of.tenant().equals(identity.tenant())) {
      return space().map(of.map());
    }
    return space()
        .granted(of)
        .orElseThrow(
            () ->
                refused(
                    of.toString(),
                    "tenant '"
                        + identity.tenant()
                        + "' has no grant on '"
                        + of
                        + "': its owner can give one"));
  }

  /** The outcome of one command, if the engine has carried it out. */
  Outcome run(KeyMap map, KeyCommand command) {
    Outcome outcome = run(map, List.of(command)).getFirst();
    if (outcome instanceof Failure failure) {
      throw of(failure);
    }
    return outcome;
  }

  /** The outcomes of commands, in their order. */
  List<Outcome> run(KeyMap map, List<KeyCommand> commands) {
    if (commands.isEmpty()) {
      return List.of();
    }
    Outcome[] outcomes = new Outcome[commands.size()];
    AtomicInteger missing = new AtomicInteger(outcomes.length);
    CompletableFuture<List<Outcome>> all = new CompletableFuture<>();
    map.submit(
        commands,
        (index, outcome) -> {
          outcomes[index] = outcome; // published by the counter
          if (missing.decrementAndGet() == 0) {
            all.complete(Arrays.asList(outcomes));
          }
        });
    return await(all);
  }

  /** Waits for a stage and returns its result. */
  <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof EngineException failed) {
        throw of(failed.failure());
      }
      throw new IllegalStateException("an engine's stage failed", e.getCause());
    } catch (TimeoutException e) {
      throw of(new Failure(Failure.Kind.TIMEOUT, "no answer in time"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw of(new Failure(Failure.Kind.UNAVAILABLE, "the member is shutting down"));
    }
  }

  /** Returns the error to the client for a failure. A refusal is counted and kept on record. */
  HttpErrors.Refused of(Failure failure) {
    return of(failure, name == null ? "" : name.toString());
  }

  /**
   * Returns the error to the client for a failure.
   *
   * @param object the map that it is about, for the record of a refusal
   */
  HttpErrors.Refused of(Failure failure, String object) {
    return failure.kind() == Failure.Kind.REFUSED
        ? refused(object, failure.message())
        : told(failure);
  }

  /**
   * Counts and records that the tenant lacks a right, and returns the error to the client.
   *
   * @param object what it asked for
   */
  HttpErrors.Refused refused(String object, String reason) {
    visit.refused(usage, object, reason);
    return told(new Failure(Failure.Kind.REFUSED, reason));
  }

  /** Returns the error to the client for a failure. */
  static HttpErrors.Refused told(Failure failure) {
    return switch (failure.kind()) {
      case UNAVAILABLE -> later("unavailable", failure);
      case TIMEOUT -> later("timeout", failure);
      case IN_DOUBT -> later("in_doubt", failure);
      case LOADING -> later("loading", failure);
      case NOT_LOGGED ->
          failure.isDiskFull()
              ? none(Status.INSUFFICIENT_STORAGE_507, "disk_full", failure)
              : later("not_logged", failure);
      case FULL -> none(Status.INSUFFICIENT_STORAGE_507, "memory_full", failure);
      case QUOTA -> none(Status.INSUFFICIENT_STORAGE_507, "quota_used", failure);
      case REFUSED -> none(Status.FORBIDDEN_403, "forbidden", failure);
      case TOO_COSTLY -> none(Status.BAD_REQUEST_400, "too_costly", failure);
      case FORCED_OFF -> none(Status.CONFLICT_409, "lock_forced_off", failure);
      case NOT_STORABLE -> none(Status.create(422), "not_storable", failure);
      case INTERNAL -> none(Status.INTERNAL_SERVER_ERROR_500, "internal", failure);
    };
  }

  private static HttpErrors.Refused later(String code, Failure failure) {
    return new HttpErrors.Refused(
        Status.SERVICE_UNAVAILABLE_503, code, failure.message(), RETRY_SECONDS);
  }

  private static HttpErrors.Refused none(Status status, String code, Failure failure) {
    return new HttpErrors.Refused(status, code, failure.message(), 0);
  }
}
