package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.billing.pricing.RateCards;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Computes an invoice anew from the stored entries of a ledger, and says where it first differs.
 *
 * <p>In this order: the chain of entries up to the invoice's head; its events against those that
 * members told, if whoever asks has them; the invoice, its lines first.
 */
public final class BillVerifier {
  private final Invoice invoice;
  private final RateCards cards;

  /**
   * @param invoice what is to be checked
   * @param cards the cards by which it should have been computed
   */
  public BillVerifier(Invoice invoice, RateCards cards) {
    this.invoice = invoice;
    this.cards = cards;
  }

  /**
   * Checks the invoice against the ledger alone.
   *
   * @param stored the ledger's entries as {@link LedgerCodec} wrote them; those that came after the
   *     invoice may be among them
   * @return the first difference; empty if there is none
   * @throws IllegalArgumentException if something was used when none of the cards holds
   */
  public Optional<Difference> verify(List<byte[]> stored) {
    return verify(stored, Optional.empty());
  }

  /**
   * Checks the invoice against the ledger, and the ledger against what members told.
   *
   * @param stored as in {@link #verify(List)}
   * @param told every usage event of the tenant and period; the same one may come twice
   * @return the first difference; empty if there is none
   * @throws IllegalArgumentException if something was used when none of the cards holds
   */
  public Optional<Difference> verify(List<byte[]> stored, Collection<UsageEvent> told) {
    return verify(stored, Optional.of(told));
  }

  private Optional<Difference> verify(List<byte[]> stored, Optional<Collection<UsageEvent>> told) {
    List<LedgerEntry> entries;
    try {
      entries = Chain.read(invoice.tenant(), invoice.tenantNumber(), upToHead(stored));
    } catch (BrokenLedgerException e) {
      return Optional.of(e.difference());
    }
    return endsAtHead(entries)
        .or(() -> eventTwice(entries))
        .or(() -> told.flatMap(events -> compareEvents(entries, events)))
        .or(() -> compare(recomputed(entries)));
  }

  private List<byte[]> upToHead(List<byte[]> stored) {
    return stored.subList(0, (int) Math.min(stored.size(), invoice.head().entries()));
  }

  private Optional<Difference> endsAtHead(List<LedgerEntry> entries) {
    if (entries.size() < invoice.head().entries()) {
      return Optional.of(new Difference.EntryMissing(entries.size()));
    }
    EntryHash last =
        entries.isEmpty()
            ? LedgerCodec.seed(invoice.tenant(), invoice.tenantNumber())
            : entries.getLast().hash();
    return last.equals(invoice.head().hash())
        ? Optional.empty()
        : Optional.of(new Difference.HeadDiffers(invoice.head().hash(), last));
  }

  // ---- events

  private static Optional<Difference> eventTwice(List<LedgerEntry> entries) {
    Map<UsageIdentity, Long> places = new HashMap<>();
    for (LedgerEntry entry : entries) {
      Optional<UsageEvent> event = entry.usage();
      if (event.isPresent()) {
        UsageIdentity identity = event.get().identity();
        Long before = places.putIfAbsent(identity, entry.number());
        if (before != null) {
          return Optional.of(new Difference.EventTwice(identity, before, entry.number()));
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Difference> compareEvents(
      List<LedgerEntry> entries, Collection<UsageEvent> told) {
    BillingPeriod period = invoice.period();
    long start = period.startMinute();
    long end = period.endMinute();
    Map<UsageIdentity, UsageEvent> missing = new HashMap<>();
    for (UsageEvent event : told) {
      if (event.identity().minute() >= start && event.identity().minute() < end) {
        missing.put(event.identity(), event);
      }
    }
    for (LedgerEntry entry : entries) {
      UsageEvent kept = entry.usage().orElse(null);
      if (kept != null && kept.identity().minute() >= start && kept.identity().minute() < end) {
        UsageEvent event = missing.remove(kept.identity());
        if (event == null) {
          return Optional.of(new Difference.EventUnknown(entry.number(), kept.identity()));
        }
        if (!event.equals(kept)) {
          return Optional.of(quantityOf(entry.number(), event, kept));
        }
      }
    }
    return told.stream()
        .map(UsageEvent::identity)
        .filter(missing::containsKey)
        .findFirst()
        .map(Difference.EventMissing::new);
  }

  private static Difference quantityOf(long entry, UsageEvent told, UsageEvent kept) {
    for (Measure measure : Measure.values()) {
      long before = told.quantities().of(measure);
      long after = kept.quantities().of(measure);
      if (before != after) {
        return new Difference.EventDiffers(entry, kept.identity(), measure, before, after);
      }
    }
    throw new IllegalStateException("events of one identity differ in their quantities");
  }

  // ---- the invoice

  private Invoice recomputed(List<LedgerEntry> entries) {
    return Invoices.compute(
        invoice.tenant(),
        invoice.tenantNumber(),
        new BillingPeriod(invoice.period().month(), cards.zone()),
        cards,
        entries,
        invoice.head());
  }

  private Optional<Difference> compare(Invoice expected) {
    return field("period", expected.period(), invoice.period())
        .or(() -> field("currency", expected.currency(), invoice.currency()))
        .or(() -> compareLines(expected.lines(), invoice.lines()))
        .or(() -> amount("credit", expected.credit(), invoice.credit()))
        .or(() -> amount("total", expected.total(), invoice.total()))
        .or(() -> field("id", expected.id(), invoice.id()));
  }

  private static Optional<Difference> field(String name, Object expected, Object actual) {
    return expected.equals(actual)
        ? Optional.empty()
        : Optional.of(new Difference.InvoiceDiffers(name, expected.toString(), actual.toString()));
  }

  private static Optional<Difference> amount(String name, BigDecimal expected, BigDecimal actual) {
    return expected.compareTo(actual) == 0
        ? Optional.empty()
        : Optional.of(
            new Difference.InvoiceDiffers(name, expected.toPlainString(), actual.toPlainString()));
  }

  private static Optional<Difference> compareLines(
      List<InvoiceLine> expected, List<InvoiceLine> actual) {
    for (int i = 0; i < expected.size(); i++) {
      InvoiceLine should = expected.get(i);
      if (i == actual.size() || !isSame(should, actual.get(i))) {
        return Optional.of(
            i < actual.size() && expected.stream().noneMatch(isSameAs(actual.get(i)))
                ? new Difference.LineUnknown(i, actual.get(i).sku())
                : new Difference.LineMissing(i, should.sku()));
      }
      Optional<Difference> difference = compareLine(i, should, actual.get(i));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return expected.size() == actual.size()
        ? Optional.empty()
        : Optional.of(
            new Difference.LineUnknown(expected.size(), actual.get(expected.size()).sku()));
  }

  private static Predicate<InvoiceLine> isSameAs(InvoiceLine line) {
    return each -> isSame(line, each);
  }

  private static boolean isSame(InvoiceLine one, InvoiceLine other) {
    return one.sku().equals(other.sku())
        && one.from().equals(other.from())
        && one.to().equals(other.to());
  }

  private static Optional<Difference> compareLine(
      int line, InvoiceLine should, InvoiceLine actual) {
    String sku = should.sku();
    if (should.quantity().compareTo(actual.quantity()) != 0) {
      return Optional.of(
          new Difference.QuantityDiffers(line, sku, should.quantity(), actual.quantity()));
    }
    if (should.free().compareTo(actual.free()) != 0) {
      return Optional.of(new Difference.FreeDiffers(line, sku, should.free(), actual.free()));
    }
    if (should.unitPrice().compareTo(actual.unitPrice()) != 0 || should.per() != actual.per()) {
      return Optional.of(new Difference.PriceDiffers(line, sku, price(should), price(actual)));
    }
    if (should.amount().compareTo(actual.amount()) == 0) {
      return Optional.empty();
    }
    BigDecimal off = should.amount().subtract(actual.amount()).abs();
    return Optional.of(
        off.compareTo(should.amount().ulp()) <= 0
            ? new Difference.RoundingDiffers(line, sku, should.amount(), actual.amount())
            : new Difference.AmountDiffers(line, sku, should.amount(), actual.amount()));
  }

  private static String price(InvoiceLine line) {
    return line.unitPrice().toPlainString() + " for " + line.per() + " " + line.unit();
  }
}
