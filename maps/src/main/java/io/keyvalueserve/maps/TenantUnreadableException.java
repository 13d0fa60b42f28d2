package io.keyvalueserve.maps;

import com.hazelcast.core.HazelcastException;

/** Tells a client that its tenant's data is not in memory, and cannot be read at present. */
public final class TenantUnreadableException extends HazelcastException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public TenantUnreadableException() {
    super(
        "the tenant's data is hibernated and cannot be read at present; nothing was changed; try"
            + " again later");
  }
}
