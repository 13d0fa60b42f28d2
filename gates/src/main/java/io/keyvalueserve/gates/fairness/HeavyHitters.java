package io.keyvalueserve.gates.fairness;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The tenants with the greatest sums, in little memory: the algorithm "Space-Saving" (Metwally,
 * Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data Streams",
 * ICDT 2005, section 3) with amounts in place of single occurrences.
 *
 * <p>A sum that is told is too great by at most its error, and never too small. Who has more than
 * an eighth of all is among them. One thread writes; others may read, what may be inconsistent:
 * {@link WaitMeter} sees to it that they read again then.
 */
final class HeavyHitters {
  /** The number of tenants that are kept. */
  static final int SIZE = 8;

  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final int[] tenants = new int[SIZE];
  private final long[] sums = new long[SIZE];
  private final long[] errors = new long[SIZE];
  private int known;

  /** Adds an amount to a tenant's sum. */
  void add(int tenant, long amount) {
    for (int i = 0; i < known; i++) {
      if (tenants[i] == tenant) {
        LONGS.setOpaque(sums, i, sums[i] + amount);
        return;
      }
    }
    if (known < SIZE) {
      set(known++, tenant, amount, 0);
    } else {
      int least = least();
      set(least, tenant, sums[least] + amount, sums[least]);
    }
  }

  private int least() {
    int least = 0;
    for (int i = 1; i < SIZE; i++) {
      if (sums[i] < sums[least]) {
        least = i;
      }
    }
    return least;
  }

  private void set(int slot, int tenant, long sum, long error) {
    INTS.setOpaque(tenants, slot, tenant);
    LONGS.setOpaque(sums, slot, sum);
    LONGS.setOpaque(errors, slot, error);
  }

  /** All that are kept and have a sum, in no order. */
  List<Waits.Aggressor> toList() {
    List<Waits.Aggressor> list = new ArrayList<>(SIZE);
    for (int i = 0; i < SIZE; i++) {
      long sum = (long) LONGS.getOpaque(sums, i);
      if (sum > 0) {
        list.add(
            new Waits.Aggressor(
                (int) INTS.getOpaque(tenants, i), sum, (long) LONGS.getOpaque(errors, i)));
      }
    }
    return list;
  }
}
