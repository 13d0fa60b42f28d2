package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.tenancy.TenantName;

/** Is told what is done by the plans of tenants, on the member that does it. May block. */
public interface PlanListener {
  /** A snapshot was taken. */
  void created(TenantName tenant, Manifest snapshot, String repository);

  /** A snapshot was deleted, as it was too old. */
  void deleted(TenantName tenant, String snapshot, String repository);

  /** A snapshot that was due was not taken. Told again only for another reason. */
  void failed(TenantName tenant, String why);
}
