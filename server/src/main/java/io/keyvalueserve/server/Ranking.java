package io.keyvalueserve.server;

import io.keyvalueserve.tenancy.Limit;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The figures by which tenants can be ranked: the first ones have most of it. */
public enum Ranking {
  OPERATIONS(Limit.OPERATIONS.text(), TenantUsage::operationsPerSecond),
  BYTES_IN(Limit.BYTES_IN.text(), TenantUsage::bytesInPerSecond),
  BYTES_OUT(Limit.BYTES_OUT.text(), TenantUsage::bytesOutPerSecond),
  MEMORY(Limit.MEMORY.text(), TenantUsage::memoryBytes),
  CONNECTIONS(Limit.CONNECTIONS.text(), TenantUsage::connections),
  THROTTLED("throttled", TenantUsage::throttled),
  WAITED("waitedMillisPerSecond", TenantUsage::waited);

  private final String text;
  private final ToDoubleFunction<TenantUsage> figure;

  Ranking(String text, ToDoubleFunction<TenantUsage> figure) {
    this.text = text;
    this.figure = figure;
  }

  /** Its name, as answers name the figure. */
  public String text() {
    return text;
  }

  /** Returns the figure of a tenant. */
  public double of(TenantUsage usage) {
    return figure.applyAsDouble(usage);
  }

  /** The one of a name; empty if there is none. */
  public static Optional<Ranking> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
  }
}
