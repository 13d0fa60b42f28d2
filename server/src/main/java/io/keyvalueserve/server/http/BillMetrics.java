package io.keyvalueserve.server.http;

import io.keyvalueserve.billing.ledger.BillOpenMetrics;
import io.keyvalueserve.server.Billing;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The usage and the bills of tenants for this month, as metrics. They are computed on request, but
 * at most once a minute, and for at most a twentieth of the time, as all ledgers may have to be
 * read. A caller waits for a second at most and then gets the previous figures. Not thread-safe.
 */
final class BillMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(BillMetrics.class);
  private static final long LEAST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int PAUSES = 19;
  private static final long PATIENCE_MILLIS = 1_000;

  private final Supplier<String> source;
  private final LongSupplier clock;
  private Figures latest;
  private @Nullable CompletableFuture<Figures> pending;

  /** The computed text, and the time until which it is good enough. */
  private record Figures(String text, long goodUntil) {}

  /**
   * @param source computes the families; may take long
   * @param clock nanoseconds
   */
  BillMetrics(Supplier<String> source, LongSupplier clock) {
    this.source = source;
    this.clock = clock;
    latest = new Figures("", clock.getAsLong());
  }

  /** The families of some tenants, without the end of the text. */
  static String of(Billing billing, Set<TenantName> tenants) {
    StringBuilder text = new StringBuilder();
    try {
      BillOpenMetrics.writeFamilies(billing.months(tenants), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** The families as OpenMetrics text, without its end; empty as long as there are none. */
  String families() {
    CompletableFuture<Figures> awaited = pending;
    if (awaited == null) {
      if (latest.goodUntil() - clock.getAsLong() > 0) {
        return latest.text();
      }
      awaited = CompletableFuture.supplyAsync(this::compute, BillMetrics::start);
      pending = awaited;
    }
    try {
      latest = awaited.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      pending = null;
    } catch (TimeoutException e) {
      LOG.debug("the bills for metrics take longer than {} ms", PATIENCE_MILLIS);
    } catch (ExecutionException e) {
      pending = null;
      LOG.warn("the bills for metrics cannot be had: {}", String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return latest.text();
  }

  private Figures compute() {
    long begun = clock.getAsLong();
    String text = source.get();
    long now = clock.getAsLong();
    return new Figures(text, now + Math.max(LEAST_PAUSE_NANOS, PAUSES * (now - begun)));
  }

  private static void start(Runnable task) {
    Thread _ = Thread.ofVirtual().name("kvs-bill-metrics").start(task);
  }
}
