package io.keyvalueserve.billing.spending;

import io.keyvalueserve.billing.pricing.BillingPeriod;
import java.math.BigDecimal;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.Currency;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Goal: what many threads spend has an order in which one thread could have spent it. Method:
 * Lincheck in stress mode; each operation has a time of its own, forwards or backwards, in days.
 */
@Param(name = "amount", gen = IntGen.class, conf = "0:7")
@Param(name = "day", gen = IntGen.class, conf = "0:19")
public class SpendCapLincheckTest {
  private static final BillingPeriod APRIL =
      new BillingPeriod(YearMonth.of(2026, 4), ZoneId.of("UTC"));
  private static final long DAY = 86_400_000;

  /** 10 nano units at once, and 20 more in the 30 days of April: 2 in 3 days. */
  private final SpendCap cap =
      new SpendCap(
          new SpendLimit(
              BigDecimal.valueOf(30, 9),
              Currency.getInstance("EUR"),
              SpendAction.THROTTLE,
              34,
              List.of()),
          new SpendTotal(APRIL, 0, 0, 1),
          0);

  @Test
  void spendingIsLinearizable() {
    new StressOptions()
        .iterations(8)
        .invocationsPerIteration(300)
        .threads(3)
        .actorsBefore(1)
        .actorsPerThread(4)
        .actorsAfter(2)
        .sequentialSpecification(Plain.class)
        .minimizeFailedScenario(false)
        .check(SpendCapLincheckTest.class);
  }

  @Operation
  public boolean take(@Param(name = "amount") int amount, @Param(name = "day") int day) {
    return cap.take(amount, APRIL.start().toEpochMilli() + day * DAY) == 0;
  }

  @Operation
  public void charge(@Param(name = "amount") int amount, @Param(name = "day") int day) {
    cap.charge(amount, APRIL.start().toEpochMilli() + day * DAY);
  }

  @Operation
  public long spent() {
    return cap.knownNanos(APRIL.start().toEpochMilli());
  }

  /** What such a cap should be. */
  public static final class Plain {
    private long spent;

    public boolean take(int amount, int day) {
      if (spent + amount > 10 + 20 * day / 30) {
        return false;
      }
      charge(amount, day);
      return true;
    }

    public void charge(int amount, int day) {
      spent += amount;
    }

    public long spent() {
      return spent;
    }
  }
}
