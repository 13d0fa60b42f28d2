package io.keyvalueserve.resp;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageMeter;
import org.jspecify.annotations.Nullable;

/**
 * The use of a session's selected map that is not reported yet. All of a turn is reported together.
 * On the connection's event loop only.
 */
final class SessionUse {
  private static final Measure[] MEASURES = Measure.values();

  private final long[] counts = new long[Measure.COUNT];
  private @Nullable UsageMeter meter;
  private boolean any;

  /** Reports what was added before, and counts from now on for another map, or for none. */
  void of(@Nullable UsageMeter next) {
    tell();
    meter = next;
  }

  /** Adds to what is counted. */
  void add(Measure measure, long quantity) {
    counts[measure.index()] += quantity;
    any = true;
  }

  /** Tells what was added. */
  void tell() {
    if (!any) {
      return;
    }
    any = false;
    UsageMeter told = meter;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != 0) {
        if (told != null) {
          told.add(MEASURES[i], counts[i]);
        }
        counts[i] = 0;
      }
    }
  }
}
