package io.keyvalueserve.grid.catalogue;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The key of one tenant's snapshots, as it lies in the catalogue.
 *
 * @param tenant the tenant's name
 * @param revision greater with each change
 * @param id the key's id, which stands in the names of the objects that are sealed with it
 * @param sealed the key's bytes in base64, as {@link SecretSeal} makes it; null if the key was
 *     destroyed
 */
public record TenantKeyRecord(String tenant, long revision, UUID id, @Nullable String sealed) {
  /** Returns the record that follows this one when the key is destroyed. */
  public TenantKeyRecord destroyed() {
    return new TenantKeyRecord(tenant, revision + 1, id, null);
  }

  /** Shows the record without the key. */
  @Override
  public String toString() {
    return "TenantKeyRecord[tenant="
        + tenant
        + ", revision="
        + revision
        + ", id="
        + id
        + ", isDestroyed="
        + (sealed == null)
        + "]";
  }
}
