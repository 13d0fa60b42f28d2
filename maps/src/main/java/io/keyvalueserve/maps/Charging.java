package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.gates.admission.TenantHoldings;
import org.jspecify.annotations.Nullable;

/**
 * Tells for which tenant a write to one partition of a map counts at this moment. Used by the
 * holder of the partition's lock.
 */
final class Charging {
  private final Writers writers;
  private final NativeMapContainer container;
  private final PartitionLock lock;

  Charging(Writers writers, NativeMapContainer container, PartitionLock lock) {
    this.writers = writers;
    this.container = container;
    this.lock = lock;
  }

  /**
   * The number that a record is to have.
   *
   * @param before that of the one in whose place it comes, {@link Writers#OWNER} if there is none
   */
  int tenant(int before) {
    if (!container.notesWriters()) {
      return Writers.OWNER;
    }
    int writer = writer();
    if (writer == Writers.NOBODY) {
      return before;
    }
    return isOwner(writers.usage(writer)) ? Writers.OWNER : writer;
  }

  /**
   * A record has another number now than the one in whose place it is: copies are to have it. The
   * backups of our own operations say so themselves.
   */
  void changed(Data key, int before, int now) {
    if (now != before && container.backups() > 0 && !(lock.operation() instanceof OfTenant)) {
      lock.note(container.getName(), key, now);
    }
  }

  /**
   * Returns the usage whose limits apply to the current write; null if the write counts for no
   * tenant.
   */
  @Nullable TenantHoldings usage() {
    return container.chargesWriters() ? container.usageOf(writer()) : container.usage();
  }

  @SuppressWarnings("ReferenceEquality") // a tenant has one
  private boolean isOwner(@Nullable TenantHoldings usage) {
    return usage != null && usage == container.usage();
  }

  private int writer() {
    int direct = lock.writer();
    return direct == Writers.NOBODY ? writers.of(lock.operation()) : Writers.number(direct);
  }
}
