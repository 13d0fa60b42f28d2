package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.snapshots.TenantKey;
import io.keyvalueserve.tenancy.TenantName;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/**
 * The keys of tenants' snapshots in a system map of the grid, each under its tenant's name. A key
 * is made when it is first needed, and destroyed when its tenant is deleted: then nothing that was
 * sealed with it can be read again. Thread-safe; blocks.
 */
public final class GridTenantKeys extends RecordMap<String, TenantKeyRecord> {
  private static final String KEYS = "__kvs.tenant-keys";

  private final SecretSeal seal;

  /**
   * @param seal for {@link SecretSeal.Purpose#TENANT_KEY}
   */
  public GridTenantKeys(HazelcastInstance instance, NodeEngine nodeEngine, SecretSeal seal) {
    super(KEYS, instance, nodeEngine);
    this.seal = seal;
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    configure(config, KEYS, RecordMergePolicy.TenantKeys.class);
  }

  /**
   * Returns the key of a tenant; empty if it has none.
   *
   * @throws SecretSeal.SealException if it was sealed with another cluster secret
   */
  public Optional<TenantKey> find(TenantName tenant) {
    return get(tenant.value()).filter(record -> record.sealed() != null).map(this::open);
  }

  /** Returns the key of a tenant, which is made if it has none. */
  public TenantKey findOrCreate(TenantName tenant) {
    while (true) {
      Optional<TenantKeyRecord> before = get(tenant.value());
      if (before.isPresent() && before.get().sealed() != null) {
        return open(before.get());
      }
      TenantKey made = TenantKey.create();
      TenantKeyRecord next =
          new TenantKeyRecord(
              tenant.value(),
              before.map(TenantKeyRecord::revision).orElse(0L) + 1,
              made.id(),
              seal.seal(tenant.value(), Base64.getEncoder().encodeToString(made.bytes())));
      if (replace(before.orElse(null), next)) {
        return made;
      }
    }
  }

  /**
   * Destroys the key of a tenant, if it has one.
   *
   * @return the id of the key that was destroyed; empty if there was none
   */
  public Optional<UUID> destroy(TenantName tenant) {
    Optional<TenantKeyRecord> before = get(tenant.value());
    while (before.isPresent() && before.get().sealed() != null) {
      if (replace(before.get(), before.get().destroyed())) {
        return Optional.of(before.get().id());
      }
      before = get(tenant.value());
    }
    return Optional.empty();
  }

  private TenantKey open(TenantKeyRecord record) {
    byte[] bytes =
        Base64.getDecoder().decode(seal.open(record.tenant(), String.valueOf(record.sealed())));
    return TenantKey.ofBytes(record.id(), bytes);
  }

  @Override
  String encode(TenantKeyRecord record) {
    return TenantKeyCodec.encode(record);
  }

  @Override
  TenantKeyRecord decode(String text) {
    return TenantKeyCodec.decode(text);
  }

  @Override
  String nameOf(TenantKeyRecord record) {
    return record.tenant();
  }

  @Override
  long revisionOf(TenantKeyRecord record) {
    return record.revision();
  }
}
