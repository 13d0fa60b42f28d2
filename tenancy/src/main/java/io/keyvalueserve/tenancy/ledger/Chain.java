package io.keyvalueserve.tenancy.ledger;

import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.metering.Measure;
import io.keyvalueserve.tenancy.metering.UsageEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Reads a tenant's ledger from its bytes and stops at the first entry that is not what was written.
 */
final class Chain {
  private final int tenantNumber;
  private final List<byte[]> stored;
  private final List<LedgerEntry> entries = new ArrayList<>();
  private final Corrections corrections = new Corrections();
  private EntryHash last;

  private Chain(TenantName tenant, int tenantNumber, List<byte[]> stored) {
    this.tenantNumber = tenantNumber;
    this.stored = stored;
    last = LedgerCodec.seed(tenant, tenantNumber);
  }

  /**
   * Reads all entries.
   *
   * @throws BrokenLedgerException if one is not what was written
   */
  static List<LedgerEntry> read(TenantName tenant, int tenantNumber, List<byte[]> stored)
      throws BrokenLedgerException {
    Chain chain = new Chain(tenant, tenantNumber, stored);
    for (int place = 0; place < stored.size(); place++) {
      Optional<Difference> difference = chain.next(place);
      if (difference.isPresent()) {
        throw new BrokenLedgerException(difference.get());
      }
    }
    return chain.entries;
  }

  private Optional<Difference> next(int place) {
    LedgerEntry entry;
    try {
      entry = LedgerCodec.decode(stored.get(place));
    } catch (MalformedEntryException e) {
      return Optional.of(new Difference.EntryDamaged(place, String.valueOf(e.getMessage())));
    }
    Optional<Difference> difference = check(entry, place);
    if (difference.isEmpty()) {
      entries.add(entry);
      last = entry.hash();
    }
    return difference;
  }

  private Optional<Difference> check(LedgerEntry entry, int place) {
    if (entry.tenantNumber() != tenantNumber) {
      return Optional.of(new Difference.EntryOfAnother(place, entry.tenantNumber()));
    }
    if (entry.number() != place) {
      return Optional.of(outOfPlace(entry, place));
    }
    if (!entry.previous().equals(last)) {
      return Optional.of(new Difference.ChainBroken(place, entry.previous(), last));
    }
    if (entry
        .usage()
        .filter(event -> event.identity().tenantNumber() != tenantNumber)
        .isPresent()) {
      return Optional.of(
          new Difference.EntryOfAnother(
              place, entry.usage().orElseThrow().identity().tenantNumber()));
    }
    return corrections
        .admit(entry.posting(), entries)
        .map(why -> new Difference.CorrectionWrong(place, why));
  }

  private Difference outOfPlace(LedgerEntry found, int place) {
    if (found.number() < place) {
      return new Difference.EntryTwice(found.number(), place);
    }
    for (int later = place + 1; later < stored.size(); later++) {
      if (isNumber(stored.get(later), place)) {
        return new Difference.EntryMoved(place, later);
      }
    }
    return new Difference.EntryMissing(place);
  }

  /** One that is damaged has no number: the first difference is not there. */
  private static boolean isNumber(byte[] bytes, int number) {
    try {
      return LedgerCodec.decode(bytes).number() == number;
    } catch (MalformedEntryException e) {
      return false;
    }
  }

  /** Says which corrections can be. Counts those that it lets pass. */
  static final class Corrections {
    private final Set<UUID> ids = new HashSet<>();

    /** What is left of entries that were corrected, by number and measure. */
    private final Map<Long, long[]> left = new HashMap<>();

    /**
     * Lets a posting pass and counts it, or says why it cannot be.
     *
     * @param before the entries before it
     */
    Optional<String> admit(Posting posting, List<LedgerEntry> before) {
      if (!(posting instanceof Posting.Correction correction)) {
        return Optional.empty();
      }
      Optional<UsageEvent> corrected =
          correction.entry() < before.size()
              ? before.get((int) correction.entry()).usage()
              : Optional.empty();
      if (corrected.isEmpty()) {
        return Optional.of("entry " + correction.entry() + " is none of usage before it");
      }
      if (ids.contains(correction.id())) {
        return Optional.of("there is one with the id " + correction.id() + " already");
      }
      long[] rest = left.getOrDefault(correction.entry(), quantities(corrected.get())).clone();
      for (Map.Entry<Measure, Long> change : correction.changes().entrySet()) {
        int at = change.getKey().index();
        long sum = rest[at] + change.getValue();
        if (sum < 0) { // less than nothing, or more than a long holds
          return Optional.of(
              "of %d %s in entry %d it would change %d"
                  .formatted(
                      rest[at],
                      change.getKey().quantityLabel(),
                      correction.entry(),
                      change.getValue()));
        }
        rest[at] = sum;
      }
      ids.add(correction.id());
      left.put(correction.entry(), rest);
      return Optional.empty();
    }

    private static long[] quantities(UsageEvent event) {
      long[] quantities = new long[Measure.COUNT];
      for (Measure measure : Measure.values()) {
        quantities[measure.index()] = event.quantities().of(measure);
      }
      return quantities;
    }
  }
}
