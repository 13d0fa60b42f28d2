package io.keyvalueserve.server.http;

import io.keyvalueserve.billing.spending.TenantCap;
import io.keyvalueserve.server.Spending;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The caps and the spending of tenants on all members. These are the tenants that have spent the
 * largest part of their caps. Not thread-safe.
 */
final class SpendMetrics {
  /** The most tenants that have series. */
  static final int MOST = 100;

  private final MultiGauge caps;
  private final MultiGauge spent;
  private final MultiGauge warned;

  SpendMetrics(MeterRegistry registry) {
    caps =
        MultiGauge.builder("kvs.spend.cap")
            .description("What a tenant may spend in a month, where that is capped")
            .register(registry);
    spent =
        MultiGauge.builder("kvs.spend.spent")
            .description("What a tenant with a cap has spent in this month, on all members")
            .register(registry);
    warned =
        MultiGauge.builder("kvs.spend.warned")
            .description("The highest percent of its cap that was warned of in this month")
            .register(registry);
  }

  /** Takes the figures for the next scrape. */
  void update(Spending spending) {
    List<Row<?>> capRows = new ArrayList<>();
    List<Row<?>> spentRows = new ArrayList<>();
    List<Row<?>> warnedRows = new ArrayList<>();
    List<Spending.View> views =
        spending.allHere().stream()
            .sorted(Comparator.comparingDouble(SpendMetrics::part).reversed())
            .limit(MOST)
            .toList();
    for (Spending.View view : views) {
      Tags tags =
          Tags.of("tenant", view.tenant().value(), "currency", view.limit().currency().toString());
      capRows.add(Row.of(tags, view.limit().cap()));
      spentRows.add(Row.of(tags, view.spent()));
      warnedRows.add(Row.of(tags, highest(view.warnings())));
    }
    caps.register(capRows, true);
    spent.register(spentRows, true);
    warned.register(warnedRows, true);
  }

  /** The part of its cap that a tenant has spent. */
  private static double part(Spending.View view) {
    double cap = view.limit().cap().doubleValue();
    return cap > 0 ? view.spent().doubleValue() / cap : Double.MAX_VALUE;
  }

  private static int highest(List<TenantCap.Warning> warnings) {
    return warnings.stream().mapToInt(each -> each.warning().percent()).max().orElse(0);
  }
}
