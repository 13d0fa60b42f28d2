package io.keyvalueserve.grid.hd;

import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.operation.OperationSenders;
import com.hazelcast.spi.impl.operationservice.BackupOperation;
import com.hazelcast.spi.impl.operationservice.MutatingOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.tenancy.admission.Usage;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which maps charge writers, who the writers are, by their tenants' numbers, and what each of them
 * keeps. Thread-safe; asking takes no lock.
 */
public final class Writers {
  /** In the place of a tenant's number: the owner of the map. */
  public static final int OWNER = 0;

  /** In the place of a number: nobody writes, what is there is put elsewhere. */
  static final int NOBODY = -1;

  private final Set<String> charging = ConcurrentHashMap.newKeySet();
  private volatile int changes;
  private volatile boolean needed;
  private volatile boolean settingsKnown = true;
  private IntFunction<@Nullable Usage> usages = number -> null;
  private Clients clients = Clients.NONE;

  /** Whose the clients are that have sent operations. Thread-safe. */
  public interface Clients {
    /** There are none. */
    Clients NONE =
        new Clients() {
          @Override
          public int tenantOf(UUID client) {
            return OWNER;
          }

          @Override
          public void require(Operation operation, UUID client) {}
        };

    /** The number of a client's tenant; {@link Writers#OWNER} if it is not known. */
    int tenantOf(UUID client);

    /**
     * Finds out whose a client is, if that can be: before its operation is carried out.
     *
     * @throws com.hazelcast.spi.exception.RetryableHazelcastException if the operation is to come
     *     again, when it will be known
     */
    void require(Operation operation, UUID client);
  }

  /** Says what tenants keep, by their numbers; null if there is none. Before the member starts. */
  void countFor(IntFunction<@Nullable Usage> next) {
    usages = next;
  }

  /** Says who knows the clients. Before there are any. */
  public void know(Clients next) {
    clients = next;
  }

  /** Has a map charge writers, or no longer. */
  synchronized void charge(String map, boolean writers) {
    boolean changed = writers ? charging.add(map) : charging.remove(map);
    if (changed) {
      needed |= writers;
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

  /** Whether records of a map are to have the numbers of their writers. */
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

  /** Whether a map charges writers. */
  public boolean areCharged(String map) {
    return charging.contains(map);
  }

  /** What a tenant keeps; null if there is none of that number. */
  @Nullable Usage usage(int number) {
    return number == OWNER ? null : usages.apply(number);
  }

  /** Finds out who sends an operation that is about to begin, if it writes where that counts. */
  void admit(Operation operation) {
    if ((needed || !settingsKnown)
        && operation instanceof MutatingOperation
        && operation instanceof MapOperation map
        && !(operation instanceof OfTenant)
        && map.getMapContainer() instanceof NativeMapContainer container
        && container.notesWriters()) {
      UUID client = OperationSenders.of(operation);
      if (client != null) {
        clients.require(operation, client);
      }
    }
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
    return client == null ? OWNER : number(clients.tenantOf(client));
  }

  /** The number that a record can have of a tenant. */
  static int number(int tenant) {
    return tenant > Records.MOST_TENANT ? OWNER : tenant;
  }
}
