package io.keyvalueserve.server.http;

import io.helidon.http.Method;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The permissions of callers: the table in {@code docs/http.md}. A route that no rule opens to
 * tenants is for operators alone. Entries are for tenants alone; their grants decide the rest.
 */
final class Permissions {
  private static final String METRICS = "/metrics";
  private static final String TENANT = "/api/v1/tenants/([^/]+)";
  private static final Method[] READ = {Method.GET};

  private static final Pattern ENTRIES = Pattern.compile(TENANT + "/maps/[^/]+/entries(/.*)?");

  /** The routes that every tenant may use. The answer is about the tenant alone. */
  private static final List<Rule> OF_ALL =
      List.of(new Rule("/api/v1/(me|endpoints|top|audit)", READ));

  /** The routes that a tenant may use for itself. The first group of the path is its name. */
  private static final List<Rule> OF_ITSELF =
      List.of(
          new Rule(
              TENANT
                  + "(/(quota|spend-cap|live|usage|bill|bill/verify|ledger|grants|clients|maps|maps/[^/]+))?",
              READ),
          new Rule(TENANT + "/reservations", READ),
          new Rule(TENANT + "/cost", Method.POST),
          new Rule(TENANT + "/keys", Method.GET, Method.POST),
          new Rule(TENANT + "/keys/[^/]+", Method.DELETE),
          new Rule(TENANT + "/maps/[^/]+/locks", Method.GET, Method.DELETE),
          new Rule(TENANT + "/maps/[^/]+/grants", Method.GET, Method.POST),
          new Rule(TENANT + "/maps/[^/]+/grants/[^/]+", Method.DELETE));

  private Permissions() {}

  private record Rule(Pattern path, Set<Method> methods) {
    Rule(String path, Method... methods) {
      this(Pattern.compile(path), Set.of(methods));
    }
  }

  /**
   * The tenant whose entries a path is about, as the path has it; null if it is about none.
   *
   * @param path decoded, as routes are matched with it
   */
  static @Nullable String ownerOfEntries(String path) {
    Matcher matcher = ENTRIES.matcher(path);
    return matcher.matches() ? matcher.group(1) : null;
  }

  /**
   * Returns whether a caller may send this request.
   *
   * @param path decoded, as routes are matched with it
   */
  static boolean mayPass(Caller caller, Method method, String path) {
    if (caller.isScraper()) {
      return path.equals(METRICS) && (method.equals(Method.GET) || method.equals(Method.HEAD));
    }
    if (ownerOfEntries(path) != null) {
      return caller.tenant() != null;
    }
    return caller.tenant() == null
        || opens(OF_ALL, method, path, null)
        || opens(OF_ITSELF, method, path, caller.tenant().tenant().value());
  }

  private static boolean opens(
      List<Rule> rules, Method method, String path, @Nullable String tenant) {
    for (Rule rule : rules) {
      Matcher matcher = rule.path().matcher(path);
      if (rule.methods().contains(method) && matcher.matches()) {
        return tenant == null || tenant.equals(matcher.group(1));
      }
    }
    return false;
  }
}
