package io.keyvalueserve.maps;

import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.operation.OperationSenders;
import com.hazelcast.spi.impl.operationservice.BackupOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.store.Records;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Knows which maps charge writers, and the usage of each tenant that writes, by the tenants'
 * numbers. Thread-safe; asking takes no lock.
 */
public final class Writers {
  /** The number that stands for the owner of the map. */
  public static final int OWNER = ClientIds.NOBODY;

  /** The number that stands for no writer: entries are only moved. */
  static final int NOBODY = -1;

  private final Set<String> charging = ConcurrentHashMap.newKeySet();
  private volatile int changes;
  private volatile boolean settingsKnown = true;
  private IntFunction<@Nullable TenantHoldings> usages = number -> null;

  /** Says what tenants keep, by their numbers; null if there is none. Before the member starts. */
  void countFor(IntFunction<@Nullable TenantHoldings> next) {
    usages = next;
  }

  /** Has a map charge writers, or no longer. */
  synchronized void charge(String map, boolean writers) {
    boolean changed = writers ? charging.add(map) : charging.remove(map);
    if (changed) {
      tenantsChange();
    }
  }

  /**
   * The settings of maps are known from now on, or will be: until then all writers are noted, and
   * none is charged.
   */
  public void settingsKnown(boolean now) {
    settingsKnown = now;
    tenantsChange();
  }

  /** Returns whether records of a map are to have the numbers of their writers. */
  boolean areNoted(String map) {
    return !settingsKnown || areCharged(map);
  }

  /** Numbers may mean other tenants than before, or others may be charged. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // guarded
  synchronized void tenantsChange() {
    changes++;
  }

  /** Moves on when something is different: then what was asked is to be asked again. */
  int changes() {
    return changes;
  }

  /** Returns whether a map charges writers. */
  public boolean areCharged(String map) {
    return charging.contains(map);
  }

  /** Returns the usage of the tenant with a number; null if there is no such tenant. */
  @Nullable TenantHoldings usage(int number) {
    return number == OWNER ? null : usages.apply(number);
  }

  /** The number of the tenant that an operation writes for; {@link #NOBODY} if it only copies. */
  int of(@Nullable Operation operation) {
    if (operation instanceof OfTenant known) {
      return number(known.tenant());
    }
    if (!(operation instanceof MapOperation) || operation instanceof BackupOperation) {
      return NOBODY;
    }
    UUID client = OperationSenders.of(operation);
    return client == null ? OWNER : number(ClientIds.tenantOf(client));
  }

  /** The number that a record can have of a tenant. */
  static int number(int tenant) {
    return tenant > Records.MOST_TENANT ? OWNER : tenant;
  }
}
