package io.keyvalueserve.hazelcast;

import io.keyvalueserve.billing.metering.UsageMeter;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The meters of the maps that one session uses. A message that goes out does not say what it is
 * about; so an answer that comes the long way is known by its request, which was noted when it was
 * sent on. What answers nothing that was noted, as events do, counts apart from maps.
 */
final class SessionUsage {
  private static final int MOST_MAPS = 64;

  private final TenantName tenant;
  private final Function<@Nullable QualifiedName, UsageMeter> meters;
  private final UsageMeter apart;
  private final Map<String, UsageMeter> ofMaps = new HashMap<>();
  private final Map<Long, UsageMeter> expected = new HashMap<>();

  /**
   * @param meters the tenant's meters by map; of null for messages about no map
   */
  SessionUsage(TenantName tenant, Function<@Nullable QualifiedName, UsageMeter> meters) {
    this.tenant = tenant;
    this.meters = meters;
    this.apart = meters.apply(null);
  }

  /**
   * The meter for a map. Of the thread that reads the connection.
   *
   * @param said as the client calls it: its own map, or another's as {@code owner/map}
   */
  UsageMeter of(String said) {
    UsageMeter known = ofMaps.get(said);
    if (known == null) {
      if (ofMaps.size() == MOST_MAPS) {
        ofMaps.clear();
      }
      known = meters.apply(name(said));
      ofMaps.put(said, known);
    }
    return known;
  }

  private QualifiedName name(String said) {
    return QualifiedName.parse(said).orElseGet(() -> new QualifiedName(tenant, new MapName(said)));
  }

  /**
   * Notes that a request on a map is about to be carried out. Its answer is certain to come, if
   * only to say that it failed.
   *
   * @param correlation the request's number, which its answer has too
   */
  void expectAnswer(long correlation, UsageMeter meter) {
    synchronized (expected) {
      expected.put(correlation, meter);
    }
  }

  /**
   * Returns the meter for the bytes of a message that goes out. Any thread.
   *
   * @param isEvent whether it is none of an answer's, though it has the number of a request
   */
  UsageMeter ofAnswer(long correlation, boolean isEvent) {
    UsageMeter meter = isEvent ? null : takeExpected(correlation);
    return meter == null ? apart : meter;
  }

  private @Nullable UsageMeter takeExpected(long correlation) {
    synchronized (expected) {
      return expected.remove(correlation);
    }
  }

  /** Returns the number of answers that are expected. */
  int expected() {
    synchronized (expected) {
      return expected.size();
    }
  }
}
