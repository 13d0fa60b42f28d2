package io.keyvalueserve.tenancy;

import java.util.concurrent.atomic.AtomicInteger;

/** A catalogue's store over a plain map. */
public final class MapCatalogueStore extends MapStore<TenantName, Tenant>
    implements CatalogueStore {
  private final AtomicInteger numbers = new AtomicInteger();

  public MapCatalogueStore() {
    super(Tenant::name);
  }

  @Override
  public int nextTenantNumber() {
    return numbers.incrementAndGet();
  }
}
