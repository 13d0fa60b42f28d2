package io.keyvalueserve.tenancy.grant;

import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.CatalogueException.Kind;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.List;

/**
 * Grants on channels. They are kept as those on maps are, in a store of their own: one record for
 * each tenant that has granted any.
 */
public final class ChannelGrants {
  /** The record's name within its tenant. It is no map: maps are in another store. */
  private static final MapName CHANNELS = new MapName("channels");

  /** The beginnings of channels that tell about keys: granted by name, and never by the way. */
  private static final List<String> NOTIFICATIONS = List.of("__keyspace@", "__keyevent@");

  private ChannelGrants() {}

  /** Returns the name of the record of a tenant's grants on its channels. */
  public static QualifiedName of(TenantName owner) {
    return new QualifiedName(owner, CHANNELS);
  }

  /**
   * Refuses a grant that is none on channels.
   *
   * @throws CatalogueException {@code WRONG_GRANT}
   */
  static void check(Scope scope, Rights rights) {
    if (scope.kind() != Scope.Kind.CHANNELS || !Rights.OF_CHANNELS.cover(rights)) {
      throw new CatalogueException(
          Kind.WRONG_GRANT, "a grant on channels is of subscribe, publish or both");
    }
    for (String beginning : NOTIFICATIONS) {
      if (beginning.startsWith(scope.text()) && !beginning.equals(scope.text())) {
        throw new CatalogueException(
            Kind.WRONG_GRANT,
            "channels beginning with '"
                + scope.text()
                + "' include those that tell about keys: use a longer text, such as '"
                + beginning
                + "0__:'");
      }
    }
  }
}
