package io.keyvalueserve.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Lets operators pass: by their key, or on a member with {@code --dev} from the machine itself.
 * There a web page that the developer has open must not pass with him: requests under another
 * host's name are refused (DNS rebinding), and so are changes without JSON, which a page cannot
 * send unasked.
 */
final class OperatorGate implements Handler {
  private static final String BEARER = "bearer ";
  private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private final boolean dev;
  private final Predicate<String> operator;

  OperatorGate(boolean dev, Predicate<String> operator) {
    this.dev = dev;
    this.operator = operator;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    String authorization = request.headers().first(HeaderNames.AUTHORIZATION).orElse("");
    boolean hasKey = authorization.toLowerCase(Locale.ROOT).startsWith(BEARER);
    boolean passes =
        hasKey
            ? operator.test(authorization.substring(BEARER.length()).strip())
            : dev && isFromHere(request);
    if (!passes) {
      response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
      Errors.send(
          response,
          Status.UNAUTHORIZED_401,
          "unauthorized",
          hasKey
              ? "the operator key is not valid here"
              : "an operator key is needed: send it as 'Authorization: Bearer KEY'");
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
    response.next();
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
