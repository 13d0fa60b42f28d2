package io.keyvalueserve.grid.hibernation;

import io.keyvalueserve.grid.catalogue.Hibernation.Image;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;

/** Is told of tenants that leave memory and come back, on the member that does it. May block. */
public interface HibernationListener {
  /** Returns whether a tenant exists, and is not being deleted, as far as this member knows. */
  boolean isThere(TenantName tenant);

  /** A tenant has left memory, because nobody used it. */
  void slept(TenantName tenant, Image image);

  /**
   * A tenant is in memory again.
   *
   * @param image where it was
   * @param sinceMillis when it left memory, in milliseconds since 1970
   * @param first the time from the first request until what it needs was there
   * @param whole the time until everything was there
   */
  void woke(
      TenantName tenant,
      Image image,
      long sinceMillis,
      long entries,
      Duration first,
      Duration whole);

  /** A tenant could not come back. Told again only for another reason. */
  void failed(TenantName tenant, String why);
}
