package io.keyvalueserve.billing.pricing;

import static io.keyvalueserve.billing.pricing.InvalidRateCardException.require;

import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The rate cards that hold one after the other, each from where the one before ends. All are of one
 * time zone, currency and scale, so that an invoice has one of each. Immutable.
 */
public final class RateCards {
  private final List<RateCard> cards;

  /**
   * @param cards one or more, in any order
   * @throws InvalidRateCardException if they overlap, leave a gap or differ in what must be the
   *     same
   */
  public RateCards(List<RateCard> cards) {
    require(!cards.isEmpty(), "cards", "none", "name at least one card");
    this.cards = cards.stream().sorted(Comparator.comparing(RateCard::from)).toList();
    for (int i = 1; i < this.cards.size(); i++) {
      requireFit(this.cards.get(i - 1), this.cards.get(i));
    }
  }

  /** One card alone. */
  public static RateCards of(RateCard card) {
    return new RateCards(List.of(card));
  }

  private static void requireFit(RateCard before, RateCard next) {
    String name = next.id() + ".";
    LocalDate end = before.to();
    require(
        Objects.equals(end, next.from()),
        name + "from",
        next.from(),
        end == null
            ? "set the end of '" + before.id() + "' to that day: it is open"
            : "set " + end + ", where '" + before.id() + "' ends");
    require(
        before.calendar().zone().equals(next.calendar().zone()),
        name + "calendar.zone",
        next.calendar().zone(),
        "set " + before.calendar().zone() + ", as in '" + before.id() + "'");
    require(
        before.currency().equals(next.currency()),
        name + "currency",
        next.currency(),
        "set " + before.currency() + ", as in '" + before.id() + "'");
    require(
        before.lineScale() == next.lineScale(),
        name + "lineScale",
        next.lineScale(),
        "set " + before.lineScale() + ", as in '" + before.id() + "'");
  }

  /** The cards in the order in which they hold. */
  public List<RateCard> cards() {
    return cards;
  }

  /** The card that holds in a minute, since 1970; empty before the first and after the last. */
  public Optional<RateCard> at(long minute) {
    return cards.stream()
        .filter(card -> minute >= card.startMinute() && minute < card.endMinute())
        .findFirst();
  }

  /** Returns the time zone of all cards. */
  public ZoneId zone() {
    return cards.getFirst().calendar().zone();
  }

  /** Returns the currency of all prices. */
  public Currency currency() {
    return cards.getFirst().currency();
  }

  /** Decimals of an invoice's line. */
  public int lineScale() {
    return cards.getFirst().lineScale();
  }
}
