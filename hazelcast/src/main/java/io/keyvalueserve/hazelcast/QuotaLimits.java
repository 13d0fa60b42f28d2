package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.grid.kept.HeapCost;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks requests against the quotas that are not rates: locks, maps, and the memory for the writes
 * of transactions. A committed transaction is written whatever quotas say, so its writes are
 * checked before.
 */
final class QuotaLimits {
  /**
   * The bytes of a serialized value before its content: its type, its partition's hash, and the
   * length of an array.
   */
  static final int VALUE_HEAD_BYTES = 12;

  private final Admissions admissions;
  private final Predicate<String> chargesWriters;

  /**
   * @param chargesWriters whether a map's entries count for who writes them, by the grid's name
   */
  QuotaLimits(Admissions admissions, Predicate<String> chargesWriters) {
    this.admissions = admissions;
    this.chargesWriters = chargesWriters;
  }

  /**
   * Counts a request that takes a lock or gives one back.
   *
   * @return null if it may be carried out; else why not, in words for the tenant
   */
  static @Nullable String refusalOfLock(
      ClientMessage message, MessageDescriptor descriptor, DoorSession session) {
    if (descriptor.keeping() == Keeping.LOCK) {
      TenantHoldings usage = session.visit().holdings();
      return usage.heap().reserve(HeapCost.LOCK + message.getFrameLength())
          ? usage.refusalOfLock()
          : usage.heap().refusal();
    }
    if (descriptor.unlocks()) {
      session.visit().holdings().unlocked();
    }
    return null;
  }

  /**
   * Checks whether a request may be carried out on the map that it names. A transaction's write may
   * be if the tenant that it counts for has room for it. A request on a new map of the tenant's own
   * may be if the tenant may have one more map.
   *
   * @param message has the grid's name for the map
   * @return null if it may; else why not, in words for the tenant
   */
  @Nullable String refusalOnMap(
      ClientMessage message, MessageDescriptor descriptor, DoorSession session) {
    if (descriptor.structure() != Structure.MAP) {
      return null;
    }
    boolean writes = descriptor.transactional() && descriptor.measure() == Measure.WRITES;
    String refusal = writes ? refusalOfWrite(message, session) : null;
    return refusal == null ? refusalOfMap(message, session) : refusal;
  }

  private static @Nullable String refusalOfMap(ClientMessage message, DoorSession session) {
    TenantHoldings usage = session.visit().holdings();
    if (!usage.limitsMaps()) {
      return null;
    }
    String name = NameRewriter.nameIn(message);
    return QualifiedName.belongsTo(session.identity().tenant(), name)
        ? usage.refusalOfMap(name, System.nanoTime())
        : null;
  }

  private @Nullable String refusalOfWrite(ClientMessage message, DoorSession session) {
    String map = NameRewriter.nameIn(message);
    TenantHoldings charged =
        chargesWriters.test(map) ? session.visit().holdings() : admissions.usageOfObject(map);
    if (charged == null) {
      return null;
    }
    ClientMessage.Frame value = message.getEndFrame(); // the last that is sent
    return charged.refusal(Math.max(0, value.content.length - VALUE_HEAD_BYTES));
  }
}
