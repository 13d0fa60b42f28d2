package io.keyvalueserve.engine;

import io.keyvalueserve.tenancy.Identity;

/** A key-value engine that serves many tenants. Thread-safe. */
public interface Engine {
  /**
   * The key space of one tenant. Cheap; a session asks once and keeps it.
   *
   * @param identity from an authenticator; the space reaches what this identity may reach and no
   *     more
   */
  TenantSpace space(Identity identity);
}
