package io.keyvalueserve.server.http;

import static java.util.Objects.requireNonNull;

import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.admission.Throttled;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lets operators pass: by their key, or on a member with {@code --dev} from the machine itself.
 * There a web page that the developer has open must not pass with him: requests under another
 * host's name are refused (DNS rebinding), and so are changes without JSON, which a page cannot
 * send unasked.
 *
 * <p>Lets tenants pass, by one of their access keys, to their own grants, locks and quota and
 * nowhere else, as often as their quotas say. Who has passed is the request's {@link Caller}.
 */
final class ApiGate implements Handler {
  private static final long MOST_BYTES = 1L << 30;
  private static final String BEARER = "bearer ";
  private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final String QUOTA = "quota";

  /** What a tenant may ask for; the first group is the tenant. */
  private static final Pattern OF_TENANTS =
      Pattern.compile("/api/v1/tenants/([^/]+)/(grants|quota|maps/[^/]+/(locks|grants(/[^/]+)?))");

  private final boolean dev;
  private final Callers callers;

  ApiGate(boolean dev, Callers callers) {
    this.dev = dev;
    this.callers = callers;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    String authorization = request.headers().first(HeaderNames.AUTHORIZATION).orElse("");
    boolean hasKey = authorization.toLowerCase(Locale.ROOT).startsWith(BEARER);
    Optional<Caller> known =
        hasKey
            ? callers.of(authorization.substring(BEARER.length()).strip())
            : Optional.of(Caller.OPERATOR).filter(operator -> dev && isFromHere(request));
    if (known.isEmpty()) {
      callers.audit().loginRefused("", Door.HTTP, request.remotePeer().address());
      response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
      Errors.send(
          response,
          Status.UNAUTHORIZED_401,
          "unauthorized",
          hasKey
              ? "the key is not valid here"
              : "a key is needed: send it as 'Authorization: Bearer KEY'");
      return;
    }
    Caller caller = known.get();
    if (!mayPass(caller, request)) {
      callers
          .audit()
          .requestRefused(
              requireNonNull(caller.tenant()),
              Door.HTTP,
              "",
              request.prologue().method().text() + " " + request.path().path());
      Errors.send(
          response,
          Status.FORBIDDEN_403,
          "forbidden",
          "an access key opens the grants and locks of its own tenant and shows its quota; this needs the operator"
              + " key");
      return;
    }
    if (!hasKey && !request.prologue().method().equals(Method.GET) && !isJson(request)) {
      Errors.send(
          response,
          Status.UNSUPPORTED_MEDIA_TYPE_415,
          "unsupported_media_type",
          "without an operator key, changes need 'Content-Type: application/json'");
      return;
    }
    Throttled throttled = throttled(caller, request);
    if (throttled != null) {
      long seconds = (throttled.retryAfterMillis() + 999) / 1000;
      response.header(HeaderNames.RETRY_AFTER, String.valueOf(seconds));
      Errors.send(response, Status.TOO_MANY_REQUESTS_429, "throttled", throttled.message());
      return;
    }
    request.context().register(caller);
    response.next();
  }

  private @Nullable Throttled throttled(Caller caller, ServerRequest request) {
    Identity tenant = caller.tenant();
    return tenant == null
        ? null
        : callers
            .admissions()
            .of(tenant)
            .admit(1, Math.clamp(request.headers().contentLength().orElse(0), 0, MOST_BYTES));
  }

  private static boolean mayPass(Caller caller, ServerRequest request) {
    Identity tenant = caller.tenant();
    if (tenant == null) {
      return true;
    }
    Matcher path = OF_TENANTS.matcher(request.path().path());
    return path.matches()
        && path.group(1).equals(tenant.tenant().value())
        && (!path.group(2).equals(QUOTA) || request.prologue().method().equals(Method.GET));
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
