package io.keyvalueserve.gates.visit;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageMeter;
import io.keyvalueserve.billing.metering.UsageSink;
import org.jspecify.annotations.Nullable;

/**
 * Usage that is not reported to a meter yet, so that many requests are reported together. Allocates
 * nothing after it was made. Not thread-safe.
 */
public final class Tab implements UsageSink {
  private static final Measure[] MEASURES = Measure.values();

  private final long[] counts = new long[Measure.COUNT];
  private @Nullable UsageMeter meter;
  private int added;

  /** Creates a tab that belongs to no meter: what is settled before {@link #open} is dropped. */
  public Tab() {}

  /** Creates a tab of a meter. */
  public Tab(UsageMeter meter) {
    this.meter = meter;
  }

  /** Settles the present meter, and continues with another one, or with none. */
  public void open(@Nullable UsageMeter next) {
    settle();
    meter = next;
  }

  @Override
  public void add(Measure measure, long quantity) {
    int index = measure.index();
    counts[index] += quantity;
    added |= 1 << index;
  }

  /** Reports everything that was added since the last time. */
  public void settle() {
    int left = added;
    if (left == 0) {
      return;
    }
    added = 0;
    UsageMeter told = meter;
    while (left != 0) {
      int index = Integer.numberOfTrailingZeros(left);
      left &= left - 1;
      long count = counts[index];
      counts[index] = 0;
      if (told != null && count != 0) {
        told.add(MEASURES[index], count);
      }
    }
  }
}
