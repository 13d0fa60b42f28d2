package io.keyvalueserve.hazelcast;

import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import java.time.InstantSource;

/** A tenant to whom nobody has granted anything. */
final class NoGrants {
  private NoGrants() {}

  static GrantedMaps of(String tenant) {
    return new GrantedMaps(new Identity(new TenantName(tenant), 1, "k"), directory());
  }

  static GrantDirectory directory() {
    return new GrantDirectory(new TenantDirectory(false), InstantSource.system());
  }
}
