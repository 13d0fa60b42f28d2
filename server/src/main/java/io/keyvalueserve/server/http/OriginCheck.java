package io.keyvalueserve.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.http.ServerRequest;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says which changes come from a web page that is not the server's own. A browser names the page's
 * origin in {@code Origin}, and says in {@code Sec-Fetch-Site} how that compares with the server's;
 * a page can forge neither. Other clients send neither, and pass.
 */
final class OriginCheck {
  private static final HeaderName SEC_FETCH_SITE = HeaderNames.create("Sec-Fetch-Site");
  private static final String SAME_ORIGIN = "same-origin";
  private static final Set<String> FOREIGN_SITES = Set.of("cross-site", "same-site");
  private static final String HTTP = "http://";
  private static final String HTTPS = "https://";

  private final Set<String> allowed;

  /**
   * @param allowed origins of pages that may send changes, in addition to the server's own
   */
  OriginCheck(Collection<String> allowed) {
    this.allowed = Set.copyOf(allowed);
  }

  /**
   * Returns the origin of the foreign page that sends a change, or null if the request may pass.
   * Requests that only read always pass: the page cannot see the answer.
   */
  @Nullable String refused(ServerRequest request) {
    Method method = request.prologue().method();
    if (method.equals(Method.GET) || method.equals(Method.HEAD)) {
      return null;
    }
    return refused(
        request.headers().first(HeaderNames.ORIGIN).orElse(null),
        request.headers().first(SEC_FETCH_SITE).orElse(""),
        request.headers().first(HeaderNames.HOST).orElse(request.authority()));
  }

  /** Does the same as {@link #refused(ServerRequest)} for a change with these headers. */
  @Nullable String refused(@Nullable String origin, String site, String host) {
    if (origin == null) {
      return FOREIGN_SITES.contains(site) ? "a page that is " + site : null;
    }
    String said = origin.toLowerCase(Locale.ROOT);
    return isOwn(said, site, host.toLowerCase(Locale.ROOT)) || allowed.contains(said)
        ? null
        : origin;
  }

  /** A page that a proxy serves with TLS is the server's own if the browser says so too. */
  private static boolean isOwn(String origin, String site, String host) {
    return origin.equals(HTTP + without(":80", host))
        || (site.equals(SAME_ORIGIN) && origin.equals(HTTPS + without(":443", host)));
  }

  /** Browsers leave the usual port out of an origin. */
  private static String without(String port, String host) {
    return host.endsWith(port) ? host.substring(0, host.length() - port.length()) : host;
  }
}
