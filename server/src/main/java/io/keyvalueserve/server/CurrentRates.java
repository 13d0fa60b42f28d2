package io.keyvalueserve.server;

import io.keyvalueserve.billing.pricing.RateCards;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The prices that hold, for those who may not wait: looked up once a second. A bill is made of
 * those that the grid has. Thread-safe.
 */
final class CurrentRates implements Supplier<RateCards>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CurrentRates.class);

  private final Supplier<RateCards> source;
  private final RepeatedWarning failures =
      new RepeatedWarning(LOG, "the prices could not be looked up, those known before hold");
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("kvs-prices").factory());
  private volatile RateCards current;

  /**
   * @param source asks the grid; may block
   */
  CurrentRates(Supplier<RateCards> source) {
    this.source = source;
    this.current = source.get();
    ScheduledFuture<?> _ = timer.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  /** Asks again. Called every second. */
  void look() {
    try {
      current = source.get();
    } catch (RuntimeException e) {
      failures.because(e);
    }
  }

  @Override
  public RateCards get() {
    return current;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
