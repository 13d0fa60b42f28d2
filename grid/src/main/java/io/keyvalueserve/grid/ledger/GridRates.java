package io.keyvalueserve.grid.ledger;

import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.pricing.RateCardsCodec;
import io.keyvalueserve.grid.catalogue.GridSettings;

/**
 * The operator's prices, the same on all members: they are read from the grid whenever somebody
 * asks. Blocks; thread-safe.
 */
public final class GridRates {
  private static final String NAME = "rate-cards";
  private static final RateCards USUAL = RateCards.of(RateCard.paper());

  private final GridSettings settings;

  /** The prices as this member reaches them. */
  public GridRates(GridSettings settings) {
    this.settings = settings;
  }

  /** The cards that hold; {@link RateCard#paper} until others are set. */
  public RateCards cards() {
    return settings.get(NAME).map(RateCardsCodec::decode).orElse(USUAL);
  }

  /** Sets them all. When it returns they hold on every member. */
  public void set(RateCards cards) {
    settings.put(NAME, RateCardsCodec.encode(cards));
  }
}
