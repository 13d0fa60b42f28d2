package io.keyvalueserve.billing.spending;

import io.keyvalueserve.tenancy.TenantName;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The administration of spend caps. Every change makes the next revision of a record and puts it in
 * the other's place if nobody was faster, else begins anew. So of all members that find the same
 * part of a cap spent one alone may warn.
 *
 * <p>Thread-safe; blocks as its {@link CapStore} does.
 */
public final class SpendCaps {
  private final CapStore store;

  /** Creates the spend caps of a store. */
  public SpendCaps(CapStore store) {
    this.store = store;
  }

  /** A tenant's cap; empty if it has none. */
  public Optional<TenantCap> get(TenantName tenant, int tenantNumber) {
    return store
        .get(tenant)
        .filter(cap -> cap.tenantNumber() == tenantNumber && cap.limit() != null);
  }

  /** All caps, in no order, those of tenants that were deleted included. */
  public List<TenantCap> all() {
    return store.all().stream().filter(cap -> cap.limit() != null).toList();
  }

  /**
   * A cap before and after a change.
   *
   * @param before null if there was no cap
   */
  public record Change(@Nullable TenantCap before, TenantCap after) {}

  /**
   * Sets a cap. Warnings begin anew if the amount is another.
   *
   * @param hook who is told of warnings; null for nobody
   */
  public Change set(TenantName tenant, int tenantNumber, SpendLimit limit, @Nullable Hook hook) {
    return change(
        tenant,
        before -> {
          boolean isSame = before.tenantNumber() == tenantNumber && hasAmount(before, limit);
          return new TenantCap(
              tenant,
              tenantNumber,
              limit,
              hook,
              isSame ? before.since() : before.revision() + 1,
              isSame ? before.warnings() : List.of(),
              before.revision() + 1);
        });
  }

  private static boolean hasAmount(TenantCap cap, SpendLimit limit) {
    SpendLimit known = cap.limit();
    return known != null
        && known.cap().compareTo(limit.cap()) == 0
        && known.currency().equals(limit.currency());
  }

  /** Takes a cap off, unless it is of another tenant of the name. */
  public Change clear(TenantName tenant, int tenantNumber) {
    return change(
        tenant,
        before ->
            before.limit() == null || before.tenantNumber() != tenantNumber
                ? before
                : new TenantCap(
                    tenant,
                    tenantNumber,
                    null,
                    null,
                    before.revision() + 1,
                    List.of(),
                    before.revision() + 1));
  }

  private Change change(TenantName tenant, UnaryOperator<TenantCap> change) {
    while (true) {
      TenantCap before = store.get(tenant).orElse(null);
      TenantCap from =
          before == null ? new TenantCap(tenant, 1, null, null, 0, List.of(), 0) : before;
      TenantCap after = change.apply(from);
      if (after.revision() == from.revision() || store.replace(before, after)) {
        return new Change(before == null || before.limit() == null ? null : before, after);
      }
    }
  }

  /**
   * Notes a warning, once.
   *
   * @param found the cap of which something was spent
   * @param isTold whether nobody is to be told
   * @return the warning if this call noted it; null if it was there already, or the cap is another
   *     by now
   */
  public TenantCap.@Nullable Warning warn(
      TenantCap found, SpendWarning warning, long atMillis, boolean isTold) {
    while (true) {
      TenantCap before = store.get(found.tenant()).orElse(null);
      if (before == null
          || before.limit() == null
          || before.since() != found.since()
          || before.hasWarned(warning.period().month(), warning.percent())) {
        return null;
      }
      TenantCap after = before.with(warning, atMillis, isTold);
      if (store.replace(before, after)) {
        return after.warnings().getLast();
      }
    }
  }

  /** Notes that a warning was taken by who is told. */
  public void told(TenantName tenant, String id) {
    while (true) {
      TenantCap before = store.get(tenant).orElse(null);
      TenantCap after = before == null ? null : before.told(id);
      if (before == null
          || after == null
          || after.revision() == before.revision()
          || store.replace(before, after)) {
        return;
      }
    }
  }
}
