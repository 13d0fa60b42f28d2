package io.keyvalueserve.gates.admission;

import io.keyvalueserve.billing.spending.Purse;
import io.keyvalueserve.billing.spending.SpendAction;
import io.keyvalueserve.billing.spending.SpendCap;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A refusal because a tenant has spent what it may spend by now.
 *
 * @param cap how much it may spend in a month
 * @param currency of the cap
 * @param action what becomes of more
 * @param waitMillis when to try again: 1 or more; {@link SpendCap#REFUSED} for not in this month
 * @param monthEnds when it may spend anew
 */
public record OverCap(
    BigDecimal cap, Currency currency, SpendAction action, long waitMillis, Instant monthEnds)
    implements NotAdmitted {
  /** Nobody is told to wait for longer, as a cap may be raised. */
  private static final long LONGEST_MILLIS = TimeUnit.SECONDS.toMillis(60);

  /** Null if there is no cap any more. */
  static @Nullable OverCap of(Purse purse, long waitMillis) {
    Purse.Holds holds = purse.holds();
    return holds == null
        ? null
        : new OverCap(
            holds.limit().cap(),
            holds.limit().currency(),
            holds.limit().action(),
            waitMillis,
            holds.period().end());
  }

  @Override
  public long retryAfterMillis() {
    return action == SpendAction.REFUSE ? 0 : Math.min(waitMillis, LONGEST_MILLIS);
  }

  @Override
  public String message() {
    String ofMonth = cap.toPlainString() + " " + currency + " a month";
    return isRefused()
        ? "spend cap: the tenant's "
            + ofMonth
            + " are used up until "
            + monthEnds
            + "; have the cap raised"
        : "spend cap: the tenant has spent what it may by now of its "
            + ofMonth
            + "; retry after "
            + retryAfterMillis()
            + " ms";
  }
}
