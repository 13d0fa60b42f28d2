package io.keyvalueserve.grid.log;

import com.hazelcast.spi.impl.operationexecutor.impl.RunningOperations;
import com.hazelcast.spi.impl.operationservice.NamedOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The lines about errors that tenants cause: one a minute for each tenant. Thread-safe. Tenants
 * whose operations never fail take no memory here, and the others a few dozen bytes.
 */
final class TenantErrors {
  private static final int MOST_TENANTS = 10_000;

  private final Map<String, LogLimit> limits = new ConcurrentHashMap<>();

  /** Returns the tenant on whose object the calling thread runs an operation; null if on none. */
  @Nullable String tenantHere() {
    Operation operation = RunningOperations.here();
    return operation instanceof NamedOperation named ? tenantOf(named.getName()) : null;
  }

  /** Returns the tenant that an object belongs to, by its name in the grid; null if to none. */
  static @Nullable String tenantOf(@Nullable String object) {
    if (object == null) {
      return null;
    }
    for (int i = 0; i < object.length(); i++) {
      char each = object.charAt(i);
      if (each == '/' || each == ':') {
        return object.substring(0, i);
      }
    }
    return null;
  }

  /** Asks for a line about a tenant, as {@link LogLimit#take}. */
  long take(String tenant) {
    LogLimit limit = limits.get(tenant);
    if (limit == null) {
      if (limits.size() >= MOST_TENANTS) {
        limits.clear(); // it costs some lines more than one a minute
      }
      limit = limits.computeIfAbsent(tenant, _ -> LogLimit.aMinute(1));
    }
    return limit.take();
  }
}
