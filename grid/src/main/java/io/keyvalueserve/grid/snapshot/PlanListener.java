package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.tenancy.TenantName;

/** Is told what is done by the plans of tenants, on the member that does it. May block. */
public interface PlanListener {
  /** The listener that does nothing. */
  PlanListener NONE =
      new PlanListener() {
        @Override
        public void created(TenantName tenant, Manifest snapshot, String repository) {}

        @Override
        public void deleted(TenantName tenant, String snapshot, String repository) {}

        @Override
        public void failed(TenantName tenant, String why) {}
      };

  /** A snapshot was taken. */
  void created(TenantName tenant, Manifest snapshot, String repository);

  /** A snapshot was deleted, as it was too old. */
  void deleted(TenantName tenant, String snapshot, String repository);

  /** A snapshot that was due was not taken. Told again only for another reason. */
  void failed(TenantName tenant, String why);
}
