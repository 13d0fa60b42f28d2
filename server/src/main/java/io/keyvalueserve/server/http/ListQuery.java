package io.keyvalueserve.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.common.uri.UriQuery;
import io.keyvalueserve.tenancy.TenantName;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The part of a list of tenants that a request asks for.
 *
 * @param prefix what their names begin with; empty for all
 * @param cursor the text that their names come after; empty for the first
 * @param limit how many at most: 1 to {@link #MOST}
 */
record ListQuery(String prefix, String cursor, int limit) {
  static final int MOST = 1_000;
  static final int USUAL = 100;
  private static final String PREFIX = "prefix";
  private static final String CURSOR = "cursor";
  private static final String LIMIT = "limit";
  private static final String NAME = "[a-z0-9-]{1,63}";

  /**
   * Reads it from the parameters of a request.
   *
   * @throws Errors.BadRequest if one is wrong, or unknown
   */
  static ListQuery of(UriQuery query) {
    Parameters.requireKnown(query, Set.of(PREFIX, CURSOR, LIMIT));
    String prefix = Parameters.text(query, PREFIX);
    String cursor = Parameters.text(query, CURSOR);
    if (prefix != null && !prefix.matches(NAME)) {
      throw new HttpErrors.BadRequest(
          PREFIX,
          "'prefix' is the beginning of a tenant's name: small letters, digits and hyphens");
    }
    if (cursor != null && !cursor.matches(NAME)) {
      throw new HttpErrors.BadRequest(
          CURSOR, "'cursor' is what the page before has said; leave it out to begin");
    }
    return new ListQuery(
        prefix == null ? "" : prefix, cursor == null ? "" : cursor, limit(query, MOST));
  }

  /**
   * Reads the parameter {@code limit}.
   *
   * @throws Errors.BadRequest if it is no number from 1 to {@code most}
   */
  static int limit(UriQuery query, int most) {
    String text = Parameters.text(query, LIMIT);
    if (text == null) {
      return USUAL;
    }
    int limit = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    if (limit < 1 || limit > most) {
      throw new HttpErrors.BadRequest(LIMIT, "'limit' is a number from 1 to " + most);
    }
    return limit;
  }

  /** One more than is shown: then it is known whether there are more. */
  int asked() {
    return limit + 1;
  }

  /**
   * Cuts what was found to the limit, and tells in the answer where the next page begins.
   *
   * @param total how many tenants there are
   */
  <T> List<T> page(List<T> found, Function<T, TenantName> name, int total, ObjectNode body) {
    List<T> page = found.subList(0, Math.min(limit, found.size()));
    if (found.size() > limit) {
      body.put(CURSOR, name.apply(page.getLast()).value());
    }
    body.put("total", total);
    return page;
  }
}
