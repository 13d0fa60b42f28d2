package io.keyvalueserve.server.http;

import io.helidon.http.Method;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;

/**
 * A route of the HTTP door, in one row. Routing, {@link Permissions} and what the OpenAPI document
 * says of both are derived from the rows; {@code RouteTest} compares the table in {@code
 * docs/http.md} and the paths of {@code openapi.json} with them.
 *
 * @param path literal text with <code>{name}</code> for a segment that is not empty; at the end,
 *     <code>{+name}</code> for all that follows, slashes included
 * @param access the callers that may use the route
 * @param operation the id of the operation in the OpenAPI document
 */
record Route(Method method, String path, Access access, String operation, Handler handler) {
  private static final String TENANT = "{tenant}";

  Route {
    boolean isOfTenant =
        access == Access.TENANT_ITSELF || access == Access.TENANT_ALONE || access == Access.ENTRIES;
    if (isOfTenant && !path.startsWith(TENANT, path.indexOf('{'))) {
      throw new IllegalArgumentException("the first parameter must be " + TENANT + ": " + path);
    }
  }

  void addTo(HttpRouting.Builder routing) {
    routing.route(method, pattern(), handler);
  }

  /** Returns the path as the router takes it: its own <code>{+name}</code> ends at a line break. */
  String pattern() {
    return path.replaceFirst("\\{\\+(\\w+)}", "{$1:(?s:.+)}");
  }

  /** Returns whether a decoded path is one of this route's. */
  boolean matches(String decoded) {
    int at = 0;
    int template = 0;
    while (template < path.length()) {
      char expected = path.charAt(template);
      if (expected != '{') {
        if (at == decoded.length() || decoded.charAt(at) != expected) {
          return false;
        }
        at++;
        template++;
      } else if (path.charAt(template + 1) == '+') {
        return true;
      } else {
        int end = endOfSegment(decoded, at);
        if (end == at) {
          return false;
        }
        at = end;
        template = path.indexOf('}', template) + 1;
      }
    }
    return at == decoded.length();
  }

  /** Returns the tenant that a matching path names as its first parameter. */
  String tenantIn(String decoded) {
    int start = path.indexOf(TENANT);
    return decoded.substring(start, endOfSegment(decoded, start));
  }

  private static int endOfSegment(String decoded, int from) {
    int slash = decoded.indexOf('/', from);
    return slash < 0 ? decoded.length() : slash;
  }
}
