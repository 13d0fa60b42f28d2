package io.keyvalueserve.server.http;

import io.helidon.http.Method;
import io.keyvalueserve.tenancy.Identity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The permissions of callers, as the {@link Access} of each route says; {@code docs/http.md} has
 * them as a table. A path that no route opens to tenants is for operators alone. Paths are decoded,
 * as routes are matched with them. Thread-safe.
 */
final class Permissions {
  private final List<Route> routes;
  private final List<Route> entries;

  Permissions(List<Route> routes) {
    this.routes = List.copyOf(routes);
    this.entries = routes.stream().filter(route -> route.access() == Access.ENTRIES).toList();
  }

  /** Returns whether some method has a route for a path. */
  boolean isPath(String path) {
    return routes.stream().anyMatch(route -> route.matches(path));
  }

  /** Returns the tenant whose entries a path is about, or null if it is about none. */
  @Nullable String ownerOfEntries(String path) {
    for (Route route : entries) {
      if (route.matches(path)) {
        return route.tenantIn(path);
      }
    }
    return null;
  }

  /** Returns whether a caller may send this request. */
  boolean mayPass(Caller caller, Method method, String path) {
    Identity tenant = caller.tenant();
    if (caller.isScraper()) {
      return (method.equals(Method.GET) || method.equals(Method.HEAD))
          && routes.stream().anyMatch(one -> one.access() == Access.SCRAPER && one.matches(path));
    }
    if (ownerOfEntries(path) != null) {
      return tenant != null;
    }
    return tenant == null
        ? !isForTenantAlone(method, path)
        : opens(method, path, tenant.tenant().value());
  }

  /** Returns whether a request is for a tenant alone, and not about entries. */
  boolean isForTenantAlone(Method method, String path) {
    Route route = find(method, path);
    return route != null && route.access() == Access.TENANT_ALONE;
  }

  private boolean opens(Method method, String path, String tenant) {
    Route route = find(method, path);
    if (route == null) {
      return false;
    }
    return switch (route.access()) {
      case EVERY_TENANT -> true;
      case TENANT_ITSELF, TENANT_ALONE -> tenant.equals(route.tenantIn(path));
      case OPEN, SCRAPER, OPERATOR, ENTRIES -> false;
    };
  }

  private @Nullable Route find(Method method, String path) {
    for (Route route : routes) {
      if (route.method().equals(method) && route.matches(path)) {
        return route;
      }
    }
    return null;
  }
}
