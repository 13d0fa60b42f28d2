package io.keyvalueserve.billing.pricing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateCardTest {
  private static final RateCard PAPER = RateCard.paper();
  private static final String TEXT = RateCardCodec.encode(PAPER);

  private static void assertRefused(ThrowingCallable call, String field, String... words) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidRateCardException.class)
        .hasMessageContainingAll(words)
        .extracting("field")
        .isEqualTo(field);
  }

  private static RateCard card(String id, String from, String to, String zone) {
    return new RateCard(
        id,
        LocalDate.parse(from),
        to.isEmpty() ? null : LocalDate.parse(to),
        PeakCalendar.never(ZoneId.of(zone)),
        PAPER.currency(),
        PAPER.lineScale(),
        PAPER.rates(),
        PAPER.sharing(),
        PAPER.freeSpend());
  }

  private static RateCard withRates(Rate... rates) {
    return new RateCard(
        "c",
        PAPER.from(),
        null,
        PAPER.calendar(),
        PAPER.currency(),
        6,
        List.of(rates),
        PAPER.sharing(),
        BigDecimal.ZERO);
  }

  /** What is stored today is read by programs of tomorrow. */
  @Test
  void formIsStable() {
    assertThat(TEXT)
        .isEqualTo(
            "{\"v\":1,\"id\":\"paper-2018\",\"from\":\"2000-01-01\",\"currency\":\"USD\","
                + "\"lineScale\":6,\"calendar\":{\"zone\":\"UTC\",\"holidays\":[],\"windows\":["
                + "{\"days\":[\"MONDAY\",\"TUESDAY\",\"WEDNESDAY\",\"THURSDAY\",\"FRIDAY\"],"
                + "\"from\":\"08:00\",\"to\":\"20:00\"}]},\"rates\":["
                + "{\"measure\":\"residentBytes\",\"basis\":\"amount\",\"per\":500000000,"
                + "\"peak\":\"0.08\",\"offPeak\":\"0\",\"weight\":\"1\",\"free\":\"0\"},"
                + "{\"measure\":\"residentBytes\",\"basis\":\"duration\",\"per\":60,"
                + "\"peak\":\"0.065\",\"offPeak\":\"0.065\",\"weight\":\"1\",\"free\":\"0\"},"
                + "{\"measure\":\"mapReservations\",\"basis\":\"volume\",\"per\":3600,"
                + "\"peak\":\"0.01\",\"offPeak\":\"0.01\",\"weight\":\"1\",\"free\":\"0\"},"
                + "{\"measure\":\"memberReservations\",\"basis\":\"volume\",\"per\":3600,"
                + "\"peak\":\"0.1\",\"offPeak\":\"0.1\",\"weight\":\"1\",\"free\":\"0\"}],"
                + "\"sharing\":{\"reservedMap\":\"1.25\",\"reservedMember\":\"2\"},"
                + "\"freeSpend\":\"0\"}");
    assertThat(RateCardCodec.decode(TEXT)).isEqualTo(PAPER);
    assertThat(Arrays.stream(Basis.values()).map(Basis::label))
        .containsExactly("amount", "duration", "volume");
    assertThat(Arrays.stream(TimeBand.values()).map(TimeBand::label))
        .containsExactly("peak", "offPeak");
  }

  @Test
  void numbersAreReadExactlyHoweverTheyAreWritten() {
    RateCard card =
        RateCardCodec.decode(
            TEXT.replace("\"peak\":\"0.08\"", "\"peak\":0.080000000001")
                .replace("\"peak\":\"0.065\"", "\"peak\":65e-3"));
    assertThat(card.rates().get(0).peak()).isEqualTo(new BigDecimal("0.080000000001"));
    assertThat(card.rates().get(1)).isEqualTo(PAPER.rates().get(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"v\":1                | \"v\":2                      | v                    | set 1",
        "\"id\":\"paper-2018\"  | \"id\":\"-\"                 | id                   | letters",
        "2000-01-01             | 1999-12-31                   | from                 | 2000-01-01",
        "2000-01-01             | 1 May                        | from                 | write a day",
        "\"USD\"                | \"USDX\"                     | currency             | ISO 4217",
        "\"USD\",               | \"USD\",\"to\":\"2000-01-01\",| to                  | after",
        "\"lineScale\":6        | \"lineScale\":10             | lineScale            | 0 to 9",
        "\"lineScale\":6        | \"lineScale\":4294967298     | lineScale            | 0 to 9",
        "\"lineScale\":6,       | ~~                           | lineScale            | add it",
        "\"UTC\"                | \"Mars/Base\"                | calendar.zone        | IANA",
        "\"UTC\"                | \"+01:00\"                   | calendar.zone        | IANA",
        "\"08:00\"              | \"21:00\"                    | calendar.windows[0].to | after 21:00",
        "\"08:00\"              | 8                            | calendar.windows[0].from | a text",
        "\"MONDAY\"             | \"HOLIDAY\"                  | calendar.windows[0].days | MONDAY",
        "\"per\":500000000      | \"per\":0                    | rates[0].per         | 10^18 B",
        "\"per\":60             | \"per\":60,\"per\":61        | card                 | Duplicate",
        "\"per\":60             | \"per\":60.5                 | rates[1].per         | whole",
        "\"peak\":\"0.08\"      | \"peak\":\"-1\"              | rates[0].peak        | 0 or more",
        "\"peak\":\"0.08\"      | \"peak\":\"0.0800000000001\" | rates[0].peak        | 12 behind",
        "\"peak\":\"0.08\"      | \"peak\":\"1e999999999\"     | rates[0].peak        | 9 digits",
        "\"peak\":\"0.08\"      | \"peak\":\"cheap\"           | rates[0].peak        | decimal",
        "\"offPeak\":\"0.065\"  | \"offPeak\":\"0.07\"         | rates[1].offPeak     | no more than",
        "\"weight\":\"1\"       | \"weight\":\"0\"             | rates[0].weight      | more than 0",
        "\"free\":\"0\"         | \"free\":\"-1\"              | rates[0].free        | 0 or more",
        "\"free\":\"0\"         | \"fee\":\"0\"                | rates[0].fee         | spell",
        "\"residentBytes\"      | \"memory\"                   | rates[0].measure     | label",
        "\"residentBytes\"      | \"refused\"                  | rates[0].measure     | not served",
        "\"residentBytes\",\"basis\":\"amount\" | \"reads\",\"basis\":\"volume\" | rates[0].basis | not held",
        "\"basis\":\"duration\" | \"basis\":\"amount\"         | rates[1]             | already",
        "\"basis\":\"volume\"   | \"basis\":\"amount\"         | rates[2].basis       | 'volume'",
        "\"0.01\",\"offPeak\"   | \"0.1\",\"offPeak\"          | rates                | a higher one",
        "\"0.01\",\"weight\"    | \"0\",\"weight\"             | rates                | above 0",
        "\"mapReservations\"    | \"connections\"              | rates                | of neither",
        "\"1.25\"               | \"1\"                        | sharing.reservedMap  | more than 1",
        "\"2\"}                 | \"1.25\"}                    | sharing.reservedMember | 1.25",
        "\"freeSpend\":\"0\"    | \"freeSpend\":\"0.0000001\"  | freeSpend            | 6 behind",
        "{\"zone\"              | [{\"zone\"                   | card                 | JSON",
        "\"freeSpend\":\"0\"}   | \"freeSpend\":\"0\"}}        | card                 | JSON",
      })
  void everyWrongCardIsNamedWithItsRemedy(String part, String instead, String field, String word) {
    assertThat(TEXT).contains(part);
    String wrong = TEXT.replaceFirst(Pattern.quote(part), instead);
    assertRefused(() -> RateCardCodec.decode(wrong), field, word, field);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "7", "{}", "{\"v\":1}", "{\"v\":\"1\"}", "\u0000"})
  void otherThingsAreNoCards(String text) {
    assertThatThrownBy(() -> RateCardCodec.decode(text))
        .isInstanceOf(InvalidRateCardException.class);
  }

  @Test
  void numbersWithoutEndAreRefused() {
    assertThatThrownBy(
            () -> RateCardCodec.decode(TEXT.replace("\"0.08\"", "1e99999999999999999999")))
        .isInstanceOf(InvalidRateCardException.class);
    assertThatThrownBy(() -> RateCardCodec.decode(TEXT.replace("\"0.08\"", "1e-999999999")))
        .isInstanceOf(InvalidRateCardException.class);
    assertThatThrownBy(() -> RateCardCodec.decode("[".repeat(100_000)))
        .isInstanceOf(InvalidRateCardException.class);
  }

  @Test
  void theOrderOfReservationsHoldsWhateverThePricesAreFor() {
    Rate map = Rate.of(Measure.MAP_RESERVATIONS, Basis.VOLUME, 60, "0.01", "0.01");
    Rate member = Rate.of(Measure.MEMBER_RESERVATIONS, Basis.VOLUME, 3600, "0.59", "0.59");
    assertRefused(() -> withRates(map, member), "rates", "0.59", "higher");
    Rate dearer = Rate.of(Measure.MEMBER_RESERVATIONS, Basis.VOLUME, 3600, "0.61", "0.61");
    assertThat(withRates(map, dearer).rates()).hasSize(2);
    assertRefused(() -> withRates(map, dearer.weighing("0.5")), "rates", "higher");
  }

  @Test
  void whatIsNotSharedIsDearerButKeepingItIsNot() {
    Rate memory = PAPER.rates().get(1);
    assertThat(PAPER.unitPrice(memory, TimeBand.PEAK, SharingLevel.SHARED)).isEqualTo("0.065");
    assertThat(PAPER.unitPrice(memory.weighing("0.5"), TimeBand.PEAK, SharingLevel.RESERVED_MAP))
        .isEqualTo("0.040625");
    assertThat(PAPER.unitPrice(memory, TimeBand.PEAK, SharingLevel.RESERVED_MEMBER))
        .isEqualTo("0.13");
    assertThat(PAPER.unitPrice(PAPER.rates().get(3), TimeBand.PEAK, SharingLevel.RESERVED_MEMBER))
        .isEqualTo("0.1");
    assertThat(PAPER.unitPrice(PAPER.rates().get(0), TimeBand.OFF_PEAK, SharingLevel.SHARED))
        .isEqualTo("0");
  }

  @Test
  void cardsHoldOneAfterTheOther() {
    RateCard first = card("a", "2026-01-01", "2026-03-10", "Europe/Berlin");
    RateCard second = card("b", "2026-03-10", "", "Europe/Berlin");
    RateCards cards = new RateCards(List.of(second, first));
    assertThat(cards.cards()).containsExactly(first, second);
    long midnight = second.startMinute();
    assertThat(midnight * 60).isEqualTo(Instant.parse("2026-03-09T23:00:00Z").getEpochSecond());
    assertThat(cards.at(midnight - 1)).contains(first);
    assertThat(cards.at(midnight)).contains(second);
    assertThat(cards.at(first.startMinute() - 1)).isEmpty();
    assertThat(first.holdsOn(LocalDate.of(2026, 3, 9))).isTrue();
    assertThat(first.holdsOn(LocalDate.of(2026, 3, 10))).isFalse();
  }

  @Test
  void cardsThatDoNotFitAreNamed() {
    RateCard open = card("a", "2026-01-01", "", "UTC");
    RateCard closed = card("a", "2026-01-01", "2026-03-01", "UTC");
    assertRefused(
        () -> new RateCards(List.of(open, card("b", "2026-03-01", "", "UTC"))), "b.from", "'a'");
    assertRefused(
        () -> new RateCards(List.of(closed, card("b", "2026-03-02", "", "UTC"))),
        "b.from",
        "2026-03-01");
    assertRefused(
        () -> new RateCards(List.of(closed, card("b", "2026-03-01", "", "Asia/Tokyo"))),
        "b.calendar.zone",
        "UTC");
    assertRefused(() -> new RateCards(List.of()), "cards", "at least one");
    assertThat(new RateCards(List.of(closed)).at(closed.endMinute())).isEmpty();
  }

  @Test
  void weekendsAreOffPeakUnlessTheCardSaysOtherwise() {
    assertThat(PAPER.calendar().holidays()).isEqualTo(Set.of());
    assertThat(PAPER.calendar().band(minute("2026-03-06T12:00:00Z"))).isEqualTo(TimeBand.PEAK);
    assertThat(PAPER.calendar().band(minute("2026-03-07T12:00:00Z"))).isEqualTo(TimeBand.OFF_PEAK);
  }

  private static long minute(String instant) {
    return Instant.parse(instant).getEpochSecond() / 60;
  }
}
