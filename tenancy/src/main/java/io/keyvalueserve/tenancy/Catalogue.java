package io.keyvalueserve.tenancy;

import io.keyvalueserve.tenancy.CatalogueException.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The administration of tenants and access keys. Every change reads a record, makes the next
 * revision of it and puts it in the other's place if nobody was faster, else begins anew; so two
 * administrators on two members cannot undo each other's work.
 *
 * <p>Thread-safe; blocks as its {@link CatalogueStore} does.
 */
public final class Catalogue {
  /** The tenant of a member that runs with {@code --dev}; needs no access key. */
  public static final TenantName DEV = new TenantName("dev");

  private static final String SYSTEM = "kvs";
  private static final int MOST_LABEL_CHARACTERS = 100;

  private final CatalogueStore store;
  private final Clock clock;

  public Catalogue(CatalogueStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * A tenant and the access key that was made with it.
   *
   * @param accessKey the key itself: shown now and never again
   */
  public record NewTenant(Tenant tenant, String keyId, String accessKey) {}

  /**
   * An access key.
   *
   * @param accessKey the key itself: shown now and never again
   */
  public record NewKey(AccessKey key, String accessKey) {}

  /**
   * Creates a tenant with one access key.
   *
   * @throws CatalogueException {@code TENANT_EXISTS}, {@code RESERVED_NAME}, or {@code WRONG_STATE}
   *     while an earlier tenant of the name is being deleted
   */
  public NewTenant create(TenantName name) {
    if (name.equals(DEV) || name.value().equals(SYSTEM) || name.value().startsWith(SYSTEM + "-")) {
      throw new CatalogueException(
          Kind.RESERVED_NAME, "tenant name '" + name + "' is reserved; choose another");
    }
    NewKey key = mint(name, "");
    Tenant tenant = insert(name, List.of(key.key()));
    return new NewTenant(tenant, key.key().id(), key.accessKey());
  }

  /** Makes sure of the tenant {@link #DEV}. */
  public Tenant createDev() {
    Optional<Tenant> found = store.get(DEV).filter(tenant -> tenant.state() == TenantState.ACTIVE);
    return found.orElseGet(() -> insert(DEV, List.of()));
  }

  /**
   * A tenant's record.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   */
  public Tenant get(TenantName name) {
    return store
        .get(name)
        .filter(tenant -> tenant.state() != TenantState.DELETED)
        .orElseThrow(
            () ->
                new CatalogueException(
                    Kind.NO_SUCH_TENANT,
                    "tenant '" + name + "' does not exist; 'kvs tenant list' shows those that do"));
  }

  /** All tenants by name, without those that were deleted. */
  public List<Tenant> list() {
    return store.all().stream()
        .filter(tenant -> tenant.state() != TenantState.DELETED)
        .sorted(Comparator.comparing(Tenant::name))
        .toList();
  }

  /**
   * Shuts a tenant out until it is resumed; its data stays. Suspending it twice does nothing more.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code WRONG_STATE}
   */
  public Tenant suspend(TenantName name) {
    return changeState(name, TenantState.SUSPENDED);
  }

  /**
   * Lets a suspended tenant in again.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code WRONG_STATE}
   */
  public Tenant resume(TenantName name) {
    return changeState(name, TenantState.ACTIVE);
  }

  /**
   * Shuts a tenant out for good. Its data is to be removed next, then {@link #finishDelete} called.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}
   */
  public Tenant beginDelete(TenantName name) {
    return change(name, tenant -> next(tenant, TenantState.DELETING, tenant.keys()));
  }

  /**
   * Leaves a tombstone in the place of a tenant whose data is gone.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code WRONG_STATE} if its deletion was not
   *     begun
   */
  public void finishDelete(TenantName name) {
    change(
        name,
        tenant -> {
          if (tenant.state() != TenantState.DELETING) {
            throw wrongState(tenant);
          }
          return next(tenant, TenantState.DELETED, List.of());
        });
  }

  /**
   * Makes another access key for a tenant.
   *
   * @param label what its owner calls it, up to 100 characters; may be empty
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code WRONG_STATE}
   * @throws InvalidNameException if the label is too long
   */
  public NewKey createKey(TenantName name, String label) {
    if (label.length() > MOST_LABEL_CHARACTERS) {
      throw new InvalidNameException(
          "label", label, "use up to " + MOST_LABEL_CHARACTERS + " characters");
    }
    NewKey key = mint(name, label);
    change(
        name,
        tenant -> {
          requireNotDeleting(tenant);
          List<AccessKey> keys = new ArrayList<>(tenant.keys());
          keys.add(key.key());
          return next(tenant, tenant.state(), keys);
        });
    return key;
  }

  /**
   * Takes an access key back: sessions that it opened end.
   *
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code NO_SUCH_KEY}, {@code WRONG_STATE}
   */
  public void revokeKey(TenantName name, String keyId) {
    change(
        name,
        tenant -> {
          requireNotDeleting(tenant);
          List<AccessKey> keys =
              tenant.keys().stream().filter(key -> !key.id().equals(keyId)).toList();
          if (keys.size() == tenant.keys().size()) {
            throw new CatalogueException(
                Kind.NO_SUCH_KEY,
                "tenant '"
                    + name
                    + "' has no access key '"
                    + keyId
                    + "'; 'kvs key list "
                    + name
                    + "' shows those it has");
          }
          return next(tenant, tenant.state(), keys);
        });
  }

  /**
   * Changes how much a tenant may use.
   *
   * @param change makes the new quota of the one that holds; may be called more than once
   * @throws CatalogueException {@code NO_SUCH_TENANT}, {@code WRONG_STATE}
   * @throws InvalidQuotaException if a number is out of its range
   */
  public Tenant changeQuota(TenantName name, UnaryOperator<Quota> change) {
    return change(
        name,
        tenant -> {
          requireNotDeleting(tenant);
          Quota quota = change.apply(tenant.quota());
          return quota.equals(tenant.quota())
              ? tenant
              : next(tenant, tenant.state(), tenant.keys(), quota);
        });
  }

  private Tenant insert(TenantName name, List<AccessKey> keys) {
    int number = store.nextTenantNumber();
    while (true) {
      Tenant before = store.get(name).orElse(null);
      if (before != null && before.state() == TenantState.DELETING) {
        throw wrongState(before);
      }
      if (before != null && before.state() != TenantState.DELETED) {
        throw new CatalogueException(
            Kind.TENANT_EXISTS,
            "tenant '" + name + "' exists already; choose another name or delete it first");
      }
      long revision = before == null ? 1 : before.revision() + 1;
      Tenant tenant =
          new Tenant(
              name,
              number,
              TenantState.ACTIVE,
              clock.instant().truncatedTo(ChronoUnit.MILLIS),
              keys,
              Quota.USUAL,
              revision);
      if (store.replace(before, tenant)) {
        return tenant;
      }
    }
  }

  private Tenant changeState(TenantName name, TenantState state) {
    return change(
        name,
        tenant -> {
          requireNotDeleting(tenant);
          return tenant.state() == state ? tenant : next(tenant, state, tenant.keys());
        });
  }

  private Tenant change(TenantName name, UnaryOperator<Tenant> change) {
    while (true) {
      Tenant before = get(name);
      Tenant after = change.apply(before);
      if (after.equals(before) || store.replace(before, after)) {
        return after;
      }
    }
  }

  private NewKey mint(TenantName tenant, String label) {
    String text = AccessKeyText.mint();
    AccessKeyText parsed =
        AccessKeyText.parse(text.getBytes(StandardCharsets.US_ASCII)).orElseThrow();
    AccessKey key =
        new AccessKey(
            parsed.id(),
            parsed.secretHash(),
            clock.instant().truncatedTo(ChronoUnit.MILLIS),
            label,
            Scram.verifier(tenant, text));
    return new NewKey(key, text);
  }

  private static Tenant next(Tenant tenant, TenantState state, List<AccessKey> keys) {
    return next(tenant, state, keys, tenant.quota());
  }

  private static Tenant next(Tenant tenant, TenantState state, List<AccessKey> keys, Quota quota) {
    return new Tenant(
        tenant.name(),
        tenant.number(),
        state,
        tenant.createdAt(),
        keys,
        quota,
        tenant.revision() + 1);
  }

  private static void requireNotDeleting(Tenant tenant) {
    if (tenant.state() == TenantState.DELETING) {
      throw wrongState(tenant);
    }
  }

  private static CatalogueException wrongState(Tenant tenant) {
    return new CatalogueException(
        Kind.WRONG_STATE,
        tenant.state() == TenantState.DELETING
            ? "tenant '" + tenant.name() + "' is being deleted; wait until it is gone"
            : "tenant '" + tenant.name() + "' is not being deleted; delete it first");
  }
}
