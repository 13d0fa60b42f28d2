package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.codec.CardinalityEstimatorAddCodec;
import com.hazelcast.client.impl.protocol.codec.CardinalityEstimatorEstimateCodec;
import com.hazelcast.client.impl.protocol.codec.ClientAddClusterViewListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientAddDistributedObjectListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientAddPartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientAuthenticationCodec;
import com.hazelcast.client.impl.protocol.codec.ClientAuthenticationCustomCodec;
import com.hazelcast.client.impl.protocol.codec.ClientCreateProxiesCodec;
import com.hazelcast.client.impl.protocol.codec.ClientCreateProxyCodec;
import com.hazelcast.client.impl.protocol.codec.ClientDestroyProxyCodec;
import com.hazelcast.client.impl.protocol.codec.ClientFetchSchemaCodec;
import com.hazelcast.client.impl.protocol.codec.ClientGetDistributedObjectsCodec;
import com.hazelcast.client.impl.protocol.codec.ClientLocalBackupListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientPingCodec;
import com.hazelcast.client.impl.protocol.codec.ClientRemoveDistributedObjectListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientRemovePartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendAllSchemasCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendSchemaCodec;
import com.hazelcast.client.impl.protocol.codec.ClientStatisticsCodec;
import com.hazelcast.client.impl.protocol.codec.ClientTriggerPartitionAssignmentCodec;
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
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerToKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerToKeyWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddIndexCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddNearCacheInvalidationListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddPartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapAggregateCodec;
import com.hazelcast.client.impl.protocol.codec.MapAggregateWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapClearCodec;
import com.hazelcast.client.impl.protocol.codec.MapContainsKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapContainsValueCodec;
import com.hazelcast.client.impl.protocol.codec.MapDeleteCodec;
import com.hazelcast.client.impl.protocol.codec.MapEntriesWithPagingPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapEntriesWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapEntrySetCodec;
import com.hazelcast.client.impl.protocol.codec.MapEvictAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapEvictCodec;
import com.hazelcast.client.impl.protocol.codec.MapExecuteOnAllKeysCodec;
import com.hazelcast.client.impl.protocol.codec.MapExecuteOnKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapExecuteOnKeysCodec;
import com.hazelcast.client.impl.protocol.codec.MapExecuteWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapFetchEntriesCodec;
import com.hazelcast.client.impl.protocol.codec.MapFetchKeysCodec;
import com.hazelcast.client.impl.protocol.codec.MapFetchNearCacheInvalidationMetadataCodec;
import com.hazelcast.client.impl.protocol.codec.MapFlushCodec;
import com.hazelcast.client.impl.protocol.codec.MapForceUnlockCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetEntryViewCodec;
import com.hazelcast.client.impl.protocol.codec.MapIsEmptyCodec;
import com.hazelcast.client.impl.protocol.codec.MapIsLockedCodec;
import com.hazelcast.client.impl.protocol.codec.MapKeySetCodec;
import com.hazelcast.client.impl.protocol.codec.MapKeySetWithPagingPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapKeySetWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapLoadAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapLoadGivenKeysCodec;
import com.hazelcast.client.impl.protocol.codec.MapLockCodec;
import com.hazelcast.client.impl.protocol.codec.MapProjectCodec;
import com.hazelcast.client.impl.protocol.codec.MapProjectWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutIfAbsentCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutIfAbsentWithMaxIdleCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutTransientCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutTransientWithMaxIdleCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutWithMaxIdleCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveIfSameCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemovePartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapReplaceCodec;
import com.hazelcast.client.impl.protocol.codec.MapReplaceIfSameCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetTtlCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetWithMaxIdleCodec;
import com.hazelcast.client.impl.protocol.codec.MapSizeCodec;
import com.hazelcast.client.impl.protocol.codec.MapSubmitToKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapTryLockCodec;
import com.hazelcast.client.impl.protocol.codec.MapTryPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapTryRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.MapUnlockCodec;
import com.hazelcast.client.impl.protocol.codec.MapValuesCodec;
import com.hazelcast.client.impl.protocol.codec.MapValuesWithPagingPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapValuesWithPredicateCodec;
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
import com.hazelcast.client.impl.protocol.codec.TransactionalMapContainsKeyCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapContainsValueCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapDeleteCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapGetCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapGetForUpdateCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapIsEmptyCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapKeySetCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapKeySetWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapPutIfAbsentCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapRemoveIfSameCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapReplaceCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapReplaceIfSameCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapSetCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapSizeCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapValuesCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapValuesWithPredicateCodec;
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
import org.jspecify.annotations.Nullable;

/**
 * The table of all message types that are open to tenants, with how each is treated. A type that is
 * not listed is refused; so are types that a later Hazelcast adds.
 *
 * <p>Closed on purpose: user code on members (executors, interceptors, event journals, class
 * deployment; of entry processors only the operator's, see {@link ProcessorGate}), Jet, SQL,
 * dynamic configuration, management, XA, the CP subsystem, JCache, query caches, vector
 * collections, metadata-preserving bulk writes. A test holds this table against Hazelcast's own
 * list of tasks.
 */
final class MessageTable {
  /** A type is 0xSSMM00: service, method, and 00 for a request. */
  private static final int REQUEST_SHIFT = 8;

  private static final @Nullable MessageRule[] RULES = new MessageRule[1 << 16];

  static {
    allow(
        MessageRule.AUTHENTICATION,
        ClientAuthenticationCodec.REQUEST_MESSAGE_TYPE,
        ClientAuthenticationCustomCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.HOUSEKEEPING,
        ClientAddClusterViewListenerCodec.REQUEST_MESSAGE_TYPE,
        ClientAddPartitionLostListenerCodec.REQUEST_MESSAGE_TYPE,
        ClientRemovePartitionLostListenerCodec.REQUEST_MESSAGE_TYPE,
        ClientPingCodec.REQUEST_MESSAGE_TYPE,
        ClientStatisticsCodec.REQUEST_MESSAGE_TYPE,
        ClientTriggerPartitionAssignmentCodec.REQUEST_MESSAGE_TYPE,
        ClientLocalBackupListenerCodec.REQUEST_MESSAGE_TYPE,
        ClientRemoveDistributedObjectListenerCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.SCHEMA,
        ClientSendSchemaCodec.REQUEST_MESSAGE_TYPE,
        ClientFetchSchemaCodec.REQUEST_MESSAGE_TYPE,
        ClientSendAllSchemasCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.NAME_AND_SERVICE,
        ClientCreateProxyCodec.REQUEST_MESSAGE_TYPE,
        ClientDestroyProxyCodec.REQUEST_MESSAGE_TYPE);
    allow(MessageRule.NAMES_AND_SERVICES, ClientCreateProxiesCodec.REQUEST_MESSAGE_TYPE);
    allow(MessageRule.OBJECT_LIST, ClientGetDistributedObjectsCodec.REQUEST_MESSAGE_TYPE);
    allow(MessageRule.OBJECT_EVENTS, ClientAddDistributedObjectListenerCodec.REQUEST_MESSAGE_TYPE);
    allow(MessageRule.MAP_NAMES, MapFetchNearCacheInvalidationMetadataCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.PROCESSOR,
        MapExecuteOnAllKeysCodec.REQUEST_MESSAGE_TYPE,
        MapExecuteOnKeyCodec.REQUEST_MESSAGE_TYPE,
        MapExecuteOnKeysCodec.REQUEST_MESSAGE_TYPE,
        MapExecuteWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapSubmitToKeyCodec.REQUEST_MESSAGE_TYPE);
    allow(MessageRule.INDEX, MapAddIndexCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.OPERATION,
        TransactionCreateCodec.REQUEST_MESSAGE_TYPE,
        TransactionCommitCodec.REQUEST_MESSAGE_TYPE,
        TransactionRollbackCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.KEYED_NAME,
        MapAddEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        MapAddEntryListenerToKeyCodec.REQUEST_MESSAGE_TYPE,
        MapAddEntryListenerToKeyWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapAddEntryListenerWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapAddNearCacheInvalidationListenerCodec.REQUEST_MESSAGE_TYPE,
        MapAddPartitionLostListenerCodec.REQUEST_MESSAGE_TYPE,
        MapAggregateCodec.REQUEST_MESSAGE_TYPE,
        MapAggregateWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapClearCodec.REQUEST_MESSAGE_TYPE,
        MapContainsKeyCodec.REQUEST_MESSAGE_TYPE,
        MapContainsValueCodec.REQUEST_MESSAGE_TYPE,
        MapDeleteCodec.REQUEST_MESSAGE_TYPE,
        MapEntriesWithPagingPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapEntriesWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapEntrySetCodec.REQUEST_MESSAGE_TYPE,
        MapEvictCodec.REQUEST_MESSAGE_TYPE,
        MapEvictAllCodec.REQUEST_MESSAGE_TYPE,
        MapFetchEntriesCodec.REQUEST_MESSAGE_TYPE,
        MapFetchKeysCodec.REQUEST_MESSAGE_TYPE,
        MapFlushCodec.REQUEST_MESSAGE_TYPE,
        MapForceUnlockCodec.REQUEST_MESSAGE_TYPE,
        MapGetCodec.REQUEST_MESSAGE_TYPE,
        MapGetAllCodec.REQUEST_MESSAGE_TYPE,
        MapGetEntryViewCodec.REQUEST_MESSAGE_TYPE,
        MapIsEmptyCodec.REQUEST_MESSAGE_TYPE,
        MapIsLockedCodec.REQUEST_MESSAGE_TYPE,
        MapKeySetCodec.REQUEST_MESSAGE_TYPE,
        MapKeySetWithPagingPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapKeySetWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapLoadAllCodec.REQUEST_MESSAGE_TYPE,
        MapLoadGivenKeysCodec.REQUEST_MESSAGE_TYPE,
        MapLockCodec.REQUEST_MESSAGE_TYPE,
        MapProjectCodec.REQUEST_MESSAGE_TYPE,
        MapProjectWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapPutCodec.REQUEST_MESSAGE_TYPE,
        MapPutAllCodec.REQUEST_MESSAGE_TYPE,
        MapPutIfAbsentCodec.REQUEST_MESSAGE_TYPE,
        MapPutIfAbsentWithMaxIdleCodec.REQUEST_MESSAGE_TYPE,
        MapPutTransientCodec.REQUEST_MESSAGE_TYPE,
        MapPutTransientWithMaxIdleCodec.REQUEST_MESSAGE_TYPE,
        MapPutWithMaxIdleCodec.REQUEST_MESSAGE_TYPE,
        MapRemoveCodec.REQUEST_MESSAGE_TYPE,
        MapRemoveAllCodec.REQUEST_MESSAGE_TYPE,
        MapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        MapRemoveIfSameCodec.REQUEST_MESSAGE_TYPE,
        MapRemovePartitionLostListenerCodec.REQUEST_MESSAGE_TYPE,
        MapReplaceCodec.REQUEST_MESSAGE_TYPE,
        MapReplaceIfSameCodec.REQUEST_MESSAGE_TYPE,
        MapSetCodec.REQUEST_MESSAGE_TYPE,
        MapSetTtlCodec.REQUEST_MESSAGE_TYPE,
        MapSetWithMaxIdleCodec.REQUEST_MESSAGE_TYPE,
        MapSizeCodec.REQUEST_MESSAGE_TYPE,
        MapTryLockCodec.REQUEST_MESSAGE_TYPE,
        MapTryPutCodec.REQUEST_MESSAGE_TYPE,
        MapTryRemoveCodec.REQUEST_MESSAGE_TYPE,
        MapUnlockCodec.REQUEST_MESSAGE_TYPE,
        MapValuesCodec.REQUEST_MESSAGE_TYPE,
        MapValuesWithPagingPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapValuesWithPredicateCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.KEYED_NAME,
        MultiMapAddEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        MultiMapAddEntryListenerToKeyCodec.REQUEST_MESSAGE_TYPE,
        MultiMapClearCodec.REQUEST_MESSAGE_TYPE,
        MultiMapContainsEntryCodec.REQUEST_MESSAGE_TYPE,
        MultiMapContainsKeyCodec.REQUEST_MESSAGE_TYPE,
        MultiMapContainsValueCodec.REQUEST_MESSAGE_TYPE,
        MultiMapDeleteCodec.REQUEST_MESSAGE_TYPE,
        MultiMapEntrySetCodec.REQUEST_MESSAGE_TYPE,
        MultiMapForceUnlockCodec.REQUEST_MESSAGE_TYPE,
        MultiMapGetCodec.REQUEST_MESSAGE_TYPE,
        MultiMapIsLockedCodec.REQUEST_MESSAGE_TYPE,
        MultiMapKeySetCodec.REQUEST_MESSAGE_TYPE,
        MultiMapLockCodec.REQUEST_MESSAGE_TYPE,
        MultiMapPutCodec.REQUEST_MESSAGE_TYPE,
        MultiMapPutAllCodec.REQUEST_MESSAGE_TYPE,
        MultiMapRemoveCodec.REQUEST_MESSAGE_TYPE,
        MultiMapRemoveEntryCodec.REQUEST_MESSAGE_TYPE,
        MultiMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        MultiMapSizeCodec.REQUEST_MESSAGE_TYPE,
        MultiMapTryLockCodec.REQUEST_MESSAGE_TYPE,
        MultiMapUnlockCodec.REQUEST_MESSAGE_TYPE,
        MultiMapValueCountCodec.REQUEST_MESSAGE_TYPE,
        MultiMapValuesCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.KEYED_NAME,
        ReplicatedMapAddEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapAddEntryListenerToKeyCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapAddEntryListenerToKeyWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapAddEntryListenerWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapAddNearCacheEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapClearCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapContainsKeyCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapContainsValueCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapEntrySetCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapGetCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapIsEmptyCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapKeySetCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapPutCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapPutAllCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapRemoveCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapSizeCodec.REQUEST_MESSAGE_TYPE,
        ReplicatedMapValuesCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.KEYED_NAME,
        TransactionalMapContainsKeyCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapContainsValueCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapDeleteCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapGetCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapGetForUpdateCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapIsEmptyCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapKeySetCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapKeySetWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapPutCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapPutIfAbsentCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapRemoveCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapRemoveIfSameCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapReplaceCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapReplaceIfSameCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapSetCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapSizeCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapValuesCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapValuesWithPredicateCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.KEYED_NAME,
        TransactionalMultiMapGetCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMultiMapPutCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMultiMapRemoveCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMultiMapRemoveEntryCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMultiMapSizeCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMultiMapValueCountCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.SINGLE_NAME,
        QueueAddAllCodec.REQUEST_MESSAGE_TYPE,
        QueueAddListenerCodec.REQUEST_MESSAGE_TYPE,
        QueueClearCodec.REQUEST_MESSAGE_TYPE,
        QueueCompareAndRemoveAllCodec.REQUEST_MESSAGE_TYPE,
        QueueCompareAndRetainAllCodec.REQUEST_MESSAGE_TYPE,
        QueueContainsCodec.REQUEST_MESSAGE_TYPE,
        QueueContainsAllCodec.REQUEST_MESSAGE_TYPE,
        QueueDrainToCodec.REQUEST_MESSAGE_TYPE,
        QueueDrainToMaxSizeCodec.REQUEST_MESSAGE_TYPE,
        QueueIsEmptyCodec.REQUEST_MESSAGE_TYPE,
        QueueIteratorCodec.REQUEST_MESSAGE_TYPE,
        QueueOfferCodec.REQUEST_MESSAGE_TYPE,
        QueuePeekCodec.REQUEST_MESSAGE_TYPE,
        QueuePollCodec.REQUEST_MESSAGE_TYPE,
        QueuePutCodec.REQUEST_MESSAGE_TYPE,
        QueueRemainingCapacityCodec.REQUEST_MESSAGE_TYPE,
        QueueRemoveCodec.REQUEST_MESSAGE_TYPE,
        QueueRemoveListenerCodec.REQUEST_MESSAGE_TYPE,
        QueueSizeCodec.REQUEST_MESSAGE_TYPE,
        QueueTakeCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.SINGLE_NAME,
        TopicAddMessageListenerCodec.REQUEST_MESSAGE_TYPE,
        TopicPublishCodec.REQUEST_MESSAGE_TYPE,
        TopicPublishAllCodec.REQUEST_MESSAGE_TYPE,
        TopicRemoveMessageListenerCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.SINGLE_NAME,
        ListAddCodec.REQUEST_MESSAGE_TYPE,
        ListAddAllCodec.REQUEST_MESSAGE_TYPE,
        ListAddAllWithIndexCodec.REQUEST_MESSAGE_TYPE,
        ListAddListenerCodec.REQUEST_MESSAGE_TYPE,
        ListAddWithIndexCodec.REQUEST_MESSAGE_TYPE,
        ListClearCodec.REQUEST_MESSAGE_TYPE,
        ListCompareAndRemoveAllCodec.REQUEST_MESSAGE_TYPE,
        ListCompareAndRetainAllCodec.REQUEST_MESSAGE_TYPE,
        ListContainsCodec.REQUEST_MESSAGE_TYPE,
        ListContainsAllCodec.REQUEST_MESSAGE_TYPE,
        ListGetCodec.REQUEST_MESSAGE_TYPE,
        ListGetAllCodec.REQUEST_MESSAGE_TYPE,
        ListIndexOfCodec.REQUEST_MESSAGE_TYPE,
        ListIsEmptyCodec.REQUEST_MESSAGE_TYPE,
        ListIteratorCodec.REQUEST_MESSAGE_TYPE,
        ListLastIndexOfCodec.REQUEST_MESSAGE_TYPE,
        ListListIteratorCodec.REQUEST_MESSAGE_TYPE,
        ListRemoveCodec.REQUEST_MESSAGE_TYPE,
        ListRemoveListenerCodec.REQUEST_MESSAGE_TYPE,
        ListRemoveWithIndexCodec.REQUEST_MESSAGE_TYPE,
        ListSetCodec.REQUEST_MESSAGE_TYPE,
        ListSizeCodec.REQUEST_MESSAGE_TYPE,
        ListSubCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.SINGLE_NAME,
        SetAddCodec.REQUEST_MESSAGE_TYPE,
        SetAddAllCodec.REQUEST_MESSAGE_TYPE,
        SetAddListenerCodec.REQUEST_MESSAGE_TYPE,
        SetClearCodec.REQUEST_MESSAGE_TYPE,
        SetCompareAndRemoveAllCodec.REQUEST_MESSAGE_TYPE,
        SetCompareAndRetainAllCodec.REQUEST_MESSAGE_TYPE,
        SetContainsCodec.REQUEST_MESSAGE_TYPE,
        SetContainsAllCodec.REQUEST_MESSAGE_TYPE,
        SetGetAllCodec.REQUEST_MESSAGE_TYPE,
        SetIsEmptyCodec.REQUEST_MESSAGE_TYPE,
        SetRemoveCodec.REQUEST_MESSAGE_TYPE,
        SetRemoveListenerCodec.REQUEST_MESSAGE_TYPE,
        SetSizeCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.SINGLE_NAME,
        RingbufferAddCodec.REQUEST_MESSAGE_TYPE,
        RingbufferAddAllCodec.REQUEST_MESSAGE_TYPE,
        RingbufferCapacityCodec.REQUEST_MESSAGE_TYPE,
        RingbufferHeadSequenceCodec.REQUEST_MESSAGE_TYPE,
        RingbufferReadManyCodec.REQUEST_MESSAGE_TYPE,
        RingbufferReadOneCodec.REQUEST_MESSAGE_TYPE,
        RingbufferRemainingCapacityCodec.REQUEST_MESSAGE_TYPE,
        RingbufferSizeCodec.REQUEST_MESSAGE_TYPE,
        RingbufferTailSequenceCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.SINGLE_NAME,
        PNCounterAddCodec.REQUEST_MESSAGE_TYPE,
        PNCounterGetCodec.REQUEST_MESSAGE_TYPE,
        PNCounterGetConfiguredReplicaCountCodec.REQUEST_MESSAGE_TYPE);
    allow(MessageRule.SINGLE_NAME, FlakeIdGeneratorNewIdBatchCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.SINGLE_NAME,
        CardinalityEstimatorAddCodec.REQUEST_MESSAGE_TYPE,
        CardinalityEstimatorEstimateCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.SINGLE_NAME,
        TransactionalQueueOfferCodec.REQUEST_MESSAGE_TYPE,
        TransactionalQueuePeekCodec.REQUEST_MESSAGE_TYPE,
        TransactionalQueuePollCodec.REQUEST_MESSAGE_TYPE,
        TransactionalQueueSizeCodec.REQUEST_MESSAGE_TYPE,
        TransactionalQueueTakeCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.SINGLE_NAME,
        TransactionalListAddCodec.REQUEST_MESSAGE_TYPE,
        TransactionalListRemoveCodec.REQUEST_MESSAGE_TYPE,
        TransactionalListSizeCodec.REQUEST_MESSAGE_TYPE);
    allow(
        MessageRule.SINGLE_NAME,
        TransactionalSetAddCodec.REQUEST_MESSAGE_TYPE,
        TransactionalSetRemoveCodec.REQUEST_MESSAGE_TYPE,
        TransactionalSetSizeCodec.REQUEST_MESSAGE_TYPE);
  }

  private MessageTable() {}

  /** Returns how a message type is treated, or null if it is refused. */
  static @Nullable MessageRule ruleOf(int messageType) {
    return (messageType & 0xff) != 0 || messageType >>> 24 != 0
        ? null
        : RULES[messageType >>> REQUEST_SHIFT];
  }

  private static void allow(MessageRule rule, int... messageTypes) {
    for (int type : messageTypes) {
      RULES[type >>> REQUEST_SHIFT] = rule;
    }
  }
}
