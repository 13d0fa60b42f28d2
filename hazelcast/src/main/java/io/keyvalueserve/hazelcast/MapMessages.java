package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.billing.metering.Measure.DELETES;
import static io.keyvalueserve.billing.metering.Measure.LOCKS;
import static io.keyvalueserve.billing.metering.Measure.READS;
import static io.keyvalueserve.hazelcast.BulkSize.EACH;
import static io.keyvalueserve.hazelcast.BulkSize.EACH_AFTER_PROCESSOR;
import static io.keyvalueserve.hazelcast.BulkSize.EACH_ENTRY;
import static io.keyvalueserve.hazelcast.RequestObjects.Parts.ALL;
import static io.keyvalueserve.hazelcast.RequestObjects.Parts.LAST;
import static io.keyvalueserve.hazelcast.WaitingKind.FREEING;
import static io.keyvalueserve.tenancy.grant.Rights.ADMIN;
import static io.keyvalueserve.tenancy.grant.Rights.LOCK;
import static io.keyvalueserve.tenancy.grant.Rights.NONE;
import static io.keyvalueserve.tenancy.grant.Rights.READ;
import static io.keyvalueserve.tenancy.grant.Rights.READ_WRITE;
import static io.keyvalueserve.tenancy.grant.Rights.WRITE;

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
import io.keyvalueserve.hazelcast.MapNeed.On;
import io.keyvalueserve.tenancy.grant.Right;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.List;

/**
 * The types of messages on maps, with the grants that each needs where the map is another tenant's.
 * A test holds the grants against {@code docs/tenancy.md} and Hazelcast's own codecs.
 */
final class MapMessages {
  private static final Rights READ_LOCK = Rights.of(Right.READ, Right.LOCK);
  private static final Rights WRITE_LOCK = Rights.of(Right.WRITE, Right.LOCK);
  private static final Rights READ_WRITE_LOCK = Rights.of(Right.READ, Right.WRITE, Right.LOCK);

  private MapMessages() {}

  /** Returns a row for each type. */
  static List<MessageRow> rows() {
    return List.of(
        map(On.EVENTS, READ, MapAddEntryListenerCodec.REQUEST_MESSAGE_TYPE)
            .adds(MapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE),
        map(On.EVENTS, READ, MapAddEntryListenerToKeyCodec.REQUEST_MESSAGE_TYPE)
            .adds(MapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE),
        map(On.ALL_EVENTS, READ, MapAddEntryListenerToKeyWithPredicateCodec.REQUEST_MESSAGE_TYPE)
            .makes(LAST)
            .adds(MapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE),
        map(On.ALL_EVENTS, READ, MapAddEntryListenerWithPredicateCodec.REQUEST_MESSAGE_TYPE)
            .makes(ALL)
            .adds(MapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE),
        new MessageRow(MapAddIndexCodec.REQUEST_MESSAGE_TYPE, MessageRule.INDEX, Structure.MAP)
            .needs(On.MAP, ADMIN),
        map(On.ALL_EVENTS, READ, MapAddNearCacheInvalidationListenerCodec.REQUEST_MESSAGE_TYPE)
            .adds(MapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE),
        map(On.ALL_EVENTS, READ, MapAddPartitionLostListenerCodec.REQUEST_MESSAGE_TYPE)
            .adds(MapRemovePartitionLostListenerCodec.REQUEST_MESSAGE_TYPE),
        map(On.MAP, READ, MapAggregateCodec.REQUEST_MESSAGE_TYPE).makes(ALL),
        map(On.MAP, READ, MapAggregateWithPredicateCodec.REQUEST_MESSAGE_TYPE).makes(ALL),
        map(On.MAP, WRITE, MapClearCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        map(On.KEY, READ, MapContainsKeyCodec.REQUEST_MESSAGE_TYPE),
        map(On.MAP, READ, MapContainsValueCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, WRITE, MapDeleteCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        map(On.MAP, READ, MapEntriesWithPagingPredicateCodec.REQUEST_MESSAGE_TYPE).makes(ALL),
        map(On.MAP, READ, MapEntriesWithPredicateCodec.REQUEST_MESSAGE_TYPE).makes(ALL),
        map(On.MAP, READ, MapEntrySetCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, WRITE, MapEvictCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        map(On.MAP, ADMIN, MapEvictAllCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        processor(On.MAP, READ_WRITE, MapExecuteOnAllKeysCodec.REQUEST_MESSAGE_TYPE),
        processor(On.KEY_OF_PROCESSOR, READ_WRITE, MapExecuteOnKeyCodec.REQUEST_MESSAGE_TYPE),
        processor(On.KEYS_OF_PROCESSOR, READ_WRITE, MapExecuteOnKeysCodec.REQUEST_MESSAGE_TYPE)
            .counts(EACH_AFTER_PROCESSOR),
        processor(On.MAP, READ_WRITE, MapExecuteWithPredicateCodec.REQUEST_MESSAGE_TYPE)
            .makes(LAST),
        map(On.MAP, READ, MapFetchEntriesCodec.REQUEST_MESSAGE_TYPE),
        map(On.MAP, READ, MapFetchKeysCodec.REQUEST_MESSAGE_TYPE),
        new MessageRow(
            MapFetchNearCacheInvalidationMetadataCodec.REQUEST_MESSAGE_TYPE,
            MessageRule.MAP_NAMES,
            Structure.MAP),
        map(On.MAP, ADMIN, MapFlushCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, ADMIN, MapForceUnlockCodec.REQUEST_MESSAGE_TYPE).charged(LOCKS).waits(FREEING),
        map(On.KEY, READ, MapGetCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEYS, READ, MapGetAllCodec.REQUEST_MESSAGE_TYPE).counts(EACH),
        map(On.KEY, READ, MapGetEntryViewCodec.REQUEST_MESSAGE_TYPE),
        map(On.MAP, READ, MapIsEmptyCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, LOCK, MapIsLockedCodec.REQUEST_MESSAGE_TYPE),
        map(On.MAP, READ, MapKeySetCodec.REQUEST_MESSAGE_TYPE),
        map(On.MAP, READ, MapKeySetWithPagingPredicateCodec.REQUEST_MESSAGE_TYPE).makes(ALL),
        map(On.MAP, READ, MapKeySetWithPredicateCodec.REQUEST_MESSAGE_TYPE).makes(ALL),
        map(On.MAP, ADMIN, MapLoadAllCodec.REQUEST_MESSAGE_TYPE),
        map(On.MAP, ADMIN, MapLoadGivenKeysCodec.REQUEST_MESSAGE_TYPE).counts(EACH),
        map(On.KEY, LOCK, MapLockCodec.REQUEST_MESSAGE_TYPE).keeps(Keeping.LOCK),
        map(On.MAP, READ, MapProjectCodec.REQUEST_MESSAGE_TYPE).makes(ALL),
        map(On.MAP, READ, MapProjectWithPredicateCodec.REQUEST_MESSAGE_TYPE).makes(ALL),
        map(On.KEY, READ_WRITE, MapPutCodec.REQUEST_MESSAGE_TYPE),
        map(On.ENTRIES, WRITE, MapPutAllCodec.REQUEST_MESSAGE_TYPE).counts(EACH_ENTRY),
        map(On.KEY, READ_WRITE, MapPutIfAbsentCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, READ_WRITE, MapPutIfAbsentWithMaxIdleCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, WRITE, MapPutTransientCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, WRITE, MapPutTransientWithMaxIdleCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, READ_WRITE, MapPutWithMaxIdleCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, READ_WRITE, MapRemoveCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        map(On.MAP, READ_WRITE, MapRemoveAllCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        map(On.NOTHING, NONE, MapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE).removesListener(),
        map(On.KEY, READ_WRITE, MapRemoveIfSameCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        map(On.NOTHING, NONE, MapRemovePartitionLostListenerCodec.REQUEST_MESSAGE_TYPE)
            .removesListener(),
        map(On.KEY, READ_WRITE, MapReplaceCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, READ_WRITE, MapReplaceIfSameCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, WRITE, MapSetCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, WRITE, MapSetTtlCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, WRITE, MapSetWithMaxIdleCodec.REQUEST_MESSAGE_TYPE),
        map(On.MAP, READ, MapSizeCodec.REQUEST_MESSAGE_TYPE),
        processor(On.KEY_OF_PROCESSOR, READ_WRITE, MapSubmitToKeyCodec.REQUEST_MESSAGE_TYPE),
        map(On.KEY, LOCK, MapTryLockCodec.REQUEST_MESSAGE_TYPE).keeps(Keeping.LOCK),
        map(On.KEY, WRITE, MapTryPutCodec.REQUEST_MESSAGE_TYPE).untimed(),
        map(On.KEY, WRITE, MapTryRemoveCodec.REQUEST_MESSAGE_TYPE).charged(DELETES).untimed(),
        map(On.KEY, LOCK, MapUnlockCodec.REQUEST_MESSAGE_TYPE).unlocks(),
        map(On.MAP, READ, MapValuesCodec.REQUEST_MESSAGE_TYPE),
        map(On.MAP, READ, MapValuesWithPagingPredicateCodec.REQUEST_MESSAGE_TYPE).makes(ALL),
        map(On.MAP, READ, MapValuesWithPredicateCodec.REQUEST_MESSAGE_TYPE).makes(ALL),
        transactionalMap(On.KEY, READ, TransactionalMapContainsKeyCodec.REQUEST_MESSAGE_TYPE),
        transactionalMap(On.MAP, READ, TransactionalMapContainsValueCodec.REQUEST_MESSAGE_TYPE),
        transactionalMap(On.KEY, WRITE_LOCK, TransactionalMapDeleteCodec.REQUEST_MESSAGE_TYPE)
            .charged(DELETES),
        transactionalMap(On.KEY, READ, TransactionalMapGetCodec.REQUEST_MESSAGE_TYPE),
        transactionalMap(On.KEY, READ_LOCK, TransactionalMapGetForUpdateCodec.REQUEST_MESSAGE_TYPE)
            .charged(READS)
            .logged(),
        transactionalMap(On.MAP, READ, TransactionalMapIsEmptyCodec.REQUEST_MESSAGE_TYPE),
        transactionalMap(On.MAP, READ, TransactionalMapKeySetCodec.REQUEST_MESSAGE_TYPE),
        transactionalMap(
                On.MAP, READ, TransactionalMapKeySetWithPredicateCodec.REQUEST_MESSAGE_TYPE)
            .makes(ALL),
        transactionalMap(On.KEY, READ_WRITE_LOCK, TransactionalMapPutCodec.REQUEST_MESSAGE_TYPE),
        transactionalMap(
            On.KEY, READ_WRITE_LOCK, TransactionalMapPutIfAbsentCodec.REQUEST_MESSAGE_TYPE),
        transactionalMap(On.KEY, READ_WRITE_LOCK, TransactionalMapRemoveCodec.REQUEST_MESSAGE_TYPE)
            .charged(DELETES),
        transactionalMap(
                On.KEY, READ_WRITE_LOCK, TransactionalMapRemoveIfSameCodec.REQUEST_MESSAGE_TYPE)
            .charged(DELETES),
        transactionalMap(
            On.KEY, READ_WRITE_LOCK, TransactionalMapReplaceCodec.REQUEST_MESSAGE_TYPE),
        transactionalMap(
            On.KEY, READ_WRITE_LOCK, TransactionalMapReplaceIfSameCodec.REQUEST_MESSAGE_TYPE),
        transactionalMap(On.KEY, WRITE_LOCK, TransactionalMapSetCodec.REQUEST_MESSAGE_TYPE),
        transactionalMap(On.MAP, READ, TransactionalMapSizeCodec.REQUEST_MESSAGE_TYPE),
        transactionalMap(On.MAP, READ, TransactionalMapValuesCodec.REQUEST_MESSAGE_TYPE),
        transactionalMap(
                On.MAP, READ, TransactionalMapValuesWithPredicateCodec.REQUEST_MESSAGE_TYPE)
            .makes(ALL));
  }

  private static MessageRow map(On on, Rights rights, int type) {
    return new MessageRow(type, MessageRule.KEYED_NAME, Structure.MAP).needs(on, rights);
  }

  private static MessageRow processor(On on, Rights rights, int type) {
    return new MessageRow(type, MessageRule.PROCESSOR, Structure.MAP).needs(on, rights);
  }

  private static MessageRow transactionalMap(On on, Rights rights, int type) {
    return map(on, rights, type).inTransaction();
  }
}
