package io.keyvalueserve.resp;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageMeter;
import org.jspecify.annotations.Nullable;

/**
 * What a session used of the map that it has selected and has not told yet: a turn is told
 * together. On the connection's event loop only.
 */
final class SessionUse {
  private static final Measure[] MEASURES = Measure.values();

  private final long[] counts = new long[Measure.COUNT];
  private @Nullable UsageMeter meter;
  private boolean any;

  /** What is added from here on is of another map, or of none. What was added before is told. */
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
