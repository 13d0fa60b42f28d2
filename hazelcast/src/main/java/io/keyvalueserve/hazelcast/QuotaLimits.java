package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapLockCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapTryLockCodec;
import com.hazelcast.client.impl.protocol.codec.MapUnlockCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapLockCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapTryLockCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapUnlockCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapPutIfAbsentCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapReplaceCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapReplaceIfSameCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapSetCodec;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.admission.Usage;
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
  private static final int FAMILY_SHIFT = 16;
  private static final int MAPS = MapPutCodec.REQUEST_MESSAGE_TYPE >> FAMILY_SHIFT;
  private static final int TRANSACTIONAL_MAPS =
      TransactionalMapPutCodec.REQUEST_MESSAGE_TYPE >> FAMILY_SHIFT;

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
  static @Nullable String refusalOfLock(ClientMessage message, DoorSession session) {
    return switch (message.getMessageType()) {
      case MapLockCodec.REQUEST_MESSAGE_TYPE,
          MapTryLockCodec.REQUEST_MESSAGE_TYPE,
          MultiMapLockCodec.REQUEST_MESSAGE_TYPE,
          MultiMapTryLockCodec.REQUEST_MESSAGE_TYPE -> {
        Usage usage = session.visit().holdings();
        yield usage.heap().reserve(HeapCost.LOCK + message.getFrameLength())
            ? usage.refusalOfLock()
            : usage.heap().refusal();
      }
      case MapUnlockCodec.REQUEST_MESSAGE_TYPE, MultiMapUnlockCodec.REQUEST_MESSAGE_TYPE -> {
        session.visit().holdings().unlocked();
        yield null;
      }
      default -> null;
    };
  }

  /**
   * Checks whether a request may be carried out on the map that it names. A transaction's write may
   * be if the tenant that it counts for has room for it. A request on a new map of the tenant's own
   * may be if the tenant may have one more map.
   *
   * @param message has the grid's name for the map
   * @return null if it may; else why not, in words for the tenant
   */
  @Nullable String refusalOnMap(ClientMessage message, DoorSession session) {
    int family = message.getMessageType() >> FAMILY_SHIFT;
    if (family != MAPS && family != TRANSACTIONAL_MAPS) {
      return null;
    }
    String refusal = writesInTransaction(message) ? refusalOfWrite(message, session) : null;
    return refusal == null ? refusalOfMap(message, session) : refusal;
  }

  private static @Nullable String refusalOfMap(ClientMessage message, DoorSession session) {
    Usage usage = session.visit().holdings();
    if (!usage.limitsMaps()) {
      return null;
    }
    String name = NameRewriter.nameIn(message);
    return QualifiedName.belongsTo(session.identity().tenant(), name)
        ? usage.refusalOfMap(name, System.nanoTime())
        : null;
  }

  private static boolean writesInTransaction(ClientMessage message) {
    return switch (message.getMessageType()) {
      case TransactionalMapPutCodec.REQUEST_MESSAGE_TYPE,
          TransactionalMapPutIfAbsentCodec.REQUEST_MESSAGE_TYPE,
          TransactionalMapReplaceCodec.REQUEST_MESSAGE_TYPE,
          TransactionalMapReplaceIfSameCodec.REQUEST_MESSAGE_TYPE,
          TransactionalMapSetCodec.REQUEST_MESSAGE_TYPE ->
          true;
      default -> false;
    };
  }

  private @Nullable String refusalOfWrite(ClientMessage message, DoorSession session) {
    String map = NameRewriter.nameIn(message);
    Usage charged =
        chargesWriters.test(map) ? session.visit().holdings() : admissions.usageOfObject(map);
    if (charged == null) {
      return null;
    }
    ClientMessage.Frame value = message.getEndFrame(); // the last that is sent
    return charged.refusal(Math.max(0, value.content.length - VALUE_HEAD_BYTES));
  }
}
