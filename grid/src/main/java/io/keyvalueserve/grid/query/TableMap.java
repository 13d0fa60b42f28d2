package io.keyvalueserve.grid.query;

import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.InvalidNameException;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.MapAccess;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The map of a table, and what its user may do with it. Statements need a right on the whole map:
 * grants on some keys do not open it to SQL.
 *
 * @param access null for the tenant's own map
 */
record TableMap(QualifiedName name, @Nullable MapAccess access) {
  /**
   * Finds a map by the name that a tenant has for it.
   *
   * @return empty if the name is none, or is another tenant's of which nothing is granted
   */
  static Optional<TableMap> find(String said, Identity identity, GrantDirectory grants) {
    if (said.indexOf('/') >= 0) {
      return QualifiedName.parse(said)
          .flatMap(
              name ->
                  name.tenant().equals(identity.tenant())
                      ? Optional.of(new TableMap(name, null))
                      : Optional.ofNullable(grants.access(identity, name))
                          .map(access -> new TableMap(name, access)));
    }
    try {
      QualifiedName name = new QualifiedName(identity.tenant(), new MapName(said));
      return Optional.of(new TableMap(name, null));
    } catch (InvalidNameException e) {
      return Optional.empty();
    }
  }

  /** Returns the name in the grid. */
  String gridName() {
    return name.toString();
  }

  /**
   * @throws QueryException if the user may not do something to every entry
   */
  void require(Rights needed) {
    if (access != null && !access.allowsAll(needed)) {
      throw new QueryException(QueryException.Kind.REFUSED, access.refusal(needed));
    }
  }
}
