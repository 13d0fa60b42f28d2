package io.keyvalueserve.tenancy;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue as one member knows it: what every door asks. Fed by {@link
 * CatalogueStore#subscribe}; of two records under a name the higher revision stays.
 *
 * <p>Thread-safe. Reads take no lock. The record under a tenant's name is the truth: what is found
 * by an access key only leads to it. A change costs the same however many tenants there are.
 */
public final class TenantDirectory implements Authenticator {
  /** The key id of sessions that a member with {@code --dev} lets in without a key. */
  private static final String DEV_KEY_ID = "dev";

  /**
   * Compared with when there is no hash, so that an unknown name or key takes as long as a known
   * one.
   */
  private static final String NO_HASH = "0".repeat(64);

  /** Compared with when there is no key, so that an unknown name takes as long as a known one. */
  private static final ScramVerifier NO_VERIFIER =
      new ScramVerifier(
          Base64.getEncoder().encodeToString(new byte[32]),
          Base64.getEncoder().encodeToString(new byte[32]));

  private static final byte[] NO_SIGNATURE = new byte[0];
  private static final ScramAnswer SCRAM_REFUSED =
      new ScramAnswer(Authentication.Refused.REFUSED, NO_SIGNATURE);

  private final boolean dev;
  private final CopyOnWriteArrayList<Consumer<Tenant>> listeners = new CopyOnWriteArrayList<>();
  private final ConcurrentHashMap<String, Tenant> byName = new ConcurrentHashMap<>();

  /** The names of tenants by the ids of their access keys. */
  private final ConcurrentHashMap<String, String> byKeyId = new ConcurrentHashMap<>();

  /** The tenants that were not deleted, in the order of their names. */
  private final ConcurrentSkipListMap<String, Tenant> present = new ConcurrentSkipListMap<>();

  private final AtomicInteger count = new AtomicInteger();
  private volatile boolean loaded;

  /**
   * @param dev whether clients without credentials are let in as the tenant {@code dev}
   */
  public TenantDirectory(boolean dev) {
    this.dev = dev;
  }

  /** Takes in a record; one that is not newer than what is known changes nothing. */
  public void apply(Tenant tenant) {
    synchronized (this) {
      String name = tenant.name().value();
      Tenant known = byName.get(name);
      if (known != null && known.revision() >= tenant.revision()) {
        return;
      }
      byName.put(name, tenant); // from now on a key that was revoked finds no match
      tenant.keys().forEach(key -> byKeyId.put(key.id(), name));
      if (known != null) {
        known.keys().stream()
            .filter(key -> keyOf(tenant, key.id()) == null)
            .forEach(key -> byKeyId.remove(key.id(), name));
      }
      list(tenant);
    }
    tellListeners(tenant);
  }

  private void list(Tenant tenant) {
    Tenant before =
        tenant.state() == TenantState.DELETED
            ? present.remove(tenant.name().value())
            : present.put(tenant.name().value(), tenant);
    count.addAndGet((tenant.state() == TenantState.DELETED ? 0 : 1) - (before == null ? 0 : 1));
  }

  /**
   * Returns tenants that were not deleted, by name. Costs what is returned.
   *
   * @param prefix what their names begin with; empty for all
   * @param after the text that their names come after; empty to begin with the first
   * @param most how many at most: 1 or more
   */
  public List<Tenant> page(String prefix, String after, int most) {
    boolean isWithin = after.compareTo(prefix) >= 0;
    List<Tenant> page = new ArrayList<>();
    for (Tenant tenant : present.tailMap(isWithin ? after : prefix, !isWithin).values()) {
      if (page.size() == most || !tenant.name().value().startsWith(prefix)) {
        break;
      }
      page.add(tenant);
    }
    return page;
  }

  /** Returns how many tenants there are that were not deleted. */
  public int count() {
    return count.get();
  }

  /** Returns the tenants that are in a state now. Goes through all. */
  public List<Tenant> in(TenantState state) {
    return present.values().stream().filter(tenant -> tenant.state() == state).toList();
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

  /**
   * Adds a listener, which is told of every record that is taken in, on the thread that brought it.
   */
  public void onChange(Consumer<Tenant> listener) {
    listeners.add(listener);
  }

  /** The record under a name, tombstones included. */
  public Optional<Tenant> find(TenantName name) {
    return Optional.ofNullable(byName.get(name.value()));
  }

  /** Returns whether an identity may keep its sessions. Never blocks. */
  public boolean isValid(Identity identity) {
    Tenant tenant = byName.get(identity.tenant().value());
    return tenant != null
        && tenant.state() == TenantState.ACTIVE
        && tenant.number() == identity.number()
        && (identity.keyId().equals(DEV_KEY_ID) ? dev : keyOf(tenant, identity.keyId()) != null);
  }

  @Override
  public Authentication authenticate(String tenant, byte[] accessKey) {
    return authenticate(byName.get(tenant), accessKey);
  }

  @Override
  public Authentication authenticateToken(byte[] accessKey) {
    Tenant tenant =
        AccessKeyText.parse(accessKey)
            .map(shown -> byKeyId.get(shown.id()))
            .map(byName::get)
            .orElse(null);
    return authenticate(tenant, accessKey);
  }

  @Override
  public Authentication authenticateAnonymous() {
    if (!loaded) {
      return Authentication.Refused.NOT_READY;
    }
    Tenant tenant = dev ? byName.get(Catalogue.DEV.value()) : null;
    return tenant != null && tenant.state() == TenantState.ACTIVE
        ? new Authentication.Accepted(new Identity(tenant.name(), tenant.number(), DEV_KEY_ID))
        : Authentication.Refused.REFUSED;
  }

  @Override
  public boolean usesScram(String tenant) {
    Tenant known = byName.get(tenant);
    return known == null || known.keys().stream().allMatch(key -> key.scram() != null);
  }

  @Override
  public ScramAnswer authenticateScram(String tenant, byte[] signed, byte[] proof) {
    if (!loaded) {
      return new ScramAnswer(Authentication.Refused.NOT_READY, NO_SIGNATURE);
    }
    Tenant known = byName.get(tenant);
    if (known == null || known.keys().isEmpty()) {
      byte[] _ = Scram.check(NO_VERIFIER, signed, proof);
      return SCRAM_REFUSED;
    }
    ScramAnswer answer = SCRAM_REFUSED;
    for (AccessKey key : known.keys()) {
      ScramVerifier verifier = key.scram();
      byte[] signature = verifier == null ? null : Scram.check(verifier, signed, proof);
      if (signature != null && known.state() == TenantState.ACTIVE) {
        Identity identity = new Identity(known.name(), known.number(), key.id());
        answer = new ScramAnswer(new Authentication.Accepted(identity), signature);
      }
    }
    return answer;
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
