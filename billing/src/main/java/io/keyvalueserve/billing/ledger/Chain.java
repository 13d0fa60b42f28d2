package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The entries of a tenant's ledger, read from their bytes up to the first that is not what was
 * written. For one thread at a time.
 */
final class Chain {
  private final int tenantNumber;
  private final List<LedgerEntry> entries = new ArrayList<>();
  private final Corrections corrections = new Corrections();
  private EntryHash last;

  /** One without entries. */
  Chain(TenantName tenant, int tenantNumber) {
    this.tenantNumber = tenantNumber;
    last = LedgerCodec.seed(tenant, tenantNumber);
  }

  /**
   * Reads all entries.
   *
   * @throws BrokenLedgerException if one is not what was written
   */
  static List<LedgerEntry> read(TenantName tenant, int tenantNumber, List<byte[]> stored)
      throws BrokenLedgerException {
    Chain chain = new Chain(tenant, tenantNumber);
    chain.extend(stored);
    return chain.entries;
  }

  /**
   * Reads those that follow.
   *
   * @throws BrokenLedgerException if one is not what was written; those before it were taken
   */
  void extend(List<byte[]> stored) throws BrokenLedgerException {
    for (int i = 0; i < stored.size(); i++) {
      Optional<Difference> difference = next(stored, i);
      if (difference.isPresent()) {
        throw new BrokenLedgerException(difference.get());
      }
    }
  }

  /** Adds one that was made here, and that {@link #corrections} has let pass. */
  void add(LedgerEntry entry) {
    entries.add(entry);
    last = entry.hash();
  }

  /** All entries. */
  List<LedgerEntry> entries() {
    return entries;
  }

  /** Returns the check that tells possible corrections from others. */
  Corrections corrections() {
    return corrections;
  }

  /** Returns the head of the chain. */
  LedgerHead head() {
    return new LedgerHead(entries.size(), last);
  }

  private Optional<Difference> next(List<byte[]> stored, int at) {
    int place = entries.size();
    LedgerEntry entry;
    try {
      entry = LedgerCodec.decode(stored.get(at));
    } catch (MalformedEntryException e) {
      return Optional.of(new Difference.EntryDamaged(place, String.valueOf(e.getMessage())));
    }
    Optional<Difference> difference =
        entry.number() == place || entry.tenantNumber() != tenantNumber
            ? check(entry, place)
            : Optional.of(outOfPlace(entry, place, stored.subList(at + 1, stored.size())));
    if (difference.isEmpty()) {
      add(entry);
    }
    return difference;
  }

  private Optional<Difference> check(LedgerEntry entry, int place) {
    if (entry.tenantNumber() != tenantNumber) {
      return Optional.of(new Difference.EntryOfAnother(place, entry.tenantNumber()));
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

  private static Difference outOfPlace(LedgerEntry found, int place, List<byte[]> following) {
    if (found.number() < place) {
      return new Difference.EntryTwice(found.number(), place);
    }
    for (int i = 0; i < following.size(); i++) {
      if (isNumber(following.get(i), place)) {
        return new Difference.EntryMoved(place, place + 1L + i);
      }
    }
    return new Difference.EntryMissing(place);
  }

  /**
   * Returns whether an entry has this number. A damaged entry has none: the first difference is not
   * there.
   */
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

    /** The remaining quantities of entries that were corrected, by number and measure. */
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
