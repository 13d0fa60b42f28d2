package io.keyvalueserve.server.http;

import io.keyvalueserve.gates.TenantMeters.Reading;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.TenantName;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;

/**
 * The counters of requests that doors admitted and refused, by tenant and door. Some tenants have
 * series of their own. Those of all others are added up under the tenant {@code (rest)}. Not
 * thread-safe.
 */
final class TenantCounters {
  /** The figures of a reading, each a family of counters. */
  private enum Figure {
    OPERATIONS("kvs.operations", "Operations admitted", Reading::operations),
    REFUSED("kvs.refused", "Requests refused for want of a right", Reading::refused),
    BYTES_IN("kvs.bytes.in", "Bytes read from clients", Reading::bytesIn),
    BYTES_OUT("kvs.bytes.out", "Bytes written to clients", Reading::bytesOut);

    private final String family;
    private final String description;
    private final ToLongFunction<Reading> count;

    Figure(String family, String description, ToLongFunction<Reading> count) {
      this.family = family;
      this.description = description;
      this.count = count;
    }
  }

  private final MeterRegistry registry;
  private final Map<Series, Own> own = new HashMap<>();
  private final Map<Door, Rest> rest = new EnumMap<>(Door.class);

  private record Series(TenantName tenant, Door door) {}

  private record Own(AtomicReference<Reading> latest, List<Meter> meters) {}

  TenantCounters(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Takes the figures for the next scrape.
   *
   * @param chosen the tenants with series of their own
   */
  void update(List<Reading> readings, Set<TenantName> chosen) {
    Map<Door, List<Reading>> others = new EnumMap<>(Door.class);
    Set<Series> present = new HashSet<>();
    for (Reading reading : readings) {
      if (chosen.contains(reading.tenant())) {
        Series series = new Series(reading.tenant(), reading.door());
        present.add(series);
        own.computeIfAbsent(series, added -> own(added, reading)).latest().set(reading);
      } else {
        others.computeIfAbsent(reading.door(), door -> new ArrayList<>()).add(reading);
      }
    }
    own.entrySet().removeIf(each -> leaves(each.getKey(), each.getValue(), present, readings));
    others.forEach((door, each) -> rest.computeIfAbsent(door, this::rest).update(each));
  }

  private boolean leaves(Series series, Own gone, Set<Series> present, List<Reading> readings) {
    if (present.contains(series)) {
      return false;
    }
    gone.meters().forEach(registry::remove);
    boolean isDeleted =
        readings.stream().noneMatch(reading -> reading.tenant().equals(series.tenant()));
    if (!isDeleted) {
      rest.computeIfAbsent(series.door(), this::rest).joins(gone.latest().get());
    }
    return true;
  }

  private Own own(Series series, Reading first) {
    AtomicReference<Reading> latest = new AtomicReference<>(first);
    return new Own(
        latest,
        Arrays.stream(Figure.values())
            .<Meter>map(
                figure ->
                    FunctionCounter.builder(
                            figure.family, latest, now -> figure.count.applyAsLong(now.get()))
                        .description(figure.description)
                        .tag("tenant", series.tenant().value())
                        .tag("door", series.door().label())
                        .register(registry))
            .toList());
  }

  private Rest rest(Door door) {
    Rest added = new Rest();
    added.counters.forEach(
        (figure, counter) ->
            FunctionCounter.builder(figure.family, counter, RestCounter::shown)
                .description(figure.description)
                .tag("tenant", OwnTenants.REST)
                .tag("door", door.label())
                .register(registry));
    return added;
  }

  /** The sum of all other tenants at one door. */
  private static final class Rest {
    final Map<Figure, RestCounter> counters = new EnumMap<>(Figure.class);

    Rest() {
      for (Figure figure : Figure.values()) {
        counters.put(figure, new RestCounter());
      }
    }

    void update(List<Reading> others) {
      counters.forEach(
          (figure, counter) -> {
            long _ = counter.update(others.stream().mapToLong(figure.count).sum());
          });
    }

    void joins(Reading last) {
      counters.forEach((figure, counter) -> counter.joins(figure.count.applyAsLong(last)));
    }
  }
}
