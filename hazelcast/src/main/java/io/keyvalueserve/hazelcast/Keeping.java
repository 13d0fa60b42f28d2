package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.codec.CardinalityEstimatorAddCodec;
import com.hazelcast.client.impl.protocol.codec.ClientCreateProxiesCodec;
import com.hazelcast.client.impl.protocol.codec.ClientCreateProxyCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendAllSchemasCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendSchemaCodec;
import com.hazelcast.client.impl.protocol.codec.ClientStatisticsCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddAllWithIndexCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddWithIndexCodec;
import com.hazelcast.client.impl.protocol.codec.ListSetCodec;
import com.hazelcast.client.impl.protocol.codec.MapLockCodec;
import com.hazelcast.client.impl.protocol.codec.MapTryLockCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapLockCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapPutAllCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapTryLockCodec;
import com.hazelcast.client.impl.protocol.codec.PNCounterAddCodec;
import com.hazelcast.client.impl.protocol.codec.QueueAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.QueueOfferCodec;
import com.hazelcast.client.impl.protocol.codec.QueuePutCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapPutAllCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferAddCodec;
import com.hazelcast.client.impl.protocol.codec.SetAddAllCodec;
import com.hazelcast.client.impl.protocol.codec.SetAddCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionCreateCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalListAddCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalQueueOfferCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalSetAddCodec;
import io.keyvalueserve.grid.kept.HeapCost;

/**
 * Says what a request makes a member keep on its Java heap after it was answered. A test goes
 * through all types that are open to tenants.
 */
enum Keeping {
  /** It adds elements: it counts until the member measures them. */
  ELEMENTS,
  /** It changes an object whose size does not depend on the request: the name counts. */
  NAME,
  /** It makes an object known to all members. */
  OBJECT,
  /** It begins a transaction, which counts until it ends. */
  TRANSACTION,
  /** It is part of a transaction, whose log grows. */
  TRANSACTION_RECORD,
  /** It takes a lock, whose key counts until the member counts the locks. */
  LOCK,
  /** It adds a listener, which counts until it is removed. */
  LISTENER,
  /** It replaces what the member knows of the client. */
  STATISTICS,
  /** It registers schemas, of which {@link TenantSchemas} keeps a bounded number. */
  SCHEMA,
  /** It keeps nothing on the heap: entries of maps are outside it, and the rest only asks. */
  NOTHING;

  private static final int FAMILY_SHIFT = 16;

  static Keeping of(int messageType) {
    if (ListenerMessages.adds(messageType)) {
      return LISTENER;
    }
    return switch (messageType) {
      case QueueAddAllCodec.REQUEST_MESSAGE_TYPE,
          QueueOfferCodec.REQUEST_MESSAGE_TYPE,
          QueuePutCodec.REQUEST_MESSAGE_TYPE,
          ListAddCodec.REQUEST_MESSAGE_TYPE,
          ListAddAllCodec.REQUEST_MESSAGE_TYPE,
          ListAddAllWithIndexCodec.REQUEST_MESSAGE_TYPE,
          ListAddWithIndexCodec.REQUEST_MESSAGE_TYPE,
          ListSetCodec.REQUEST_MESSAGE_TYPE,
          SetAddCodec.REQUEST_MESSAGE_TYPE,
          SetAddAllCodec.REQUEST_MESSAGE_TYPE,
          MultiMapPutCodec.REQUEST_MESSAGE_TYPE,
          MultiMapPutAllCodec.REQUEST_MESSAGE_TYPE,
          ReplicatedMapPutCodec.REQUEST_MESSAGE_TYPE,
          ReplicatedMapPutAllCodec.REQUEST_MESSAGE_TYPE,
          RingbufferAddCodec.REQUEST_MESSAGE_TYPE,
          RingbufferAddAllCodec.REQUEST_MESSAGE_TYPE ->
          ELEMENTS;
      case PNCounterAddCodec.REQUEST_MESSAGE_TYPE,
          CardinalityEstimatorAddCodec.REQUEST_MESSAGE_TYPE ->
          NAME;
      case ClientCreateProxyCodec.REQUEST_MESSAGE_TYPE,
          ClientCreateProxiesCodec.REQUEST_MESSAGE_TYPE ->
          OBJECT;
      case TransactionCreateCodec.REQUEST_MESSAGE_TYPE -> TRANSACTION;
      case MapLockCodec.REQUEST_MESSAGE_TYPE,
          MapTryLockCodec.REQUEST_MESSAGE_TYPE,
          MultiMapLockCodec.REQUEST_MESSAGE_TYPE,
          MultiMapTryLockCodec.REQUEST_MESSAGE_TYPE ->
          LOCK;
      case ClientStatisticsCodec.REQUEST_MESSAGE_TYPE -> STATISTICS;
      case ClientSendSchemaCodec.REQUEST_MESSAGE_TYPE,
          ClientSendAllSchemasCodec.REQUEST_MESSAGE_TYPE ->
          SCHEMA;
      default -> isTransactional(messageType) ? TRANSACTION_RECORD : NOTHING;
    };
  }

  /** Returns whether a request is on an object within a transaction. */
  static boolean isTransactional(int messageType) {
    int family = messageType >> FAMILY_SHIFT;
    return family == TransactionalMapPutCodec.REQUEST_MESSAGE_TYPE >> FAMILY_SHIFT
        || family == TransactionalMultiMapPutCodec.REQUEST_MESSAGE_TYPE >> FAMILY_SHIFT
        || family == TransactionalQueueOfferCodec.REQUEST_MESSAGE_TYPE >> FAMILY_SHIFT
        || family == TransactionalListAddCodec.REQUEST_MESSAGE_TYPE >> FAMILY_SHIFT
        || family == TransactionalSetAddCodec.REQUEST_MESSAGE_TYPE >> FAMILY_SHIFT;
  }

  /** Returns what each element of a request takes besides its bytes. */
  static long elementBytes(int messageType) {
    return switch (messageType) {
      case MultiMapPutCodec.REQUEST_MESSAGE_TYPE, MultiMapPutAllCodec.REQUEST_MESSAGE_TYPE ->
          HeapCost.MULTIMAP_KEY + HeapCost.MULTIMAP_VALUE + 2 * HeapCost.DATA;
      case ReplicatedMapPutCodec.REQUEST_MESSAGE_TYPE,
          ReplicatedMapPutAllCodec.REQUEST_MESSAGE_TYPE ->
          HeapCost.REPLICATED_ENTRY + 2 * HeapCost.DATA;
      case RingbufferAddCodec.REQUEST_MESSAGE_TYPE, RingbufferAddAllCodec.REQUEST_MESSAGE_TYPE ->
          HeapCost.DATA;
      default -> HeapCost.ELEMENT + HeapCost.DATA;
    };
  }
}
