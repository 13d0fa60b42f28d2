package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.codec.CardinalityEstimatorAddCodec;
import com.hazelcast.client.impl.protocol.codec.CardinalityEstimatorEstimateCodec;
import com.hazelcast.client.impl.protocol.codec.ClientFetchSchemaCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendAllSchemasCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendSchemaCodec;
import com.hazelcast.client.impl.protocol.codec.FlakeIdGeneratorNewIdBatchCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddAllWithIndexCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddWithIndexCodec;
import com.hazelcast.client.impl.protocol.codec.ListClearCodec;
import com.hazelcast.client.impl.protocol.codec.ListCompareAndRemoveAllCodec;
import com.hazelcast.client.impl.protocol.codec.ListCompareAndRetainAllCodec;
import com.hazelcast.client.impl.protocol.codec.ListContainsAllCodec;
import com.hazelcast.client.impl.protocol.codec.ListContainsCodec;
import com.hazelcast.client.impl.protocol.codec.ListGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.ListGetCodec;
import com.hazelcast.client.impl.protocol.codec.ListIndexOfCodec;
import com.hazelcast.client.impl.protocol.codec.ListIsEmptyCodec;
import com.hazelcast.client.impl.protocol.codec.ListIteratorCodec;
import com.hazelcast.client.impl.protocol.codec.ListLastIndexOfCodec;
import com.hazelcast.client.impl.protocol.codec.ListListIteratorCodec;
import com.hazelcast.client.impl.protocol.codec.ListRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.ListRemoveListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ListRemoveWithIndexCodec;
import com.hazelcast.client.impl.protocol.codec.ListSetCodec;
import com.hazelcast.client.impl.protocol.codec.ListSizeCodec;
import com.hazelcast.client.impl.protocol.codec.ListSubCodec;
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
import com.hazelcast.client.impl.protocol.codec.MapUnlockCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapAddEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapAddEntryListenerToKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapClearCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapContainsEntryCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapContainsKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapContainsValueCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapDeleteCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapEntrySetCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapForceUnlockCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapIsLockedCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapKeySetCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapLockCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapPutAllCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapRemoveEntryCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapRemoveEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapSizeCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapTryLockCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapUnlockCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapValueCountCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapValuesCodec;
import com.hazelcast.client.impl.protocol.codec.PNCounterAddCodec;
import com.hazelcast.client.impl.protocol.codec.PNCounterGetCodec;
import com.hazelcast.client.impl.protocol.codec.PNCounterGetConfiguredReplicaCountCodec;
import com.hazelcast.client.impl.protocol.codec.QueueAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.QueueAddListenerCodec;
import com.hazelcast.client.impl.protocol.codec.QueueClearCodec;
import com.hazelcast.client.impl.protocol.codec.QueueCompareAndRemoveAllCodec;
import com.hazelcast.client.impl.protocol.codec.QueueCompareAndRetainAllCodec;
import com.hazelcast.client.impl.protocol.codec.QueueContainsAllCodec;
import com.hazelcast.client.impl.protocol.codec.QueueContainsCodec;
import com.hazelcast.client.impl.protocol.codec.QueueDrainToCodec;
import com.hazelcast.client.impl.protocol.codec.QueueDrainToMaxSizeCodec;
import com.hazelcast.client.impl.protocol.codec.QueueIsEmptyCodec;
import com.hazelcast.client.impl.protocol.codec.QueueIteratorCodec;
import com.hazelcast.client.impl.protocol.codec.QueueOfferCodec;
import com.hazelcast.client.impl.protocol.codec.QueuePeekCodec;
import com.hazelcast.client.impl.protocol.codec.QueuePollCodec;
import com.hazelcast.client.impl.protocol.codec.QueuePutCodec;
import com.hazelcast.client.impl.protocol.codec.QueueRemainingCapacityCodec;
import com.hazelcast.client.impl.protocol.codec.QueueRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.QueueRemoveListenerCodec;
import com.hazelcast.client.impl.protocol.codec.QueueSizeCodec;
import com.hazelcast.client.impl.protocol.codec.QueueTakeCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapAddEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapAddEntryListenerToKeyCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapAddEntryListenerToKeyWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapAddEntryListenerWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapAddNearCacheEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapClearCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapContainsKeyCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapContainsValueCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapEntrySetCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapGetCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapIsEmptyCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapKeySetCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapPutAllCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapRemoveEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapSizeCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapValuesCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferAddCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferCapacityCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferHeadSequenceCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferReadManyCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferReadOneCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferRemainingCapacityCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferSizeCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferTailSequenceCodec;
import com.hazelcast.client.impl.protocol.codec.SetAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.SetAddCodec;
import com.hazelcast.client.impl.protocol.codec.SetAddListenerCodec;
import com.hazelcast.client.impl.protocol.codec.SetClearCodec;
import com.hazelcast.client.impl.protocol.codec.SetCompareAndRemoveAllCodec;
import com.hazelcast.client.impl.protocol.codec.SetCompareAndRetainAllCodec;
import com.hazelcast.client.impl.protocol.codec.SetContainsAllCodec;
import com.hazelcast.client.impl.protocol.codec.SetContainsCodec;
import com.hazelcast.client.impl.protocol.codec.SetGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.SetIsEmptyCodec;
import com.hazelcast.client.impl.protocol.codec.SetRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.SetRemoveListenerCodec;
import com.hazelcast.client.impl.protocol.codec.SetSizeCodec;
import com.hazelcast.client.impl.protocol.codec.TopicAddMessageListenerCodec;
import com.hazelcast.client.impl.protocol.codec.TopicPublishAllCodec;
import com.hazelcast.client.impl.protocol.codec.TopicPublishCodec;
import com.hazelcast.client.impl.protocol.codec.TopicRemoveMessageListenerCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionCommitCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionCreateCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionRollbackCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalListAddCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalListRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalListSizeCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapDeleteCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapGetForUpdateCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapRemoveIfSameCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapGetCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapRemoveEntryCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapSizeCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapValueCountCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalQueueOfferCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalQueuePeekCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalQueuePollCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalQueueSizeCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalQueueTakeCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalSetAddCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalSetRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalSetSizeCodec;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.hazelcast.MapNeed.On;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says how requests of Hazelcast clients are charged. A request on a map is charged by the grants
 * that it needs, unless it is listed here. Requests on other structures are all listed. A request
 * that finds what it names is a read. A request that looks through the structure is a query. A
 * request that takes something out is a delete, even if it returns what it took. A test goes
 * through all types that are open.
 */
final class MessageMeasures {
  private static final Map<Integer, Measure> CHARGED = new HashMap<>();

  /**
   * The requests that only begin something, or listen. Only their bytes are charged, as are the
   * bytes of the events they bring.
   */
  private static final Set<Integer> FREE = new HashSet<>();

  static {
    charge(
        Measure.READS,
        ClientFetchSchemaCodec.REQUEST_MESSAGE_TYPE,
        ClientSendAllSchemasCodec.REQUEST_MESSAGE_TYPE, // again, of a client that lost the cluster
        MultiMapContainsEntryCodec.REQUEST_MESSAGE_TYPE,
        MultiMapContainsKeyCodec.REQUEST_MESSAGE_TYPE,
        MultiMapGetCodec.REQUEST_MESSAGE_TYPE,
        MultiMapValueCountCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapContainsKeyCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapGetCodec.REQUEST_MESSAGE_TYPE,
        QueueIsEmptyCodec.REQUEST_MESSAGE_TYPE,
        QueuePeekCodec.REQUEST_MESSAGE_TYPE,
        QueueRemainingCapacityCodec.REQUEST_MESSAGE_TYPE,
        QueueSizeCodec.REQUEST_MESSAGE_TYPE,
        ListGetCodec.REQUEST_MESSAGE_TYPE,
        ListIsEmptyCodec.REQUEST_MESSAGE_TYPE,
        ListSizeCodec.REQUEST_MESSAGE_TYPE,
        SetContainsCodec.REQUEST_MESSAGE_TYPE,
        SetContainsAllCodec.REQUEST_MESSAGE_TYPE,
        SetIsEmptyCodec.REQUEST_MESSAGE_TYPE,
        SetSizeCodec.REQUEST_MESSAGE_TYPE,
        RingbufferCapacityCodec.REQUEST_MESSAGE_TYPE,
        RingbufferHeadSequenceCodec.REQUEST_MESSAGE_TYPE,
        RingbufferReadManyCodec.REQUEST_MESSAGE_TYPE,
        RingbufferReadOneCodec.REQUEST_MESSAGE_TYPE,
        RingbufferRemainingCapacityCodec.REQUEST_MESSAGE_TYPE,
        RingbufferSizeCodec.REQUEST_MESSAGE_TYPE,
        RingbufferTailSequenceCodec.REQUEST_MESSAGE_TYPE,
        PNCounterGetCodec.REQUEST_MESSAGE_TYPE,
        PNCounterGetConfiguredReplicaCountCodec.REQUEST_MESSAGE_TYPE,
        CardinalityEstimatorEstimateCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapGetForUpdateCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMultiMapGetCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMultiMapValueCountCodec.REQUEST_MESSAGE_TYPE,
        TransactionalQueuePeekCodec.REQUEST_MESSAGE_TYPE,
        TransactionalQueueSizeCodec.REQUEST_MESSAGE_TYPE,
        TransactionalListSizeCodec.REQUEST_MESSAGE_TYPE,
        TransactionalSetSizeCodec.REQUEST_MESSAGE_TYPE);
    charge(
        Measure.WRITES,
        ClientSendSchemaCodec.REQUEST_MESSAGE_TYPE,
        MultiMapPutCodec.REQUEST_MESSAGE_TYPE,
        MultiMapPutAllCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapPutCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapPutAllCodec.REQUEST_MESSAGE_TYPE,
        QueueAddAllCodec.REQUEST_MESSAGE_TYPE,
        QueueOfferCodec.REQUEST_MESSAGE_TYPE,
        QueuePutCodec.REQUEST_MESSAGE_TYPE,
        TopicPublishCodec.REQUEST_MESSAGE_TYPE,
        TopicPublishAllCodec.REQUEST_MESSAGE_TYPE,
        ListAddCodec.REQUEST_MESSAGE_TYPE,
        ListAddAllCodec.REQUEST_MESSAGE_TYPE,
        ListAddAllWithIndexCodec.REQUEST_MESSAGE_TYPE,
        ListAddWithIndexCodec.REQUEST_MESSAGE_TYPE,
        ListSetCodec.REQUEST_MESSAGE_TYPE,
        SetAddCodec.REQUEST_MESSAGE_TYPE,
        SetAddAllCodec.REQUEST_MESSAGE_TYPE,
        RingbufferAddCodec.REQUEST_MESSAGE_TYPE,
        RingbufferAddAllCodec.REQUEST_MESSAGE_TYPE,
        PNCounterAddCodec.REQUEST_MESSAGE_TYPE,
        FlakeIdGeneratorNewIdBatchCodec.REQUEST_MESSAGE_TYPE,
        CardinalityEstimatorAddCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMultiMapPutCodec.REQUEST_MESSAGE_TYPE,
        TransactionalQueueOfferCodec.REQUEST_MESSAGE_TYPE,
        TransactionalListAddCodec.REQUEST_MESSAGE_TYPE,
        TransactionalSetAddCodec.REQUEST_MESSAGE_TYPE);
    charge(
        Measure.DELETES,
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
        TransactionalMapRemoveIfSameCodec.REQUEST_MESSAGE_TYPE,
        MultiMapClearCodec.REQUEST_MESSAGE_TYPE,
        MultiMapDeleteCodec.REQUEST_MESSAGE_TYPE,
        MultiMapRemoveCodec.REQUEST_MESSAGE_TYPE,
        MultiMapRemoveEntryCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapClearCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapRemoveCodec.REQUEST_MESSAGE_TYPE,
        QueueClearCodec.REQUEST_MESSAGE_TYPE,
        QueueCompareAndRemoveAllCodec.REQUEST_MESSAGE_TYPE,
        QueueCompareAndRetainAllCodec.REQUEST_MESSAGE_TYPE,
        QueueDrainToCodec.REQUEST_MESSAGE_TYPE,
        QueueDrainToMaxSizeCodec.REQUEST_MESSAGE_TYPE,
        QueuePollCodec.REQUEST_MESSAGE_TYPE,
        QueueRemoveCodec.REQUEST_MESSAGE_TYPE,
        QueueTakeCodec.REQUEST_MESSAGE_TYPE,
        ListClearCodec.REQUEST_MESSAGE_TYPE,
        ListCompareAndRemoveAllCodec.REQUEST_MESSAGE_TYPE,
        ListCompareAndRetainAllCodec.REQUEST_MESSAGE_TYPE,
        ListRemoveCodec.REQUEST_MESSAGE_TYPE,
        ListRemoveWithIndexCodec.REQUEST_MESSAGE_TYPE,
        SetClearCodec.REQUEST_MESSAGE_TYPE,
        SetCompareAndRemoveAllCodec.REQUEST_MESSAGE_TYPE,
        SetCompareAndRetainAllCodec.REQUEST_MESSAGE_TYPE,
        SetRemoveCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMultiMapRemoveCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMultiMapRemoveEntryCodec.REQUEST_MESSAGE_TYPE,
        TransactionalQueuePollCodec.REQUEST_MESSAGE_TYPE,
        TransactionalQueueTakeCodec.REQUEST_MESSAGE_TYPE,
        TransactionalListRemoveCodec.REQUEST_MESSAGE_TYPE,
        TransactionalSetRemoveCodec.REQUEST_MESSAGE_TYPE);
    charge(
        Measure.QUERIES,
        MultiMapContainsValueCodec.REQUEST_MESSAGE_TYPE,
        MultiMapEntrySetCodec.REQUEST_MESSAGE_TYPE,
        MultiMapKeySetCodec.REQUEST_MESSAGE_TYPE,
        MultiMapSizeCodec.REQUEST_MESSAGE_TYPE,
        MultiMapValuesCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMultiMapSizeCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapContainsValueCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapEntrySetCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapIsEmptyCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapKeySetCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapSizeCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapValuesCodec.REQUEST_MESSAGE_TYPE,
        QueueContainsCodec.REQUEST_MESSAGE_TYPE,
        QueueContainsAllCodec.REQUEST_MESSAGE_TYPE,
        QueueIteratorCodec.REQUEST_MESSAGE_TYPE,
        ListContainsCodec.REQUEST_MESSAGE_TYPE,
        ListContainsAllCodec.REQUEST_MESSAGE_TYPE,
        ListGetAllCodec.REQUEST_MESSAGE_TYPE,
        ListIndexOfCodec.REQUEST_MESSAGE_TYPE,
        ListIteratorCodec.REQUEST_MESSAGE_TYPE,
        ListLastIndexOfCodec.REQUEST_MESSAGE_TYPE,
        ListListIteratorCodec.REQUEST_MESSAGE_TYPE,
        ListSubCodec.REQUEST_MESSAGE_TYPE,
        SetGetAllCodec.REQUEST_MESSAGE_TYPE);
    charge(
        Measure.LOCKS,
        MapForceUnlockCodec.REQUEST_MESSAGE_TYPE,
        MultiMapForceUnlockCodec.REQUEST_MESSAGE_TYPE,
        MultiMapIsLockedCodec.REQUEST_MESSAGE_TYPE,
        MultiMapLockCodec.REQUEST_MESSAGE_TYPE,
        MultiMapTryLockCodec.REQUEST_MESSAGE_TYPE,
        MultiMapUnlockCodec.REQUEST_MESSAGE_TYPE);
    charge(
        Measure.TRANSACTIONS,
        TransactionCommitCodec.REQUEST_MESSAGE_TYPE,
        TransactionRollbackCodec.REQUEST_MESSAGE_TYPE);
    free(
        TransactionCreateCodec.REQUEST_MESSAGE_TYPE,
        MultiMapAddEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        MultiMapAddEntryListenerToKeyCodec.REQUEST_MESSAGE_TYPE,
        MultiMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapAddEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapAddEntryListenerToKeyCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapAddEntryListenerToKeyWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapAddEntryListenerWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapAddNearCacheEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        QueueAddListenerCodec.REQUEST_MESSAGE_TYPE,
        QueueRemoveListenerCodec.REQUEST_MESSAGE_TYPE,
        ListAddListenerCodec.REQUEST_MESSAGE_TYPE,
        ListRemoveListenerCodec.REQUEST_MESSAGE_TYPE,
        SetAddListenerCodec.REQUEST_MESSAGE_TYPE,
        SetRemoveListenerCodec.REQUEST_MESSAGE_TYPE,
        TopicAddMessageListenerCodec.REQUEST_MESSAGE_TYPE,
        TopicRemoveMessageListenerCodec.REQUEST_MESSAGE_TYPE);
  }

  /** They wait for the key's lock, for as long as the client says. */
  private static final Set<Integer> PATIENT =
      Set.of(MapTryPutCodec.REQUEST_MESSAGE_TYPE, MapTryRemoveCodec.REQUEST_MESSAGE_TYPE);

  /** They wait for an entry of a queue, for as long as the client says. */
  private static final Set<Integer> TAKING =
      Set.of(
          QueueTakeCodec.REQUEST_MESSAGE_TYPE,
          QueuePollCodec.REQUEST_MESSAGE_TYPE,
          TransactionalQueueTakeCodec.REQUEST_MESSAGE_TYPE,
          TransactionalQueuePollCodec.REQUEST_MESSAGE_TYPE);

  /** Others may wait for them. */
  private static final Set<Integer> FREEING =
      Set.of(
          MapUnlockCodec.REQUEST_MESSAGE_TYPE,
          MapForceUnlockCodec.REQUEST_MESSAGE_TYPE,
          MultiMapUnlockCodec.REQUEST_MESSAGE_TYPE,
          MultiMapForceUnlockCodec.REQUEST_MESSAGE_TYPE,
          TransactionCommitCodec.REQUEST_MESSAGE_TYPE,
          TransactionRollbackCodec.REQUEST_MESSAGE_TYPE);

  private MessageMeasures() {}

  private static void charge(Measure measure, int... messageTypes) {
    for (int type : messageTypes) {
      CHARGED.put(type, measure);
    }
  }

  private static void free(int... messageTypes) {
    for (int type : messageTypes) {
      FREE.add(type);
    }
  }

  /**
   * Null if nothing is charged but its bytes: it listens, or tells the client about the cluster.
   */
  static @Nullable Measure of(int messageType) {
    Measure listed = CHARGED.get(messageType);
    if (listed != null) {
      return listed;
    }
    MapNeed need = MapNeeds.of(messageType);
    return need == null ? null : of(need);
  }

  private static @Nullable Measure of(MapNeed need) {
    return switch (need.on()) {
      case NOTHING, EVENTS, ALL_EVENTS -> null;
      case MAP -> Measure.QUERIES;
      case KEY, KEYS, KEY_OF_PROCESSOR, KEYS_OF_PROCESSOR, ENTRIES -> {
        if (need.rights().equals(Rights.LOCK)) {
          yield Measure.LOCKS;
        }
        yield need.rights().equals(Rights.READ) ? Measure.READS : Measure.WRITES;
      }
    };
  }

  /**
   * Returns whether the duration of such a request is recorded: it is on entries of a map, and is
   * not meant to wait.
   */
  static boolean isTimed(int messageType) {
    Measure measure = MapNeeds.of(messageType) == null ? null : of(messageType);
    return measure != null && measure != Measure.LOCKS && !PATIENT.contains(messageType);
  }

  /**
   * Returns with which others a request is bounded while it waits. A client that may not unlock
   * makes others wait for good, so what frees is counted apart from what fills.
   */
  static WaitingKind waiting(int messageType) {
    Measure measure = of(messageType);
    if (measure == null || FREEING.contains(messageType)) {
      return WaitingKind.FREEING;
    }
    return measure == Measure.LOCKS || TAKING.contains(messageType)
        ? WaitingKind.PARKED
        : WaitingKind.ORDINARY;
  }

  /**
   * Returns whether it has been decided how a type is charged. For the test that no type is
   * forgotten.
   */
  static boolean isDecided(int messageType) {
    return CHARGED.containsKey(messageType)
        || FREE.contains(messageType)
        || MapNeeds.of(messageType) != null;
  }

  /** Returns whether a request names a map first. */
  static boolean namesMap(int messageType) {
    MapNeed need = MapNeeds.of(messageType);
    return need != null && need.on() != On.NOTHING;
  }
}
