package io.keyvalueserve.gates.fairness;

import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Tenant;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * The weights of tenants by their numbers, as their quotas say: 1 of those it has not heard of.
 * Thread-safe; asking costs one read of an array.
 */
public final class TenantWeights implements IntUnaryOperator {
  private static final int USUAL = 1;

  private volatile int[] weights = {};

  /** Takes note of a tenant's quota. */
  public synchronized void apply(Tenant tenant) {
    int number = tenant.number();
    int weight = Math.toIntExact(tenant.quota().of(Limit.WEIGHT));
    if (applyAsInt(number) == weight) {
      return;
    }
    int[] known = weights;
    int[] changed = Arrays.copyOf(known, Math.max(known.length, number + 1));
    Arrays.fill(changed, known.length, changed.length, USUAL);
    changed[number] = weight;
    weights = changed;
  }

  @Override
  public int applyAsInt(int tenantNumber) {
    int[] known = weights;
    return tenantNumber < known.length ? known[tenantNumber] : USUAL;
  }
}
