package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.maps.ChangeJournal;
import io.keyvalueserve.tenancy.CatalogueCodec;
import io.keyvalueserve.tenancy.CatalogueStore;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;

/** The catalogue in a system map of the grid, each tenant's record under its name. */
public final class GridCatalogueStore extends RecordMap<TenantName, Tenant>
    implements CatalogueStore {
  private static final String TENANTS = "__kvs.tenants";
  private static final String NUMBER = "next-tenant-number";

  private final GridSettings settings;
  private final ChangeJournal changes;

  /** The catalogue as this member reaches it. */
  public GridCatalogueStore(
      HazelcastInstance instance, NodeEngine nodeEngine, GridSettings settings) {
    super(TENANTS, instance, nodeEngine);
    this.settings = settings;
    this.changes = KvsMapService.mapsOf(nodeEngine).changes();
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    configure(config, TENANTS, RecordMergePolicy.Tenants.class);
    RecordMergePolicy.register(config);
    CatalogueNotice.register(config);
    GridSettings.configure(config, BACKUPS);
  }

  @Override
  public int nextTenantNumber() {
    int side = changes.side();
    return side < 0
        ? settings.increment(NUMBER)
        : settings.increment(NUMBER, side, ChangeJournal.MOST_SIDES);
  }

  @Override
  String encode(Tenant tenant) {
    return CatalogueCodec.encode(tenant);
  }

  @Override
  Tenant decode(String text) {
    return CatalogueCodec.decode(text);
  }

  @Override
  TenantName nameOf(Tenant tenant) {
    return tenant.name();
  }

  @Override
  long revisionOf(Tenant tenant) {
    return tenant.revision();
  }
}
