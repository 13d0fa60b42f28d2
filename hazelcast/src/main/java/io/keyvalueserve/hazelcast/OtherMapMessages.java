package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.billing.metering.Measure.DELETES;
import static io.keyvalueserve.billing.metering.Measure.LOCKS;
import static io.keyvalueserve.billing.metering.Measure.QUERIES;
import static io.keyvalueserve.billing.metering.Measure.READS;
import static io.keyvalueserve.billing.metering.Measure.WRITES;
import static io.keyvalueserve.hazelcast.BulkSize.EACH_ENTRY;
import static io.keyvalueserve.hazelcast.BulkSize.EACH_VALUE;
import static io.keyvalueserve.hazelcast.RequestObjects.Parts.ALL;
import static io.keyvalueserve.hazelcast.RequestObjects.Parts.LAST;
import static io.keyvalueserve.hazelcast.WaitingKind.FREEING;

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
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapGetCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapRemoveEntryCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapSizeCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapValueCountCodec;
import java.util.List;

/** The types of messages on multimaps and on replicated maps. */
final class OtherMapMessages {
  private OtherMapMessages() {}

  /** Returns a row for each type. */
  static List<MessageRow> rows() {
    return List.of(
        multiMap(MultiMapAddEntryListenerCodec.REQUEST_MESSAGE_TYPE)
            .adds(MultiMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE),
        multiMap(MultiMapAddEntryListenerToKeyCodec.REQUEST_MESSAGE_TYPE)
            .adds(MultiMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE),
        multiMap(MultiMapClearCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        multiMap(MultiMapContainsEntryCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        multiMap(MultiMapContainsKeyCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        multiMap(MultiMapContainsValueCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        multiMap(MultiMapDeleteCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        multiMap(MultiMapEntrySetCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        multiMap(MultiMapForceUnlockCodec.REQUEST_MESSAGE_TYPE).charged(LOCKS).waits(FREEING),
        multiMap(MultiMapGetCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        multiMap(MultiMapIsLockedCodec.REQUEST_MESSAGE_TYPE).charged(LOCKS),
        multiMap(MultiMapKeySetCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        multiMap(MultiMapLockCodec.REQUEST_MESSAGE_TYPE).charged(LOCKS).keeps(Keeping.LOCK),
        multiMap(MultiMapPutCodec.REQUEST_MESSAGE_TYPE).charged(WRITES).keeps(Keeping.ELEMENTS),
        multiMap(MultiMapPutAllCodec.REQUEST_MESSAGE_TYPE)
            .charged(WRITES)
            .keeps(Keeping.ELEMENTS)
            .counts(EACH_VALUE),
        multiMap(MultiMapRemoveCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        multiMap(MultiMapRemoveEntryCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        multiMap(MultiMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE).removesListener(),
        multiMap(MultiMapSizeCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        multiMap(MultiMapTryLockCodec.REQUEST_MESSAGE_TYPE).charged(LOCKS).keeps(Keeping.LOCK),
        multiMap(MultiMapUnlockCodec.REQUEST_MESSAGE_TYPE).charged(LOCKS).unlocks(),
        multiMap(MultiMapValueCountCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        multiMap(MultiMapValuesCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        replicatedMap(ReplicatedMapAddEntryListenerCodec.REQUEST_MESSAGE_TYPE)
            .adds(ReplicatedMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE),
        replicatedMap(ReplicatedMapAddEntryListenerToKeyCodec.REQUEST_MESSAGE_TYPE)
            .adds(ReplicatedMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE),
        replicatedMap(ReplicatedMapAddEntryListenerToKeyWithPredicateCodec.REQUEST_MESSAGE_TYPE)
            .makes(LAST)
            .adds(ReplicatedMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE),
        replicatedMap(ReplicatedMapAddEntryListenerWithPredicateCodec.REQUEST_MESSAGE_TYPE)
            .makes(ALL)
            .adds(ReplicatedMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE),
        replicatedMap(ReplicatedMapAddNearCacheEntryListenerCodec.REQUEST_MESSAGE_TYPE)
            .adds(ReplicatedMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE),
        replicatedMap(ReplicatedMapClearCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        replicatedMap(ReplicatedMapContainsKeyCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        replicatedMap(ReplicatedMapContainsValueCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        replicatedMap(ReplicatedMapEntrySetCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        replicatedMap(ReplicatedMapGetCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        replicatedMap(ReplicatedMapIsEmptyCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        replicatedMap(ReplicatedMapKeySetCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        replicatedMap(ReplicatedMapPutCodec.REQUEST_MESSAGE_TYPE)
            .charged(WRITES)
            .keeps(Keeping.ELEMENTS),
        replicatedMap(ReplicatedMapPutAllCodec.REQUEST_MESSAGE_TYPE)
            .charged(WRITES)
            .keeps(Keeping.ELEMENTS)
            .counts(EACH_ENTRY),
        replicatedMap(ReplicatedMapRemoveCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        replicatedMap(ReplicatedMapRemoveEntryListenerCodec.REQUEST_MESSAGE_TYPE).removesListener(),
        replicatedMap(ReplicatedMapSizeCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        replicatedMap(ReplicatedMapValuesCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        transactionalMultiMap(TransactionalMultiMapGetCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        transactionalMultiMap(TransactionalMultiMapPutCodec.REQUEST_MESSAGE_TYPE).charged(WRITES),
        transactionalMultiMap(TransactionalMultiMapRemoveCodec.REQUEST_MESSAGE_TYPE)
            .charged(DELETES),
        transactionalMultiMap(TransactionalMultiMapRemoveEntryCodec.REQUEST_MESSAGE_TYPE)
            .charged(DELETES),
        transactionalMultiMap(TransactionalMultiMapSizeCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        transactionalMultiMap(TransactionalMultiMapValueCountCodec.REQUEST_MESSAGE_TYPE)
            .charged(READS));
  }

  private static MessageRow multiMap(int type) {
    return new MessageRow(type, MessageRule.KEYED_NAME, Structure.MULTI_MAP);
  }

  private static MessageRow replicatedMap(int type) {
    return new MessageRow(type, MessageRule.KEYED_NAME, Structure.REPLICATED_MAP);
  }

  private static MessageRow transactionalMultiMap(int type) {
    return multiMap(type).inTransaction();
  }
}
