package io.keyvalueserve.billing.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageQuantities;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCardCodec;
import io.keyvalueserve.billing.pricing.RateCards;
import java.math.BigDecimal;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever is changed in a ledger or an invoice is found, and named. Method: a right ledger
 * and invoice, of which one thing is changed.
 */
class BillVerifierTest {
  private static final YearMonth MARCH = YearMonth.of(2026, 3);
  private static final RateCards CARDS = RateCards.of(RateCard.paper());
  private static final int ENTRIES = 12;

  private final Use use = new Use();
  private final Invoice invoice;

  BillVerifierTest() {
    use.hold("2026-03-03T19:55:00Z", ENTRIES - 1, Measure.RESIDENT_BYTES, 700_000_001);
    use.ledger.correct(
        new Posting.Correction(
            new UUID(1, 1), 2, Map.of(Measure.RESIDENT_BYTES, -1L), "a byte too many"),
        Use.NOW);
    invoice = Invoices.compute(use.ledger, MARCH, CARDS);
  }

  private Difference differenceIn(List<byte[]> stored) {
    return new BillVerifier(invoice, CARDS).verify(stored, use.told).orElseThrow();
  }

  private Difference differenceIn(Invoice changed) {
    return new BillVerifier(changed, CARDS).verify(use.stored(), use.told).orElseThrow();
  }

  @Test
  void aRightInvoiceHasNoDifference() {
    assertThat(new BillVerifier(invoice, CARDS).verify(use.stored(), use.told)).isEmpty();
    assertThat(new BillVerifier(invoice, CARDS).verify(use.stored())).isEmpty();
    List<UsageEvent> twice = new ArrayList<>(use.told);
    twice.addAll(use.told);
    assertThat(new BillVerifier(invoice, CARDS).verify(use.stored(), twice)).isEmpty();
  }

  @Test
  void entriesThatCameAfterTheInvoiceDoNotMatter() {
    use.ledger.post(
        use.event(
            Use.minute("2026-03-04T00:00:00Z"), SharingLevel.SHARED, Map.of(Measure.READS, 1L)),
        Use.NOW);
    assertThat(new BillVerifier(invoice, CARDS).verify(use.stored(), use.told)).isEmpty();
  }

  // ---- the chain

  /** Every bit of every byte would take long: every byte, and a random change of it. */
  @Property(tries = 3)
  void anyByteThatIsChangedIsFoundInItsEntry(@ForAll Random random) {
    List<byte[]> stored = use.stored();
    for (int i = 0; i < ENTRIES; i++) {
      long entry = i;
      byte[] bytes = stored.get(i);
      for (int at = 0; at < bytes.length; at++) {
        byte before = bytes[at];
        bytes[at] ^= (byte) (1 + random.nextInt(255));
        assertThat(differenceIn(stored))
            .isInstanceOfSatisfying(
                Difference.EntryDamaged.class,
                damaged -> assertThat(damaged.entry()).isEqualTo(entry));
        bytes[at] = before;
      }
    }
  }

  @Property(tries = 200)
  void entriesThatAreSwappedDroppedOrDoubledAreNamed(@ForAll Random random) {
    List<byte[]> stored = new ArrayList<>(use.stored());
    int one = random.nextInt(ENTRIES - 1);
    int other = one + 1 + random.nextInt(ENTRIES - 1 - one);
    Collections.swap(stored, one, other);
    assertThat(differenceIn(stored)).isEqualTo(new Difference.EntryMoved(one, other));
    stored = new ArrayList<>(use.stored());
    stored.remove(other);
    assertThat(differenceIn(stored)).isEqualTo(new Difference.EntryMissing(other));
    stored = new ArrayList<>(use.stored());
    stored.add(other, stored.get(one));
    assertThat(differenceIn(stored)).isEqualTo(new Difference.EntryTwice(one, other));
  }

  @Test
  void entriesTakenFromTheEndAreMissed() {
    assertThat(differenceIn(use.stored().subList(0, ENTRIES - 1)))
        .isEqualTo(new Difference.EntryMissing(ENTRIES - 1));
    assertThat(differenceIn(List.of())).isEqualTo(new Difference.EntryMissing(0));
  }

  /** Who makes one entry anew, with its hash, breaks the next one's. */
  @Test
  void anEntryMadeAnewBreaksTheChain() {
    List<byte[]> stored = new ArrayList<>(use.stored());
    LedgerEntry entry = use.ledger.entries().get(5);
    UsageEvent event = entry.usage().orElseThrow();
    LedgerEntry anew =
        LedgerCodec.seal(
            7,
            5,
            entry.previous(),
            entry.recordedAt(),
            new Posting.Usage(
                new UsageEvent(
                    event.identity(), UsageQuantities.of(Map.of(Measure.RESIDENT_BYTES, 1L)))));
    stored.set(5, LedgerCodec.encode(anew));
    assertThat(differenceIn(stored))
        .isEqualTo(new Difference.ChainBroken(6, entry.hash(), anew.hash()));
  }

  /** Who makes all of them anew still has another head. */
  @Test
  void aLedgerMadeAnewHasAnotherHead() {
    TenantLedger anew = new TenantLedger(Use.ACME, 7);
    use.told.forEach(event -> anew.post(event, Use.NOW.plusSeconds(1)));
    anew.correct((Posting.Correction) use.ledger.entries().getLast().posting(), Use.NOW);
    List<byte[]> stored = anew.entries().stream().map(LedgerCodec::encode).toList();
    assertThat(differenceIn(stored))
        .isEqualTo(new Difference.HeadDiffers(invoice.head().hash(), anew.head().hash()));
  }

  // ---- events

  @Test
  void eventsThatWereToldAndAreNotKeptAreNamed() {
    UsageEvent late =
        use.event(
            Use.minute("2026-03-04T00:00:00Z"), SharingLevel.SHARED, Map.of(Measure.READS, 1L));
    use.told.add(late);
    assertThat(new BillVerifier(invoice, CARDS).verify(use.stored(), use.told))
        .contains(new Difference.EventMissing(late.identity()));
  }

  @Test
  void eventsThatWereNotToldOrOtherwiseAreNamed() {
    UsageEvent first = use.told.removeFirst();
    assertThat(new BillVerifier(invoice, CARDS).verify(use.stored(), use.told))
        .contains(new Difference.EventUnknown(0, first.identity()));
    use.told.add(
        new UsageEvent(first.identity(), UsageQuantities.of(Map.of(Measure.RESIDENT_BYTES, 5L))));
    assertThat(new BillVerifier(invoice, CARDS).verify(use.stored(), use.told))
        .contains(
            new Difference.EventDiffers(
                0, first.identity(), Measure.RESIDENT_BYTES, 5, 42_000_000_060L));
  }

  // ---- the invoice

  private Invoice withLine(int line, UnaryOperator<InvoiceLine> change) {
    List<InvoiceLine> lines = new ArrayList<>(invoice.lines());
    lines.set(line, change.apply(lines.get(line)));
    return withLines(lines);
  }

  private Invoice withLines(List<InvoiceLine> lines) {
    return new Invoice(
        invoice.id(),
        invoice.tenant(),
        7,
        invoice.period(),
        invoice.currency(),
        lines,
        invoice.credit(),
        invoice.total(),
        invoice.head());
  }

  private static InvoiceLine with(
      InvoiceLine line,
      BigDecimal quantity,
      BigDecimal free,
      BigDecimal unitPrice,
      BigDecimal amount) {
    return new InvoiceLine(
        line.card(),
        line.from(),
        line.to(),
        line.measure(),
        line.basis(),
        line.sharing(),
        line.persistence(),
        line.band(),
        quantity,
        free,
        line.per(),
        unitPrice,
        amount);
  }

  @Test
  void theLineThatDiffersIsNamedAndHow() {
    InvoiceLine line = invoice.lines().getFirst();
    BigDecimal more = line.quantity().add(BigDecimal.ONE);
    assertThat(differenceIn(withLine(0, l -> with(l, more, l.free(), l.unitPrice(), l.amount()))))
        .isEqualTo(new Difference.QuantityDiffers(0, line.sku(), line.quantity(), more));
    assertThat(
            differenceIn(
                withLine(0, l -> with(l, l.quantity(), BigDecimal.ONE, l.unitPrice(), l.amount()))))
        .isEqualTo(new Difference.FreeDiffers(0, line.sku(), BigDecimal.ZERO, BigDecimal.ONE));
    assertThat(
            differenceIn(
                withLine(
                    0, l -> with(l, l.quantity(), l.free(), new BigDecimal("0.09"), l.amount()))))
        .isEqualTo(
            new Difference.PriceDiffers(
                0, line.sku(), "0.08 for 500000000 B", "0.09 for 500000000 B"));
    BigDecimal up = line.amount().add(line.amount().ulp());
    assertThat(differenceIn(withLine(0, l -> with(l, l.quantity(), l.free(), l.unitPrice(), up))))
        .isEqualTo(new Difference.RoundingDiffers(0, line.sku(), line.amount(), up));
    BigDecimal dear = line.amount().add(BigDecimal.ONE);
    assertThat(differenceIn(withLine(0, l -> with(l, l.quantity(), l.free(), l.unitPrice(), dear))))
        .isEqualTo(new Difference.AmountDiffers(0, line.sku(), line.amount(), dear));
  }

  @Test
  void linesThatAreMissingOrTooManyAreNamed() {
    List<InvoiceLine> lines = new ArrayList<>(invoice.lines());
    InvoiceLine second = lines.remove(1);
    assertThat(differenceIn(withLines(lines)))
        .isEqualTo(new Difference.LineMissing(1, second.sku()));
    assertThat(differenceIn(withLines(invoice.lines().subList(0, 3))))
        .isEqualTo(new Difference.LineMissing(3, invoice.lines().get(3).sku()));
    lines = new ArrayList<>(invoice.lines());
    lines.add(second);
    assertThat(differenceIn(withLines(lines)))
        .isEqualTo(new Difference.LineUnknown(4, second.sku()));
  }

  @Test
  void otherCardsMakeAnotherPrice() {
    RateCard dearer =
        RateCardCodec.decode(
            RateCardCodec.encode(RateCard.paper())
                .replace("\"peak\":\"0.08\"", "\"peak\":\"0.1\""));
    assertThat(new BillVerifier(invoice, RateCards.of(dearer)).verify(use.stored()))
        .containsInstanceOf(Difference.PriceDiffers.class);
  }

  @Test
  void theTotalIsChecked() {
    Invoice changed =
        new Invoice(
            invoice.id(),
            invoice.tenant(),
            7,
            invoice.period(),
            invoice.currency(),
            invoice.lines(),
            invoice.credit(),
            invoice.total().add(BigDecimal.ONE),
            invoice.head());
    assertThat(differenceIn(changed).text())
        .startsWith("the invoice's total is 1.")
        .contains(", and should be 0.");
  }
}
