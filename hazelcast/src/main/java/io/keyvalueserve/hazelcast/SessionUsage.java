package io.keyvalueserve.hazelcast;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.metering.UsageMeter;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one session: what its tenant is charged for. A message that goes out does not say
 * what it is about; so an answer that comes the long way is known by its request, which was noted
 * when it was sent on. What answers nothing that was noted, as events do, counts apart from maps.
 */
final class SessionUsage {
  private static final int MOST_MAPS = 64;

  private final Identity identity;
  private final UsageBook book;
  private final UsageMeter apart;
  private final Map<String, UsageMeter> ofMaps = new HashMap<>();
  private final Map<Long, UsageMeter> expected = new HashMap<>();

  SessionUsage(Identity identity, UsageBook book) {
    this.identity = identity;
    this.book = book;
    this.apart = meter(null);
  }

  private UsageMeter meter(@Nullable QualifiedName map) {
    return book.meter(identity.tenant(), identity.number(), map, SharingLevel.SHARED);
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
      known = meter(name(said));
      ofMaps.put(said, known);
    }
    return known;
  }

  private QualifiedName name(String said) {
    return QualifiedName.parse(said)
        .orElseGet(() -> new QualifiedName(identity.tenant(), new MapName(said)));
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
   * Counts the bytes of a message that goes out. Any thread.
   *
   * @param isEvent whether it is none of an answer's, though it has the number of a request
   */
  void sent(long correlation, boolean isEvent, int bytes) {
    UsageMeter meter = isEvent ? null : takeExpected(correlation);
    (meter == null ? apart : meter).add(Measure.BYTES_OUT, bytes);
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

  /** Counts what is of no map. Any thread. */
  void apart(Measure measure, long quantity) {
    apart.add(measure, quantity);
  }
}
