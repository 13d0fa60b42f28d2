package io.keyvalueserve.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.gates.admission.Admission;
import io.keyvalueserve.gates.peer.FailedKeys;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses changes that a foreign web page sends, whoever they are from ({@link OriginCheck}).
 *
 * <p>Lets operators pass: by their key, or on a member with {@code --dev} from the machine itself.
 * There a web page that the developer has open must not pass with him: requests under another
 * host's name are refused (DNS rebinding), and so are changes without JSON, which a page cannot
 * send unasked.
 *
 * <p>Lets tenants pass, by one of their access keys, to what {@link Permissions} say and nowhere
 * else, as often as their quotas say; entries are admitted where it is known how many are asked
 * for. Who has passed is the request's {@link Caller}.
 */
final class ApiGate implements Handler {
  private static final String BEARER = "bearer ";
  private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  /** Longer bodies are not read for those who are turned away. */
  private static final long MOST_UNREAD_BYTES = 32 * 1024;

  static final String ENTRIES_ARE_FOR_TENANTS =
      "the operator key does not open entries: show an access key of the tenant, or of one that its"
          + " owner has granted the map to";

  static final String CONSENT_IS_FOR_TENANTS =
      "an operator cannot consent for a tenant, nor withdraw what the tenant has said: show an"
          + " access key of the tenant";

  private final boolean dev;
  private final OriginCheck origins;
  private final Callers callers;
  private final FailedKeys failedKeys;
  private final Permissions permissions;

  /**
   * @param failedKeys counts keys that are refused, at this door and all others
   */
  ApiGate(
      boolean dev,
      OriginCheck origins,
      Callers callers,
      FailedKeys failedKeys,
      Permissions permissions) {
    this.dev = dev;
    this.origins = origins;
    this.callers = callers;
    this.failedKeys = failedKeys;
    this.permissions = permissions;
  }

  /**
   * Returns where a request comes from.
   *
   * @throws CloseConnectionException if its connection is closed, and nobody knows any more
   */
  private static SocketAddress from(ServerRequest request) {
    SocketAddress address = request.remotePeer().address();
    if (address == null) {
      throw new CloseConnectionException("closed while its request was read");
    }
    return address;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    String authorization = request.headers().first(HeaderNames.AUTHORIZATION).orElse("");
    boolean hasKey = authorization.toLowerCase(Locale.ROOT).startsWith(BEARER);
    String foreign = origins.refused(request);
    if (foreign != null) {
      refuseForeign(foreign, authorization, request, response);
      return;
    }
    Optional<Caller> known =
        hasKey ? callers.of(authorization.substring(BEARER.length()).strip()) : withoutKey(request);
    if (known.isEmpty()) {
      leaveUnread(request, response);
      if (hasKey) {
        HttpConnection.passedWithoutKey();
      }
      long wait = hasKey ? failedKeys.failed(from(request)) : 0;
      if (wait > 0) {
        response.header(HeaderNames.RETRY_AFTER, String.valueOf(seconds(wait)));
        HttpErrors.send(
            request,
            response,
            Status.TOO_MANY_REQUESTS_429,
            "too_many_failed_keys",
            "too many keys from this address were not valid; look at yours, and retry after "
                + wait
                + " ms");
        return;
      }
      callers.audit().loginRefused("", Door.HTTP, from(request));
      response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
      HttpErrors.send(
          request,
          response,
          Status.UNAUTHORIZED_401,
          "unauthorized",
          hasKey
              ? "the key is not valid here"
              : "a key is needed: send it as 'Authorization: Bearer KEY'");
      return;
    }
    Caller caller = known.get();
    HttpConnection.passed(caller);
    Method method = request.prologue().method();
    boolean isOfEntries = permissions.ownerOfEntries(request.path().path()) != null;
    if (!permissions.mayPass(caller, method, request.path().path())) {
      leaveUnread(request, response);
      refuse(caller, request, response);
      return;
    }
    if (!hasKey
        && !(isOfEntries ? noPageSends(method) : method.equals(Method.GET))
        && !isJson(request)) {
      HttpErrors.send(
          request,
          response,
          Status.UNSUPPORTED_MEDIA_TYPE_415,
          "unsupported_media_type",
          "without an operator key, changes need 'Content-Type: application/json'");
      return;
    }
    long wait = isOfEntries ? 0 : toWait(caller);
    if (wait > 0) {
      leaveUnread(request, response);
      response.header(HeaderNames.RETRY_AFTER, String.valueOf(seconds(wait)));
      HttpErrors.send(
          request,
          response,
          Status.TOO_MANY_REQUESTS_429,
          "throttled",
          "the tenant's "
              + Admission.ADMINISTRATION_PER_SECOND
              + " requests a second that are not on entries are used up; retry after "
              + wait
              + " ms");
      return;
    }
    request.context().register(caller);
    response.next();
  }

  private long toWait(Caller caller) {
    Identity tenant = caller.tenant();
    return tenant == null ? 0 : callers.admissions().of(tenant).admitAdministration();
  }

  /**
   * Returns the caller without a key on a member with {@code --dev}: the operator, and the tenant
   * {@code dev} for its entries.
   */
  private Optional<Caller> withoutKey(ServerRequest request) {
    if (!isOpen(dev, request)) {
      return Optional.empty();
    }
    String owner = permissions.ownerOfEntries(request.path().path());
    return Catalogue.DEV.value().equals(owner)
        ? callers.withoutKey()
        : Optional.of(Caller.OPERATOR);
  }

  /** Returns whether a request passes without a key, on a member with {@code --dev} or another. */
  static boolean isOpen(boolean dev, ServerRequest request) {
    return dev && isFromHere(request);
  }

  /**
   * Its key is not looked at: no page learns of it, and none uses up the allowance for failures.
   */
  private static void refuseForeign(
      String origin, String authorization, ServerRequest request, ServerResponse response) {
    leaveUnread(request, response);
    if (!authorization.isEmpty()) {
      HttpConnection.passedWithoutKey(); // without one it is counted already
    }
    HttpErrors.send(
        request,
        response,
        Status.FORBIDDEN_403,
        "foreign_origin",
        "changes from a page of another origin are refused: the request's Origin is "
            + origin
            + "; to trust that origin, list it in the setting 'http.origins' of the server");
  }

  private void refuse(Caller caller, ServerRequest request, ServerResponse response) {
    Identity tenant = caller.tenant();
    if (caller.isScraper()) {
      HttpErrors.send(
          request,
          response,
          Status.FORBIDDEN_403,
          "forbidden",
          "the key for metrics opens GET /metrics and nothing else; this needs the operator key or a"
              + " tenant's");
      return;
    }
    if (tenant == null) {
      boolean isConsent =
          permissions.isForTenantAlone(request.prologue().method(), request.path().path());
      HttpErrors.send(
          request,
          response,
          Status.FORBIDDEN_403,
          "forbidden",
          isConsent ? CONSENT_IS_FOR_TENANTS : ENTRIES_ARE_FOR_TENANTS);
      return;
    }
    callers
        .audit()
        .requestRefused(
            tenant,
            Door.HTTP,
            "",
            request.prologue().method().text() + " " + request.path().path());
    HttpErrors.send(
        request,
        response,
        Status.FORBIDDEN_403,
        "forbidden",
        "an access key opens what is its own tenant's, as GET /api/v1/me names it; this needs the"
            + " operator key");
  }

  /** Closes the connection instead of reading a long body that is in vain. */
  private static void leaveUnread(ServerRequest request, ServerResponse response) {
    long announced = request.headers().contentLength().orElse(MOST_UNREAD_BYTES + 1);
    if (request.content().hasEntity() && announced > MOST_UNREAD_BYTES) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
  }

  private static long seconds(long millis) {
    return (millis + 999) / 1000;
  }

  /** A page of another origin reads no answer, and sends no PUT or DELETE unasked (CORS). */
  private static boolean noPageSends(Method method) {
    return method.equals(Method.GET)
        || method.equals(Method.HEAD)
        || method.equals(Method.PUT)
        || method.equals(Method.DELETE);
  }

  private static boolean isJson(ServerRequest request) {
    return request
        .headers()
        .first(HeaderNames.CONTENT_TYPE)
        .map(type -> type.toLowerCase(Locale.ROOT).startsWith("application/json"))
        .orElse(false);
  }

  private static boolean isFromHere(ServerRequest request) {
    boolean loopback =
        request.remotePeer().address() instanceof InetSocketAddress address
            && address.getAddress().isLoopbackAddress();
    String host = request.headers().first(HeaderNames.HOST).orElse(request.authority());
    int port = host.lastIndexOf(':');
    String name = port > host.lastIndexOf(']') ? host.substring(0, port) : host;
    return loopback && OWN_NAMES.contains(name.toLowerCase(Locale.ROOT));
  }
}
