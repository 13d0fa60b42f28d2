package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.common.uri.UriPath;
import io.helidon.http.Method;
import io.helidon.http.PathMatchers;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A route is one row: the OpenAPI document and the table in {@code docs/http.md} say what the rows
 * say, no more and no less, and the gate matches paths as the router does.
 */
class RouteTest {
  private static final List<Route> ROUTES = routes();
  private static final Permissions PERMISSIONS = new Permissions(ROUTES);
  private static final Caller KEEPER =
      new Caller(new Identity(new TenantName("keeper"), 1, "AbCdEfGhIj"));

  // Only the rows are looked at: no handler is called.
  @SuppressWarnings("NullAway")
  static List<Route> routes() {
    EntryServices noEntries = new EntryServices(null, null, null, 1, null);
    return HttpDoor.routes(
        HttpDoor.ownRoutes(false, new ConsoleFiles(), null, null, () -> true),
        new AdminRoutes(null, AccessAudit.NONE),
        new EntryRoutes(noEntries, MemberHeap.unbounded()),
        new SqlRoutes(noEntries, null, null, null));
  }

  @Test
  void theOpenApiDocumentHasTheRows() {
    Map<String, Set<String>> rows = new TreeMap<>();
    for (Route route : ROUTES) {
      rows.put(nameOf(route) + " " + route.operation(), schemesOf(route.access()));
    }
    Map<String, Set<String>> documented = new TreeMap<>();
    for (Map.Entry<String, JsonNode> path :
        HttpServerUnderTest.openApi().path("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        if (!method.getKey().equals("parameters")) {
          JsonNode operation = method.getValue();
          assertThat(operation.has("security")).as(path.getKey()).isTrue();
          Set<String> schemes = new TreeSet<>();
          operation
              .path("security")
              .forEach(one -> one.fieldNames().forEachRemaining(schemes::add));
          documented.put(
              method.getKey().toUpperCase(Locale.ROOT)
                  + " "
                  + path.getKey()
                  + " "
                  + operation.path("operationId").asText(),
              schemes);
        }
      }
    }
    assertThat(documented).isEqualTo(rows);
    assertThat(ROUTES).extracting(Route::operation).doesNotHaveDuplicates();
  }

  private static String nameOf(Route route) {
    return route.method().text() + " " + route.path().replace("{+", "{");
  }

  private static Set<String> schemesOf(Access access) {
    return switch (access) {
      case OPEN -> Set.of();
      case SCRAPER -> Set.of("operatorKey", "scrapeKey");
      case OPERATOR -> Set.of("operatorKey");
      case TENANT_ITSELF, EVERY_TENANT -> Set.of("operatorKey", "accessKey");
      case TENANT_ALONE, ENTRIES -> Set.of("accessKey");
    };
  }

  @Test
  void theTableOfPermissionsHasTheRows() throws IOException {
    Map<String, String> rows =
        ROUTES.stream().collect(Collectors.toMap(RouteTest::nameOf, RouteTest::columnsOf));
    Map<String, String> table =
        RolesTest.table().stream()
            .collect(
                Collectors.toMap(
                    RolesTest.Row::toString,
                    row -> row.operator() + ", " + row.tenant().split("[:;,]", 2)[0]));
    assertThat(table).isEqualTo(rows);
  }

  /** Returns what the columns of operators and tenants begin with. */
  private static String columnsOf(Route route) {
    return switch (route.access()) {
      case OPEN -> "open, open";
      case SCRAPER, OPERATOR -> "yes, no";
      case TENANT_ITSELF -> "yes, its own";
      case EVERY_TENANT -> "yes, yes";
      case TENANT_ALONE, ENTRIES -> "no, its own";
    };
  }

  @Test
  @SuppressWarnings("NullAway")
  void aWitnessHasRowsOfMembersWithData() {
    List<Route> ofWitness = new WitnessRoutes(null, false).routes();
    assertThat(ofWitness).isNotEmpty();
    assertThat(ROUTES.stream().map(RouteTest::withoutHandler))
        .containsAll(ofWitness.stream().map(RouteTest::withoutHandler).toList());
  }

  private static String withoutHandler(Route route) {
    return nameOf(route) + " " + route.access() + " " + route.operation();
  }

  @Test
  void oneRouteAnswersARequest() {
    for (Route route : ROUTES) {
      assertThat(ROUTES.stream().filter(other -> other.method().equals(route.method())))
          .filteredOn(other -> other.matches(concrete(route, "none")))
          .containsExactly(route);
    }
  }

  @Test
  void theGateMatchesPathsAsTheRouterDoes() {
    Set<String> paths = new TreeSet<>(Set.of("", "/", "//", "/api", "/api/v1", "/api/v1/"));
    for (Route route : ROUTES) {
      for (String value :
          List.of("none", "NONE", "", "..", "a;b", "a%2Fb", "%2F", "a%20b", "a%0Ab", "%7Ba%7D")) {
        String path = concrete(route, value);
        paths.addAll(
            List.of(
                path,
                path + "/",
                path + "/x",
                path + "x",
                path.substring(0, path.lastIndexOf('/')),
                path.toUpperCase(Locale.ROOT),
                path.replaceFirst("/v1/", "//v1/"),
                path.replace("/tenants/", "/tenants/x/")));
      }
    }
    int matched = 0;
    for (String path : paths) {
      UriPath uri = UriPath.create(path);
      for (Route route : ROUTES) {
        // Without a key a path is of no route, but it is about entries.
        if (!(route.path().endsWith("{+key}") && uri.path().endsWith("/entries/"))) {
          boolean accepted = PathMatchers.create(route.pattern()).match(uri).accepted();
          assertThat(route.matches(uri.path()))
              .as("%s of %s", path, route.path())
              .isEqualTo(accepted);
          matched += accepted ? 1 : 0;
        }
      }
    }
    assertThat(matched).isGreaterThan(ROUTES.size());
  }

  private static String concrete(Route route, String value) {
    return route.path().replaceAll("\\{[^}]*}", value);
  }

  @Test
  void aTenantPassesWhereThePathNamesItself() {
    for (Route route : ROUTES) {
      boolean isOfTenants =
          route.access() == Access.EVERY_TENANT || route.access() == Access.TENANT_ITSELF;
      boolean isOfEntries = route.access() == Access.ENTRIES;
      boolean isForTenantAlone = route.access() == Access.TENANT_ALONE;
      assertThat(mayPass(KEEPER, route, "keeper"))
          .as(nameOf(route))
          .isEqualTo(isOfTenants || isOfEntries || isForTenantAlone);
      for (String other : List.of("keepers", "keepe", "KEEPER", "keeper;x", "{tenant}")) {
        assertThat(mayPass(KEEPER, route, other))
            .as("%s of %s", nameOf(route), other)
            .isEqualTo(route.access() == Access.EVERY_TENANT || isOfEntries);
      }
      assertThat(mayPass(Caller.OPERATOR, route, "keeper"))
          .isEqualTo(!isOfEntries && !isForTenantAlone);
    }
    assertThat(PERMISSIONS.mayPass(KEEPER, Method.HEAD, "/api/v1/me")).isFalse();
    assertThat(PERMISSIONS.mayPass(KEEPER, Method.GET, "/api/v1/me/")).isFalse();
    assertThat(PERMISSIONS.mayPass(KEEPER, Method.GET, "/api/v1/nothing")).isFalse();
    assertThat(PERMISSIONS.mayPass(Caller.OPERATOR, Method.GET, "/api/v1/nothing")).isTrue();
  }

  @Test
  void theKeyForMetricsOpensNothingElse() {
    for (Route route : ROUTES) {
      assertThat(mayPass(Caller.SCRAPER, route, "keeper"))
          .as(nameOf(route))
          .isEqualTo(route.path().equals("/metrics"));
    }
    assertThat(PERMISSIONS.mayPass(Caller.SCRAPER, Method.HEAD, "/metrics")).isTrue();
    assertThat(PERMISSIONS.mayPass(Caller.SCRAPER, Method.POST, "/metrics")).isFalse();
    assertThat(PERMISSIONS.mayPass(Caller.SCRAPER, Method.GET, "/metrics/")).isFalse();
  }

  private static boolean mayPass(Caller caller, Route route, String tenant) {
    String path = concrete(route, "none").replace("/tenants/none", "/tenants/" + tenant);
    return PERMISSIONS.mayPass(caller, route.method(), path);
  }

  @Test
  void allBelowEntriesIsAboutEntriesOfTheTenant() {
    String map = "/api/v1/tenants/keeper/maps/none";
    for (String path : List.of("/entries", "/entries/", "/entries/batch", "/entries/a/b/../c")) {
      assertThat(PERMISSIONS.ownerOfEntries(map + path)).as(path).isEqualTo("keeper");
      assertThat(PERMISSIONS.mayPass(Caller.OPERATOR, Method.PATCH, map + path)).isFalse();
      assertThat(PERMISSIONS.isPath(map + path)).isTrue();
    }
    for (String path : List.of("", "/entriesx", "/x/entries", "/locks")) {
      assertThat(PERMISSIONS.ownerOfEntries(map + path)).as(path).isNull();
    }
  }

  @Test
  void aRouteOfATenantNamesTheTenantFirst() {
    for (String path : List.of("/api/v1/me", "/api/v1/maps/{map}/of/{tenant}")) {
      for (Access access : List.of(Access.TENANT_ITSELF, Access.TENANT_ALONE, Access.ENTRIES)) {
        assertThatThrownBy(
                () -> new Route(Method.GET, path, access, "x", (request, response) -> {}))
            .hasMessageContaining(path);
      }
    }
  }
}
