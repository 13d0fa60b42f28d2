package io.keyvalueserve.hazelcast;

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
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of the grants that each request needs where the map is another tenant's. A request that
 * is not listed is refused. A test holds this table against {@code docs/tenancy.md} and Hazelcast's
 * own codecs.
 */
final class MapNeeds {
  private static final Map<Integer, MapNeed> NEEDS = new HashMap<>();

  static {
    need(
        On.MAP,
        Rights.READ,
        MapAggregateCodec.REQUEST_MESSAGE_TYPE,
        MapAggregateWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapContainsValueCodec.REQUEST_MESSAGE_TYPE,
        MapEntriesWithPagingPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapEntriesWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapEntrySetCodec.REQUEST_MESSAGE_TYPE,
        MapFetchEntriesCodec.REQUEST_MESSAGE_TYPE,
        MapFetchKeysCodec.REQUEST_MESSAGE_TYPE,
        MapIsEmptyCodec.REQUEST_MESSAGE_TYPE,
        MapKeySetCodec.REQUEST_MESSAGE_TYPE,
        MapKeySetWithPagingPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapKeySetWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapProjectCodec.REQUEST_MESSAGE_TYPE,
        MapProjectWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapSizeCodec.REQUEST_MESSAGE_TYPE,
        MapValuesCodec.REQUEST_MESSAGE_TYPE,
        MapValuesWithPagingPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapValuesWithPredicateCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.KEY,
        Rights.READ,
        MapContainsKeyCodec.REQUEST_MESSAGE_TYPE,
        MapGetCodec.REQUEST_MESSAGE_TYPE,
        MapGetEntryViewCodec.REQUEST_MESSAGE_TYPE);
    need(On.KEYS, Rights.READ, MapGetAllCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.KEY,
        Rights.WRITE,
        MapDeleteCodec.REQUEST_MESSAGE_TYPE,
        MapEvictCodec.REQUEST_MESSAGE_TYPE,
        MapPutTransientCodec.REQUEST_MESSAGE_TYPE,
        MapPutTransientWithMaxIdleCodec.REQUEST_MESSAGE_TYPE,
        MapSetCodec.REQUEST_MESSAGE_TYPE,
        MapSetTtlCodec.REQUEST_MESSAGE_TYPE,
        MapSetWithMaxIdleCodec.REQUEST_MESSAGE_TYPE,
        MapTryPutCodec.REQUEST_MESSAGE_TYPE,
        MapTryRemoveCodec.REQUEST_MESSAGE_TYPE);
    need(On.ENTRIES, Rights.WRITE, MapPutAllCodec.REQUEST_MESSAGE_TYPE);
    need(On.MAP, Rights.WRITE, MapClearCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.KEY,
        Rights.READ_WRITE,
        MapPutCodec.REQUEST_MESSAGE_TYPE,
        MapPutIfAbsentCodec.REQUEST_MESSAGE_TYPE,
        MapPutIfAbsentWithMaxIdleCodec.REQUEST_MESSAGE_TYPE,
        MapPutWithMaxIdleCodec.REQUEST_MESSAGE_TYPE,
        MapRemoveCodec.REQUEST_MESSAGE_TYPE,
        MapRemoveIfSameCodec.REQUEST_MESSAGE_TYPE,
        MapReplaceCodec.REQUEST_MESSAGE_TYPE,
        MapReplaceIfSameCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.KEY_OF_PROCESSOR,
        Rights.READ_WRITE,
        MapExecuteOnKeyCodec.REQUEST_MESSAGE_TYPE,
        MapSubmitToKeyCodec.REQUEST_MESSAGE_TYPE);
    need(On.KEYS_OF_PROCESSOR, Rights.READ_WRITE, MapExecuteOnKeysCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.MAP,
        Rights.READ_WRITE,
        MapExecuteOnAllKeysCodec.REQUEST_MESSAGE_TYPE,
        MapExecuteWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapRemoveAllCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.KEY,
        Rights.LOCK,
        MapIsLockedCodec.REQUEST_MESSAGE_TYPE,
        MapLockCodec.REQUEST_MESSAGE_TYPE,
        MapTryLockCodec.REQUEST_MESSAGE_TYPE,
        MapUnlockCodec.REQUEST_MESSAGE_TYPE);
    need(On.KEY, Rights.ADMIN, MapForceUnlockCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.MAP,
        Rights.ADMIN,
        MapAddIndexCodec.REQUEST_MESSAGE_TYPE,
        MapEvictAllCodec.REQUEST_MESSAGE_TYPE,
        MapFlushCodec.REQUEST_MESSAGE_TYPE,
        MapLoadAllCodec.REQUEST_MESSAGE_TYPE,
        MapLoadGivenKeysCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.EVENTS,
        Rights.READ,
        MapAddEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        MapAddEntryListenerToKeyCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.ALL_EVENTS,
        Rights.READ,
        MapAddEntryListenerToKeyWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapAddEntryListenerWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        MapAddNearCacheInvalidationListenerCodec.REQUEST_MESSAGE_TYPE,
        MapAddPartitionLostListenerCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.NOTHING,
        Rights.NONE,
        MapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE,
        MapRemovePartitionLostListenerCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.MAP,
        Rights.READ,
        TransactionalMapContainsValueCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapIsEmptyCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapKeySetCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapKeySetWithPredicateCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapSizeCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapValuesCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapValuesWithPredicateCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.KEY,
        Rights.READ,
        TransactionalMapContainsKeyCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapGetCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.KEY,
        Rights.of(Right.READ, Right.LOCK),
        TransactionalMapGetForUpdateCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.KEY,
        Rights.of(Right.WRITE, Right.LOCK),
        TransactionalMapDeleteCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapSetCodec.REQUEST_MESSAGE_TYPE);
    need(
        On.KEY,
        Rights.of(Right.READ, Right.WRITE, Right.LOCK),
        TransactionalMapPutCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapPutIfAbsentCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapRemoveCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapRemoveIfSameCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapReplaceCodec.REQUEST_MESSAGE_TYPE,
        TransactionalMapReplaceIfSameCodec.REQUEST_MESSAGE_TYPE);
  }

  private MapNeeds() {}

  /** Returns the grants that a message type needs, or null if grants do not open it. */
  static @Nullable MapNeed of(int messageType) {
    return NEEDS.get(messageType);
  }

  private static void need(On on, Rights rights, int... messageTypes) {
    MapNeed need = new MapNeed(on, rights);
    for (int type : messageTypes) {
      NEEDS.put(type, need);
    }
  }
}
