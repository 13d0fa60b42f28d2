package io.keyvalueserve.tenancy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue as one member knows it: what every door asks. Fed by {@link
 * CatalogueStore#subscribe}; of two records under a name the higher revision stays.
 *
 * <p>Reads take no lock: they see one immutable snapshot. Changes are rare and copy it.
 */
public final class TenantDirectory implements Authenticator {
  /** The key id of sessions that a member with {@code --dev} lets in without a key. */
  private static final String DEV_KEY_ID = "dev";

  /**
   * Compared with when there is no hash, so that an unknown name or key takes as long as a known
   * one.
   */
  private static final String NO_HASH = "0".repeat(64);

  private final boolean dev;
  private final CopyOnWriteArrayList<Consumer<Tenant>> listeners = new CopyOnWriteArrayList<>();
  private volatile Snapshot snapshot = new Snapshot(Map.of(), Map.of());
  private volatile boolean loaded;

  /**
   * @param dev whether clients without credentials are let in as the tenant {@code dev}
   */
  public TenantDirectory(boolean dev) {
    this.dev = dev;
  }

  private record Snapshot(Map<String, Tenant> byName, Map<String, Tenant> byKeyId) {}

  /** Takes in a record; one that is not newer than what is known changes nothing. */
  public void apply(Tenant tenant) {
    synchronized (this) {
      Tenant known = snapshot.byName().get(tenant.name().value());
      if (known != null && known.revision() >= tenant.revision()) {
        return;
      }
      Map<String, Tenant> byName = new HashMap<>(snapshot.byName());
      Map<String, Tenant> byKeyId = new HashMap<>(snapshot.byKeyId());
      if (known != null) {
        known.keys().forEach(key -> byKeyId.remove(key.id()));
      }
      byName.put(tenant.name().value(), tenant);
      tenant.keys().forEach(key -> byKeyId.put(key.id(), tenant));
      snapshot = new Snapshot(byName, byKeyId);
    }
    tellListeners(tenant);
  }

  /** All of them, whatever one of them does. */
  private void tellListeners(Tenant tenant) {
    RuntimeException failure = null;
    for (Consumer<Tenant> listener : listeners) {
      try {
        listener.accept(tenant);
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Says that all records there are have been applied. Before that, nobody is let in. */
  public void markLoaded() {
    loaded = true;
  }

  /** Is told of every record that is taken in, on the thread that brought it. */
  public void onChange(Consumer<Tenant> listener) {
    listeners.add(listener);
  }

  /** The record under a name, tombstones included. */
  public Optional<Tenant> find(TenantName name) {
    return Optional.ofNullable(snapshot.byName().get(name.value()));
  }

  /** Whether an identity may keep its sessions. Never blocks. */
  public boolean isValid(Identity identity) {
    Tenant tenant = snapshot.byName().get(identity.tenant().value());
    return tenant != null
        && tenant.state() == TenantState.ACTIVE
        && tenant.number() == identity.number()
        && (identity.keyId().equals(DEV_KEY_ID) ? dev : keyOf(tenant, identity.keyId()) != null);
  }

  @Override
  public Authentication authenticate(String tenant, byte[] accessKey) {
    return authenticate(snapshot.byName().get(tenant), accessKey);
  }

  @Override
  public Authentication authenticateToken(byte[] accessKey) {
    Tenant tenant =
        AccessKeyText.parse(accessKey)
            .map(shown -> snapshot.byKeyId().get(shown.id()))
            .orElse(null);
    return authenticate(tenant, accessKey);
  }

  @Override
  public Authentication authenticateAnonymous() {
    if (!loaded) {
      return Authentication.Refused.NOT_READY;
    }
    Tenant tenant = dev ? snapshot.byName().get(Catalogue.DEV.value()) : null;
    return tenant != null && tenant.state() == TenantState.ACTIVE
        ? new Authentication.Accepted(new Identity(tenant.name(), tenant.number(), DEV_KEY_ID))
        : Authentication.Refused.REFUSED;
  }

  private Authentication authenticate(@Nullable Tenant tenant, byte[] accessKey) {
    if (!loaded) {
      return Authentication.Refused.NOT_READY;
    }
    AccessKeyText shown =
        AccessKeyText.parse(accessKey)
            .orElseGet(() -> new AccessKeyText("", Secrets.hash(accessKey)));
    AccessKey key = tenant == null ? null : keyOf(tenant, shown.id());
    boolean matches = Secrets.equal(shown.secretHash(), key == null ? NO_HASH : key.secretHash());
    return matches && tenant != null && key != null && tenant.state() == TenantState.ACTIVE
        ? new Authentication.Accepted(new Identity(tenant.name(), tenant.number(), key.id()))
        : Authentication.Refused.REFUSED;
  }

  private static @Nullable AccessKey keyOf(Tenant tenant, String id) {
    for (AccessKey key : tenant.keys()) {
      if (key.id().equals(id)) {
        return key;
      }
    }
    return null;
  }
}
