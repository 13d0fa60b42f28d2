package io.keyvalueserve.billing.spending;

import io.keyvalueserve.tenancy.TenantName;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored record of a tenant's spend cap. Immutable: each change creates a record of the next
 * revision.
 *
 * @param tenant whose it is
 * @param tenantNumber its number: a record of another number is of a tenant that was deleted
 * @param limit how much it may spend; null for no cap
 * @param hook who is told of warnings; null for whom the server's configuration names
 * @param since the revision in which the present amount was set
 * @param warnings those that were given: of the latest month in which there were any
 * @param revision 1 for the first record under a name, one more with each change
 */
public record TenantCap(
    TenantName tenant,
    int tenantNumber,
    @Nullable SpendLimit limit,
    @Nullable Hook hook,
    long since,
    List<Warning> warnings,
    long revision) {
  public TenantCap {
    warnings = List.copyOf(warnings);
  }

  /**
   * A warning that was given when a part of the cap was spent.
   *
   * @param id the same on whichever member and however often it is told
   * @param warning what is told
   * @param atMillis when that was found: milliseconds since 1970
   * @param isTold whether the hook has taken it, or there was none
   */
  public record Warning(String id, SpendWarning warning, long atMillis, boolean isTold) {}

  /** The id of a warning. */
  String idOf(YearMonth month, int percent) {
    return tenantNumber + "-" + month + "-" + percent + "-" + since;
  }

  /**
   * Returns whether a warning of that percentage was given in a month, since the present amount was
   * set.
   */
  public boolean hasWarned(YearMonth month, int percent) {
    String id = idOf(month, percent);
    return warnings.stream().anyMatch(warning -> warning.id().equals(id));
  }

  /** The warnings of a month, since the present amount was set. */
  public List<Warning> warnings(YearMonth month) {
    return warnings.stream()
        .filter(each -> each.id().equals(idOf(month, each.warning().percent())))
        .toList();
  }

  /** Returns this record with one more warning. Warnings of other months are dropped. */
  TenantCap with(SpendWarning warning, long atMillis, boolean isTold) {
    YearMonth month = warning.period().month();
    List<Warning> next = new ArrayList<>();
    for (Warning each : warnings) {
      if (each.warning().period().month().equals(month)) {
        next.add(each);
      }
    }
    next.add(new Warning(idOf(month, warning.percent()), warning, atMillis, isTold));
    return with(next);
  }

  /** Returns this record with a warning marked as told. */
  TenantCap told(String id) {
    return with(
        warnings.stream()
            .map(
                each ->
                    each.id().equals(id)
                        ? new Warning(id, each.warning(), each.atMillis(), true)
                        : each)
            .toList());
  }

  private TenantCap with(List<Warning> next) {
    return next.equals(warnings)
        ? this
        : new TenantCap(tenant, tenantNumber, limit, hook, since, next, revision + 1);
  }
}
