package io.keyvalueserve.billing.spending;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.billing.metering.UsageQuantities;
import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.billing.pricing.PeakCalendar;
import io.keyvalueserve.billing.pricing.PeakWindow;
import io.keyvalueserve.billing.pricing.Rate;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.gates.admission.Admission;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Goal: what the operator says of a tenant's money is what doors are told, on all members. */
class SpendingsTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final Currency DOLLAR = Currency.getInstance("USD");
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final YearMonth MARCH = YearMonth.of(2026, 3);

  /** A Monday, outside the peak hours. */
  private Instant now = Instant.parse("2026-03-02T06:00:00Z");

  private final InstantSource clock = () -> now;
  private final Store store = new Store();
  private final SpendCaps caps = new SpendCaps(store);

  /** One member, and what it told ledgers. */
  private final class Node {
    final UUID id = UUID.randomUUID();
    final UUID life = UUID.randomUUID();
    final Admissions admissions = new Admissions(() -> 0, clock);
    long interval;

    Node() {
      store.subscribe(admissions.spendings()::apply);
      admissions.spendings().setPrices(cards("0.02", "0.01"));
    }

    Admission acme() {
      return admissions.of(new Identity(ACME, 1, "key"));
    }

    Spendings spendings() {
      return admissions.spendings();
    }

    @Nullable NotAdmitted read() {
      return acme().admit(Measure.READS, 1, 0);
    }

    /** Tells what it used in an interval, and returns which that was. */
    long tell() {
      long told = interval++;
      spendings()
          .telling(
              List.of(
                  new UsageEvent(
                      new UsageIdentity(
                          life, 0, told, ACME, 1, null, SharingLevel.SHARED, 29_540_000),
                      UsageQuantities.of(Map.of(Measure.READS, 1L)))));
      return told;
    }
  }

  /** Members that tell the first one what they spend, and are told by it. */
  private static void exchange(List<Node> nodes) {
    SpendAdder adder = nodes.getFirst().spendings().adder();
    adder.setMembers(nodes.stream().map(node -> node.id).toList());
    nodes.forEach(node -> adder.take(node.spendings().report(node.id)));
    nodes.forEach(node -> node.spendings().hear(adder.totalsFor(node.id)));
  }

  private static RateCards cards(String peak, String offPeak) {
    return RateCards.of(
        new RateCard(
            "test",
            LocalDate.of(2026, 1, 1),
            null,
            new PeakCalendar(
                UTC,
                List.of(
                    PeakWindow.of(
                        EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY), "08:00", "20:00")),
                Set.of()),
            DOLLAR,
            9,
            List.of(
                Rate.of(Measure.READS, Basis.AMOUNT, 1, peak, offPeak),
                Rate.of(Measure.BYTES_OUT, Basis.AMOUNT, 100, peak, offPeak)),
            RateCard.paper().sharing(),
            BigDecimal.ZERO));
  }

  private static SpendLimit throttling(String amount, int burstPercent) {
    return new SpendLimit(
        new BigDecimal(amount), DOLLAR, SpendAction.THROTTLE, burstPercent, List.of(50, 80, 100));
  }

  private static SpendLimit refusing(String amount) {
    return SpendLimit.refusing(new BigDecimal(amount), DOLLAR);
  }

  private static int admitted(Node node, int of) {
    int admitted = 0;
    for (int i = 0; i < of; i++) {
      admitted += node.read() == null ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void requestsTakeTheirPriceUntilTheCapAndAgainInTheNextMonth() {
    Node node = new Node();
    assertThat(admitted(node, 1000)).as("without a cap").isEqualTo(1000);
    caps.set(ACME, 1, refusing("1"), null);
    assertThat(admitted(node, 1000)).isEqualTo(100);
    NotAdmitted why = requireNonNull(node.read());
    assertThat(why.isRefused()).isTrue();
    assertThat(why.retryAfterMillis()).isZero();
    assertThat(why.message())
        .isEqualTo(
            "spend cap: the tenant's 1 USD a month are used up until 2026-04-01T00:00:00Z; have the"
                + " cap raised");
    assertThat(node.acme().admit(null, 1, 0)).as("a PING").isNull();
    assertThat(node.admissions.of(new Identity(new TenantName("globex"), 2, "key")).admit(1, 1))
        .isNull();
    now = Instant.parse("2026-04-01T00:00:00Z");
    assertThat(admitted(node, 1000)).isEqualTo(100);
  }

  @Test
  void whoIsThrottledIsToldWhenToComeAgain() {
    Node node = new Node();
    now = Instant.parse("2026-03-01T00:00:00Z");
    caps.set(ACME, 1, throttling("31", 10), null);
    assertThat(admitted(node, 1000)).isEqualTo(310);
    NotAdmitted why = requireNonNull(node.read());
    assertThat(why.isRefused()).isFalse();
    assertThat(why.retryAfterMillis()).isEqualTo(60_000);
    assertThat(why.message()).startsWith("spend cap: ").endsWith("retry after 60000 ms");
    now = now.plusSeconds(24 * 3600); // a day brings 0.9 of a dollar
    assertThat(admitted(node, 1000)).isEqualTo(90);
  }

  @Test
  void answersAreChargedAndPricesFollowTheHours() {
    Node node = new Node();
    caps.set(ACME, 1, refusing("1"), null);
    node.acme().sent(5_000); // 0.5
    assertThat(admitted(node, 1000)).isEqualTo(50);
    caps.set(ACME, 1, refusing("2"), null);
    now = Instant.parse("2026-03-02T08:00:00Z");
    node.spendings().setPrices(cards("0.02", "0.01"));
    assertThat(admitted(node, 1000)).as("at peak hours").isEqualTo(50);
    caps.set(ACME, 1, refusing("3"), null);
    node.spendings().setPrices(cards("0.1", "0.01"));
    assertThat(admitted(node, 1000)).as("by other cards").isEqualTo(10);
  }

  @Test
  void batchesAreAdmittedWholeOrNotAtAll() {
    Node node = new Node();
    caps.set(ACME, 1, refusing("1"), null);
    assertThat(node.acme().admit(60, 5, 5, 0)).isNull();
    assertThat(node.acme().admit(60, 0, 0, 0)).isNotNull();
    assertThat(node.acme().admit(40, 0, 0, 0)).isNull();
    assertThat(node.acme().throttled()).isEqualTo(1);
  }

  @Test
  void aCapThatIsRaisedOrClearedHoldsAtOnce() {
    Node node = new Node();
    caps.set(ACME, 1, refusing("1"), null);
    assertThat(admitted(node, 1000)).isEqualTo(100);
    caps.set(ACME, 1, refusing("1.5"), null);
    assertThat(admitted(node, 1000)).as("what was spent stays spent").isEqualTo(50);
    caps.clear(ACME, 2);
    assertThat(node.read()).as("another tenant's is cleared").isNotNull();
    caps.clear(ACME, 1);
    assertThat(admitted(node, 1000)).isEqualTo(1000);
    assertThat(caps.get(ACME, 1)).isEmpty();
  }

  @Test
  void membersTogetherKeepToTheCap() {
    List<Node> nodes = List.of(new Node(), new Node(), new Node());
    caps.set(ACME, 1, refusing("3"), null);
    SpendAdder adder = nodes.getFirst().spendings().adder();
    adder.setLedger(1, new LedgerSpent(MARCH, 0, Map.of()));
    exchange(nodes);
    int all = 0;
    for (int i = 0; i < 1000; i++) {
      all += nodes.get(i % 2).read() == null ? 1 : 0; // the third has nothing to do
      exchange(nodes);
    }
    assertThat(all).as("each leaves the others their part of what is left").isEqualTo(298);
    assertThat(adder.total(1)).hasValue(2_980_000_000L);
    assertThat(nodes.get(2).read()).isNotNull();
  }

  @Test
  void nothingCountsTwiceOrIsMissingWhenTheLedgerHasIt() {
    List<Node> nodes = List.of(new Node(), new Node());
    Node one = nodes.get(0);
    Node two = nodes.get(1);
    caps.set(ACME, 1, refusing("10"), null);
    SpendAdder adder = one.spendings().adder();
    adder.setLedger(1, new LedgerSpent(MARCH, 0, Map.of()));
    assertThat(admitted(one, 30) + admitted(two, 20)).isEqualTo(50);
    long first = one.tell();
    assertThat(admitted(one, 5)).isEqualTo(5);
    exchange(nodes);
    assertThat(adder.total(1)).hasValue(550_000_000L);
    adder.setLedger(1, new LedgerSpent(MARCH, 300_000_000, Map.of(one.life, first)));
    exchange(nodes);
    assertThat(adder.total(1)).as("the ledger has what one told").hasValue(550_000_000L);
    long second = two.tell();
    long third = one.tell();
    exchange(nodes);
    assertThat(adder.total(1)).as("told and not there yet").hasValue(550_000_000L);
    adder.setLedger(
        1, new LedgerSpent(MARCH, 1_550_000_000, Map.of(one.life, third, two.life, second)));
    exchange(nodes);
    assertThat(adder.total(1)).as("and a dollar for what is held").hasValue(1_550_000_000L);
    assertThat(requireNonNull(two.spendings().state(1)).spentNanos()).isEqualTo(1_550_000_000L);
    assertThat(admitted(one, 1)).isEqualTo(1);
    adder.setMembers(List.of(two.id));
    assertThat(adder.total(1)).as("what a dead member did not tell").hasValue(1_550_000_000L);
  }

  @Test
  void aMonthThatIsOverDoesNotCountInTheNext() {
    List<Node> nodes = List.of(new Node(), new Node());
    caps.set(ACME, 1, refusing("1"), null);
    SpendAdder adder = nodes.getFirst().spendings().adder();
    adder.setLedger(1, new LedgerSpent(MARCH, 700_000_000, Map.of()));
    exchange(nodes);
    assertThat(admitted(nodes.get(1), 100)).isEqualTo(15); // and as many for the other member
    now = Instant.parse("2026-04-01T00:00:00Z");
    exchange(nodes);
    assertThat(requireNonNull(nodes.get(1).spendings().state(1)).spentNanos()).isZero();
    adder.setLedger(1, new LedgerSpent(MARCH.plusMonths(1), 0, Map.of()));
    exchange(nodes);
    assertThat(adder.total(1)).hasValue(0);
    assertThat(admitted(nodes.get(1), 100)).isEqualTo(50);
  }

  @Test
  void itIsKnownWhenEveryTotalWasHeard() {
    Node node = new Node();
    assertThat(node.spendings().hasHeardAll()).isTrue();
    caps.set(ACME, 1, refusing("1"), null);
    assertThat(node.spendings().hasHeardAll()).isFalse();
    node.spendings().adder().setLedger(1, new LedgerSpent(MARCH, 2_000_000_000, Map.of()));
    exchange(List.of(node));
    assertThat(node.spendings().hasHeardAll()).isTrue();
    assertThat(node.read()).as("the ledger says that it is used up").isNotNull();
    Spendings.State state = requireNonNull(node.spendings().state(1));
    assertThat(state.waitMillis()).isEqualTo(SpendCap.REFUSED);
    assertThat(state.period().month()).isEqualTo(MARCH);
  }

  @Test
  void oneAloneWarnsAndAnewWhenTheAmountIsAnother() {
    caps.set(
        ACME,
        1,
        refusing("1"),
        new Hook("https://hooks.example/x", "a secret that is long".replace(' ', '-')));
    TenantCap cap = caps.get(ACME, 1).orElseThrow();
    SpendWarning warning =
        new SpendWarning(new BillingPeriod(MARCH, UTC), 50, new BigDecimal("0.5"), BigDecimal.ONE);
    TenantCap.Warning noted = requireNonNull(caps.warn(cap, warning, 5, false));
    assertThat(noted.id()).isEqualTo("1-2026-03-50-1");
    assertThat(noted.isTold()).isFalse();
    assertThat(caps.warn(cap, warning, 6, false)).as("another member found it too").isNull();
    caps.told(ACME, noted.id());
    assertThat(caps.get(ACME, 1).orElseThrow().warnings(MARCH))
        .singleElement()
        .matches(TenantCap.Warning::isTold);
    caps.set(ACME, 1, throttling("1", 20), null);
    assertThat(caps.get(ACME, 1).orElseThrow().hasWarned(MARCH, 50)).isTrue();
    caps.set(ACME, 1, refusing("2"), null);
    assertThat(caps.get(ACME, 1).orElseThrow().hasWarned(MARCH, 50)).isFalse();
    assertThat(caps.warn(cap, warning, 7, false)).as("of the cap before").isNull();
    assertThat(refusing("1").reached(800_000_000)).containsExactly(50, 80);
    assertThat(refusing("1").reached(799_999_999)).containsExactly(50);
  }

  @Test
  void recordsAreReadAsTheyWereWritten() {
    caps.set(
        ACME, 1, throttling("12.50", 7), new Hook("http://h.example:1/a?b", "0123456789abcdef"));
    TenantCap cap = caps.get(ACME, 1).orElseThrow();
    var _ =
        caps.warn(
            cap,
            new SpendWarning(
                new BillingPeriod(MARCH, UTC), 80, new BigDecimal("10.1"), new BigDecimal("12.5")),
            7,
            true);
    TenantCap warned = caps.get(ACME, 1).orElseThrow();
    assertThat(CapCodec.decode(CapCodec.encode(warned))).isEqualTo(warned);
    assertThat(warned.toString()).doesNotContain("0123456789abcdef");
    caps.clear(ACME, 1);
    TenantCap cleared = store.get(ACME).orElseThrow();
    assertThat(CapCodec.decode(CapCodec.encode(cleared))).isEqualTo(cleared);
    assertThatThrownBy(() -> CapCodec.decode("{\"v\":1,\"tenant\":\"acme\"}"))
        .hasMessageContaining("lacks the field");
  }

  @Test
  void hooksThatCannotBeAreNamedWithTheirRemedy() {
    for (String url :
        List.of("ftp://h/x", "//h/x", "http:///x", "https://user:pass@h/", "no url", "")) {
      assertThatThrownBy(() -> new Hook(url, "0123456789abcdef"))
          .as(url)
          .isInstanceOf(InvalidSpendLimitException.class)
          .hasMessageContaining("webhook.url");
    }
    assertThatThrownBy(() -> new Hook("http://h/x", "short")).hasMessageContaining("16 to 200");
    assertThatThrownBy(() -> SpendAction.ofLabel("stop")).hasMessageContaining("throttle");
  }

  /** Caps in memory. */
  private static final class Store implements CapStore {
    private final Map<TenantName, TenantCap> records = new HashMap<>();
    private final List<Consumer<TenantCap>> listeners = new ArrayList<>();

    @Override
    public Optional<TenantCap> get(TenantName name) {
      return Optional.ofNullable(records.get(name));
    }

    @Override
    public Collection<TenantCap> all() {
      return List.copyOf(records.values());
    }

    @Override
    public boolean replace(@Nullable TenantCap expected, TenantCap next) {
      TenantCap found = records.get(next.tenant());
      if ((found == null) != (expected == null)
          || (found != null && expected != null && found.revision() != expected.revision())) {
        return false;
      }
      records.put(next.tenant(), next);
      listeners.forEach(listener -> listener.accept(next));
      return true;
    }

    @Override
    public void subscribe(Consumer<TenantCap> listener) {
      listeners.add(listener);
      records.values().forEach(listener);
    }
  }
}
