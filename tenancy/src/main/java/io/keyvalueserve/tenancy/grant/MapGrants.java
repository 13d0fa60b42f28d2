package io.keyvalueserve.tenancy.grant;

import io.keyvalueserve.tenancy.QualifiedName;
import java.util.List;

/**
 * All grants on a map. Immutable: each change makes a record of the next revision.
 *
 * @param map whose map it is, and which
 * @param ownerNumber the owner's number: a later tenant of the same name has granted nothing
 * @param grants at most one for each grantee and scope, oldest first; some may have expired
 * @param revision 1 for the first record of the map, one more with each change, for all time
 */
public record MapGrants(QualifiedName map, int ownerNumber, List<Grant> grants, long revision) {
  public MapGrants {
    grants = List.copyOf(grants);
  }
}
