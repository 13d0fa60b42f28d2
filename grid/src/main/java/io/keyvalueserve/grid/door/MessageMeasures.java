package io.keyvalueserve.grid.door;

import com.hazelcast.client.impl.protocol.codec.MapClearCodec;
import com.hazelcast.client.impl.protocol.codec.MapDeleteCodec;
import com.hazelcast.client.impl.protocol.codec.MapEvictAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapEvictCodec;
import com.hazelcast.client.impl.protocol.codec.MapForceUnlockCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveIfSameCodec;
import com.hazelcast.client.impl.protocol.codec.MapTryPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapTryRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionCommitCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionCreateCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionRollbackCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapDeleteCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapRemoveIfSameCodec;
import io.keyvalueserve.grid.door.MapNeed.On;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.metering.Measure;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * As what a request of a Hazelcast client is charged. Requests on maps go by what they need to be
 * granted; those on queues, lists and other structures are all writes, as most of them are.
 */
final class MessageMeasures {
  private static final Set<Integer> DELETES =
      Set.of(
          MapClearCodec.REQUEST_MESSAGE_TYPE,
          MapDeleteCodec.REQUEST_MESSAGE_TYPE,
          MapEvictAllCodec.REQUEST_MESSAGE_TYPE,
          MapEvictCodec.REQUEST_MESSAGE_TYPE,
          MapRemoveAllCodec.REQUEST_MESSAGE_TYPE,
          MapRemoveCodec.REQUEST_MESSAGE_TYPE,
          MapRemoveIfSameCodec.REQUEST_MESSAGE_TYPE,
          MapTryRemoveCodec.REQUEST_MESSAGE_TYPE,
          TransactionalMapDeleteCodec.REQUEST_MESSAGE_TYPE,
          TransactionalMapRemoveCodec.REQUEST_MESSAGE_TYPE,
          TransactionalMapRemoveIfSameCodec.REQUEST_MESSAGE_TYPE);

  /** They wait for the key's lock, for as long as the client says. */
  private static final Set<Integer> PATIENT =
      Set.of(MapTryPutCodec.REQUEST_MESSAGE_TYPE, MapTryRemoveCodec.REQUEST_MESSAGE_TYPE);

  private MessageMeasures() {}

  /**
   * Null if nothing is charged but its bytes: it listens, or tells the client about the cluster.
   */
  static @Nullable Measure of(int messageType, MessageRule rule) {
    if (messageType == TransactionCommitCodec.REQUEST_MESSAGE_TYPE
        || messageType == TransactionRollbackCodec.REQUEST_MESSAGE_TYPE) {
      return Measure.TRANSACTIONS;
    }
    if (messageType == TransactionCreateCodec.REQUEST_MESSAGE_TYPE) {
      return null; // its end is charged
    }
    if (DELETES.contains(messageType)) {
      return Measure.DELETES;
    }
    MapNeed need = MapNeeds.of(messageType);
    if (need != null) {
      return of(messageType, need);
    }
    return switch (rule) {
      case OPERATION, SINGLE_NAME, KEYED_NAME, PROCESSOR -> Measure.WRITES;
      default -> null;
    };
  }

  private static @Nullable Measure of(int messageType, MapNeed need) {
    return switch (need.on()) {
      case NOTHING, EVENTS, ALL_EVENTS -> null;
      case MAP -> Measure.QUERIES;
      case KEY, KEYS, KEY_OF_PROCESSOR, KEYS_OF_PROCESSOR, ENTRIES -> {
        if (need.rights().equals(Rights.LOCK)
            || messageType == MapForceUnlockCodec.REQUEST_MESSAGE_TYPE) {
          yield Measure.LOCKS;
        }
        yield need.rights().equals(Rights.READ) ? Measure.READS : Measure.WRITES;
      }
    };
  }

  /**
   * Whether it is told how long such a request takes: it is on entries of a map, and not to wait.
   */
  static boolean isTimed(int messageType) {
    MapNeed need = MapNeeds.of(messageType);
    Measure measure = need == null ? null : of(messageType, need);
    return measure != null && measure != Measure.LOCKS && !PATIENT.contains(messageType);
  }

  /** Whether a request names a map first. */
  static boolean namesMap(int messageType) {
    MapNeed need = MapNeeds.of(messageType);
    return need != null && need.on() != On.NOTHING;
  }
}
