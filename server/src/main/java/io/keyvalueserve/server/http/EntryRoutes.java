package io.keyvalueserve.server.http;

import static io.helidon.http.Method.DELETE;
import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.HEAD;
import static io.helidon.http.Method.POST;
import static io.helidon.http.Method.PUT;

import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.ValueMatch;
import io.keyvalueserve.gates.heap.MemberHeap;
import java.util.List;

/**
 * The routes of entries, for tenants: single entries as resources with entity tags (RFC 9110), and
 * what is asked of many at once.
 */
final class EntryRoutes {
  private static final String ENTRIES = "/api/v1/tenants/{tenant}/maps/{map}/entries";

  /** A key may have slashes, which a router sees decoded. */
  private static final String ENTRY = ENTRIES + "/{+key}";

  private static final String TRANSACTIONS = "/api/v1/tenants/{tenant}/transactions";

  private static final int HEAP_SHARE = 4;

  /** The setting that says how long a value may be. */
  static final String MOST_VALUE = "resp.max-value";

  private final EntryServices services;
  private final BodyRoom room;
  private final EntryListing listing;
  private final EntryBatch batch;
  private final EntryTransaction transaction;

  EntryRoutes(EntryServices services) {
    this(services, services.policy().admissions().memberHeap());
  }

  /**
   * @param heap where bodies count
   */
  EntryRoutes(EntryServices services, MemberHeap heap) {
    this.services = services;
    this.room =
        new BodyRoom(
            Math.max(2L * services.mostValueBytes(), Runtime.getRuntime().maxMemory() / HEAP_SHARE),
            heap);
    this.listing = new EntryListing(services);
    this.batch = new EntryBatch(services, room);
    this.transaction = new EntryTransaction(services, room);
  }

  /** Returns the bound on the Java heap that bodies of all requests take. */
  BodyRoom room() {
    return room;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, ENTRIES, Access.ENTRIES, "listEntries", listing::list),
        new Route(POST, ENTRIES + "/batch", Access.ENTRIES, "runBatch", batch::run),
        new Route(GET, ENTRY, Access.ENTRIES, "readEntry", this::read),
        new Route(HEAD, ENTRY, Access.ENTRIES, "describeEntry", this::read),
        new Route(PUT, ENTRY, Access.ENTRIES, "writeEntry", this::write),
        new Route(DELETE, ENTRY, Access.ENTRIES, "removeEntry", this::remove),
        new Route(POST, TRANSACTIONS, Access.ENTRIES, "runTransaction", transaction::run));
  }

  private void read(ServerRequest request, ServerResponse response) {
    EntryPath path = EntryPath.of(request);
    byte[] key = path.requireKey();
    Preconditions match = Preconditions.of(request, HeaderNames.IF_MATCH);
    Preconditions none = Preconditions.of(request, HeaderNames.IF_NONE_MATCH);
    EntrySession session = EntrySession.of(services, request, response, path.map());
    session.admit(Measure.READS, 1, 0);
    switch (session.run(session.map(), new KeyCommand.Read(key))) {
      case Outcome.Entry entry when match != null && !match.matchesStrongly(entry.value()) ->
          throw preconditionFailed();
      case Outcome.Entry entry -> {
        boolean isKnown = none != null && none.matchesWeakly(entry.value());
        try (BodyRoom.Part part = session.part(room)) {
          part.take(entry.value().length);
          answer(request, response, session, entry, isKnown);
        }
      }
      case Outcome.Rejected _ -> throw wrongType(session, key);
      case Outcome.Missing _ when match != null -> throw preconditionFailed();
      case Outcome.Missing _ -> throw notFound();
      case Outcome outcome -> throw unexpected(outcome);
    }
  }

  private void answer(
      ServerRequest request,
      ServerResponse response,
      EntrySession session,
      Outcome.Entry entry,
      boolean isKnown) {
    byte[] value = entry.value();
    response
        .header(HeaderNames.ETAG, Preconditions.entityTag(value))
        .header(HeaderNames.CACHE_CONTROL, "private, no-cache")
        .header(HeaderNames.VARY, "Accept, Authorization");
    if (entry.expireAtMillis() != Expiry.NONE) {
      long left = TimeToLive.left(entry.expireAtMillis(), services.clock().millis());
      response.header(TimeToLive.HEADER, String.valueOf(left));
    }
    if (isKnown) {
      response.status(Status.NOT_MODIFIED_304).send();
      return;
    }
    String accept = String.join(",", request.headers().all(HeaderNames.ACCEPT, List::of));
    response
        .status(Status.OK_200)
        .header(HeaderNames.CONTENT_TYPE, ValueType.of(value, accept))
        .header(HeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
    if (request.prologue().method().equals(HEAD)) {
      response.contentLength(value.length);
      response.send();
      return;
    }
    session.sent(value.length);
    response.send(value);
  }

  private void write(ServerRequest request, ServerResponse response) {
    EntryPath path = EntryPath.of(request);
    byte[] key = path.requireKey();
    ValueMatch match = Preconditions.ofChange(request);
    long timeToLive = TimeToLive.millis(request);
    EntrySession session = EntrySession.of(services, request, response, path.map());
    try (BodyRoom.Part part = session.part(room)) {
      byte[] value = RequestBody.read(request, services.mostValueBytes(), MOST_VALUE, part);
      session.admit(Measure.WRITES, 1, value.length);
      long expireAt = TimeToLive.expiry(timeToLive, services.clock().millis());
      switch (session.run(session.map(), new KeyCommand.WriteIf(key, value, expireAt, match))) {
        case Outcome.IntegerResult(long result) ->
            response
                .header(HeaderNames.ETAG, Preconditions.entityTag(value))
                .status(
                    result == KeyCommand.WriteIf.CREATED
                        ? Status.CREATED_201
                        : Status.NO_CONTENT_204)
                .send();
        case Outcome.NotApplied _ -> throw preconditionFailed();
        case Outcome.Rejected _ -> throw wrongType();
        case Outcome other -> throw unexpected(other);
      }
    }
  }

  private void remove(ServerRequest request, ServerResponse response) {
    EntryPath path = EntryPath.of(request);
    byte[] key = path.requireKey();
    ValueMatch match = Preconditions.ofChange(request);
    if (match.kind() == ValueMatch.Kind.ABSENT) {
      throw new HttpErrors.BadRequest(
          HeaderNames.IF_NONE_MATCH_NAME, "DELETE takes If-Match: what is not there cannot go");
    }
    EntrySession session = EntrySession.of(services, request, response, path.map());
    session.admit(Measure.DELETES, 1, 0);
    boolean isConditional = match.kind() != ValueMatch.Kind.ANY;
    switch (session.run(session.map(), new KeyCommand.RemoveIf(key, match))) {
      case Outcome.Applied _ -> response.status(Status.NO_CONTENT_204).send();
      case Outcome.Missing _ when !isConditional -> throw notFound();
      case Outcome.Missing _, Outcome.NotApplied _ -> throw preconditionFailed();
      case Outcome.Rejected _ -> throw wrongType();
      case Outcome other -> throw unexpected(other);
    }
  }

  static HttpErrors.Refused notFound() {
    return new HttpErrors.Refused(
        Status.NOT_FOUND_404, "entry_not_found", "there is no such entry", 0);
  }

  /** Returns an error that names the type of a collection, if the value is one. */
  private static HttpErrors.Refused wrongType(EntrySession session, byte[] key) {
    Outcome found = session.run(session.map(), new KeyCommand.Probe(key, false));
    return found instanceof Outcome.Info info && info.collection() != null
        ? new HttpErrors.Refused(
            Status.CONFLICT_409,
            "wrong_type",
            "the value is a "
                + info.collection().title()
                + ", which Redis clients read and write: over HTTP it can be replaced and removed"
                + " without If-Match only",
            0)
        : wrongType();
  }

  static HttpErrors.Refused wrongType() {
    return new HttpErrors.Refused(
        Status.CONFLICT_409,
        "wrong_type",
        "the value is an object of a Hazelcast client or a collection of a Redis client, neither"
            + " bytes nor text, number or JSON: it can be replaced and removed without If-Match"
            + " only",
        0);
  }

  private static HttpErrors.Refused preconditionFailed() {
    return preconditionFailed(
        "the entry is not as If-Match or If-None-Match wants it; nothing was done");
  }

  static HttpErrors.Refused preconditionFailed(String message) {
    return new HttpErrors.Refused(
        Status.PRECONDITION_FAILED_412, "precondition_failed", message, 0);
  }

  static HttpErrors.Refused conflict(String code, String message) {
    return new HttpErrors.Refused(Status.CONFLICT_409, code, message, 0);
  }

  static IllegalStateException unexpected(Outcome outcome) {
    return new IllegalStateException("no outcome of such a command: " + outcome);
  }
}
