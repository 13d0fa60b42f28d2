package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.TenantName;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The amount that a tenant has spent in a month, added up as its ledger grows. Each entry is read
 * once. The sum is the total of {@link Invoices}, by the same computation, but the chain is not
 * checked.
 *
 * <p>Keeps 8 bytes for each minute of the month and measure that is charged, and 4 for each entry
 * of the ledger. For one thread at a time.
 */
public final class PeriodSpend {
  private static final int SHARING_BITS = 2;
  private static final int PERSISTENCE_BITS = 3;
  private static final int BITS = SHARING_BITS + PERSISTENCE_BITS;
  private static final int OTHER_PERIOD = -1;

  private final TenantName tenant;
  private final int tenantNumber;
  private final BillingPeriod period;
  private final RateCards cards;
  private final PeriodUsage usage;
  private final Set<Measure> charged = EnumSet.noneOf(Measure.class);
  private final Map<UUID, Long> posted = new HashMap<>();

  /** The minute, persistence and sharing level of each entry, for corrections of it. */
  private int[] places = new int[64];

  private int entries;

  /** Begins before the first entry. */
  public PeriodSpend(TenantName tenant, int tenantNumber, BillingPeriod period, RateCards cards) {
    this.tenant = tenant;
    this.tenantNumber = tenantNumber;
    this.period = period;
    this.cards = cards;
    this.usage = PeriodUsage.empty(period);
    cards.cards().forEach(card -> card.rates().forEach(rate -> charged.add(rate.measure())));
  }

  /** Returns the number of entries that were read. The next entry to read has this number. */
  public long entries() {
    return entries;
  }

  /**
   * Takes in what follows in the ledger.
   *
   * @param stored the entries as {@link LedgerCodec} wrote them
   * @throws MalformedEntryException if one cannot be read; those before it were taken
   */
  public void add(List<byte[]> stored) throws MalformedEntryException {
    for (byte[] bytes : stored) {
      add(LedgerCodec.decode(bytes).posting());
      entries++;
    }
  }

  private void add(Posting posting) {
    if (entries == places.length) {
      places = Arrays.copyOf(places, 2 * entries);
    }
    switch (posting) {
      case Posting.Usage used -> {
        UsageIdentity event = used.event().identity();
        posted.merge(event.member(), event.interval(), Math::max);
        int place =
            period.contains(event.minute())
                ? (int) (event.minute() - usage.start()) << BITS
                    | event.persistence().code() << SHARING_BITS
                    | event.sharing().code()
                : OTHER_PERIOD;
        places[entries] = place;
        add(place, used.event().quantities().toMap());
      }
      case Posting.Correction correction -> {
        int place = correction.entry() < entries ? places[(int) correction.entry()] : OTHER_PERIOD;
        places[entries] = OTHER_PERIOD;
        add(place, correction.changes());
      }
    }
  }

  private void add(int place, Map<Measure, Long> quantities) {
    if (place == OTHER_PERIOD) {
      return;
    }
    EnumMap<Measure, Long> counted = new EnumMap<>(Measure.class);
    quantities.forEach(
        (measure, quantity) -> {
          if (charged.contains(measure)) {
            counted.put(measure, quantity);
          }
        });
    usage.add(
        usage.start() + (place >> BITS),
        SharingLevel.ofCode(place & ((1 << SHARING_BITS) - 1)),
        Persistence.ofCode(place >> SHARING_BITS & ((1 << PERSISTENCE_BITS) - 1)),
        counted,
        () -> "in entry " + entries);
  }

  /**
   * Returns the amount spent.
   *
   * @throws IllegalArgumentException if something was used when no rate card holds
   */
  public BigDecimal total() {
    return Invoices.total(tenant, tenantNumber, period, cards, usage);
  }

  /** The last interval of each member, by its id in the ledger, that was read. */
  public Map<UUID, Long> posted() {
    return Map.copyOf(posted);
  }
}
