package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.billing.metering.Measure.DELETES;
import static io.keyvalueserve.billing.metering.Measure.QUERIES;
import static io.keyvalueserve.billing.metering.Measure.READS;
import static io.keyvalueserve.billing.metering.Measure.WRITES;
import static io.keyvalueserve.hazelcast.BulkSize.EACH;
import static io.keyvalueserve.hazelcast.WaitingKind.PARKED;

import com.hazelcast.client.impl.protocol.codec.CardinalityEstimatorAddCodec;
import com.hazelcast.client.impl.protocol.codec.CardinalityEstimatorEstimateCodec;
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
import com.hazelcast.client.impl.protocol.codec.TransactionalListAddCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalListRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalListSizeCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalQueueOfferCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalQueuePeekCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalQueuePollCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalQueueSizeCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalQueueTakeCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalSetAddCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalSetRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalSetSizeCodec;
import java.util.List;

/** The types of messages on objects that lie in one partition: queues, lists, sets and the like. */
final class CollectionMessages {
  private CollectionMessages() {}

  /** Returns a row for each type. */
  static List<MessageRow> rows() {
    return List.of(
        queue(QueueAddAllCodec.REQUEST_MESSAGE_TYPE)
            .charged(WRITES)
            .keeps(Keeping.ELEMENTS)
            .counts(EACH),
        queue(QueueAddListenerCodec.REQUEST_MESSAGE_TYPE)
            .adds(QueueRemoveListenerCodec.REQUEST_MESSAGE_TYPE),
        queue(QueueClearCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        queue(QueueCompareAndRemoveAllCodec.REQUEST_MESSAGE_TYPE).charged(DELETES).counts(EACH),
        queue(QueueCompareAndRetainAllCodec.REQUEST_MESSAGE_TYPE).charged(DELETES).counts(EACH),
        queue(QueueContainsCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        queue(QueueContainsAllCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES).counts(EACH),
        queue(QueueDrainToCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        queue(QueueDrainToMaxSizeCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        queue(QueueIsEmptyCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        queue(QueueIteratorCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        queue(QueueOfferCodec.REQUEST_MESSAGE_TYPE).charged(WRITES).keeps(Keeping.ELEMENTS),
        queue(QueuePeekCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        queue(QueuePollCodec.REQUEST_MESSAGE_TYPE).charged(DELETES).waits(PARKED),
        queue(QueuePutCodec.REQUEST_MESSAGE_TYPE).charged(WRITES).keeps(Keeping.ELEMENTS),
        queue(QueueRemainingCapacityCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        queue(QueueRemoveCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        queue(QueueRemoveListenerCodec.REQUEST_MESSAGE_TYPE).removesListener(),
        queue(QueueSizeCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        queue(QueueTakeCodec.REQUEST_MESSAGE_TYPE).charged(DELETES).waits(PARKED),
        topic(TopicAddMessageListenerCodec.REQUEST_MESSAGE_TYPE)
            .adds(TopicRemoveMessageListenerCodec.REQUEST_MESSAGE_TYPE),
        topic(TopicPublishCodec.REQUEST_MESSAGE_TYPE).charged(WRITES),
        topic(TopicPublishAllCodec.REQUEST_MESSAGE_TYPE).charged(WRITES).counts(EACH),
        topic(TopicRemoveMessageListenerCodec.REQUEST_MESSAGE_TYPE).removesListener(),
        list(ListAddCodec.REQUEST_MESSAGE_TYPE).charged(WRITES).keeps(Keeping.ELEMENTS),
        list(ListAddAllCodec.REQUEST_MESSAGE_TYPE)
            .charged(WRITES)
            .keeps(Keeping.ELEMENTS)
            .counts(EACH),
        list(ListAddAllWithIndexCodec.REQUEST_MESSAGE_TYPE)
            .charged(WRITES)
            .keeps(Keeping.ELEMENTS)
            .counts(EACH),
        list(ListAddListenerCodec.REQUEST_MESSAGE_TYPE)
            .adds(ListRemoveListenerCodec.REQUEST_MESSAGE_TYPE),
        list(ListAddWithIndexCodec.REQUEST_MESSAGE_TYPE).charged(WRITES).keeps(Keeping.ELEMENTS),
        list(ListClearCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        list(ListCompareAndRemoveAllCodec.REQUEST_MESSAGE_TYPE).charged(DELETES).counts(EACH),
        list(ListCompareAndRetainAllCodec.REQUEST_MESSAGE_TYPE).charged(DELETES).counts(EACH),
        list(ListContainsCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        list(ListContainsAllCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES).counts(EACH),
        list(ListGetCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        list(ListGetAllCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        list(ListIndexOfCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        list(ListIsEmptyCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        list(ListIteratorCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        list(ListLastIndexOfCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        list(ListListIteratorCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        list(ListRemoveCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        list(ListRemoveListenerCodec.REQUEST_MESSAGE_TYPE).removesListener(),
        list(ListRemoveWithIndexCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        list(ListSetCodec.REQUEST_MESSAGE_TYPE).charged(WRITES).keeps(Keeping.ELEMENTS),
        list(ListSizeCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        list(ListSubCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        set(SetAddCodec.REQUEST_MESSAGE_TYPE).charged(WRITES).keeps(Keeping.ELEMENTS),
        set(SetAddAllCodec.REQUEST_MESSAGE_TYPE)
            .charged(WRITES)
            .keeps(Keeping.ELEMENTS)
            .counts(EACH),
        set(SetAddListenerCodec.REQUEST_MESSAGE_TYPE)
            .adds(SetRemoveListenerCodec.REQUEST_MESSAGE_TYPE),
        set(SetClearCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        set(SetCompareAndRemoveAllCodec.REQUEST_MESSAGE_TYPE).charged(DELETES).counts(EACH),
        set(SetCompareAndRetainAllCodec.REQUEST_MESSAGE_TYPE).charged(DELETES).counts(EACH),
        set(SetContainsCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        set(SetContainsAllCodec.REQUEST_MESSAGE_TYPE).charged(READS).counts(EACH),
        set(SetGetAllCodec.REQUEST_MESSAGE_TYPE).charged(QUERIES),
        set(SetIsEmptyCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        set(SetRemoveCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        set(SetRemoveListenerCodec.REQUEST_MESSAGE_TYPE).removesListener(),
        set(SetSizeCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        ringbuffer(RingbufferAddCodec.REQUEST_MESSAGE_TYPE).charged(WRITES).keeps(Keeping.ELEMENTS),
        ringbuffer(RingbufferAddAllCodec.REQUEST_MESSAGE_TYPE)
            .charged(WRITES)
            .keeps(Keeping.ELEMENTS)
            .counts(EACH),
        ringbuffer(RingbufferCapacityCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        ringbuffer(RingbufferHeadSequenceCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        ringbuffer(RingbufferReadManyCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        ringbuffer(RingbufferReadOneCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        ringbuffer(RingbufferRemainingCapacityCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        ringbuffer(RingbufferSizeCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        ringbuffer(RingbufferTailSequenceCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        counter(PNCounterAddCodec.REQUEST_MESSAGE_TYPE).charged(WRITES).keeps(Keeping.NAME),
        counter(PNCounterGetCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        counter(PNCounterGetConfiguredReplicaCountCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        idGenerator(FlakeIdGeneratorNewIdBatchCodec.REQUEST_MESSAGE_TYPE).charged(WRITES),
        estimator(CardinalityEstimatorAddCodec.REQUEST_MESSAGE_TYPE)
            .charged(WRITES)
            .keeps(Keeping.NAME),
        estimator(CardinalityEstimatorEstimateCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        transactionalQueue(TransactionalQueueOfferCodec.REQUEST_MESSAGE_TYPE).charged(WRITES),
        transactionalQueue(TransactionalQueuePeekCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        transactionalQueue(TransactionalQueuePollCodec.REQUEST_MESSAGE_TYPE)
            .charged(DELETES)
            .waits(PARKED),
        transactionalQueue(TransactionalQueueSizeCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        transactionalQueue(TransactionalQueueTakeCodec.REQUEST_MESSAGE_TYPE)
            .charged(DELETES)
            .waits(PARKED),
        transactionalList(TransactionalListAddCodec.REQUEST_MESSAGE_TYPE).charged(WRITES),
        transactionalList(TransactionalListRemoveCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        transactionalList(TransactionalListSizeCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        transactionalSet(TransactionalSetAddCodec.REQUEST_MESSAGE_TYPE).charged(WRITES),
        transactionalSet(TransactionalSetRemoveCodec.REQUEST_MESSAGE_TYPE).charged(DELETES),
        transactionalSet(TransactionalSetSizeCodec.REQUEST_MESSAGE_TYPE).charged(READS));
  }

  private static MessageRow queue(int type) {
    return new MessageRow(type, MessageRule.SINGLE_NAME, Structure.QUEUE);
  }

  private static MessageRow topic(int type) {
    return new MessageRow(type, MessageRule.SINGLE_NAME, Structure.TOPIC);
  }

  private static MessageRow list(int type) {
    return new MessageRow(type, MessageRule.SINGLE_NAME, Structure.LIST);
  }

  private static MessageRow set(int type) {
    return new MessageRow(type, MessageRule.SINGLE_NAME, Structure.SET);
  }

  private static MessageRow ringbuffer(int type) {
    return new MessageRow(type, MessageRule.SINGLE_NAME, Structure.RINGBUFFER);
  }

  private static MessageRow counter(int type) {
    return new MessageRow(type, MessageRule.SINGLE_NAME, Structure.PN_COUNTER);
  }

  private static MessageRow idGenerator(int type) {
    return new MessageRow(type, MessageRule.SINGLE_NAME, Structure.FLAKE_ID_GENERATOR);
  }

  private static MessageRow estimator(int type) {
    return new MessageRow(type, MessageRule.SINGLE_NAME, Structure.CARDINALITY_ESTIMATOR);
  }

  private static MessageRow transactionalQueue(int type) {
    return queue(type).inTransaction();
  }

  private static MessageRow transactionalList(int type) {
    return list(type).inTransaction();
  }

  private static MessageRow transactionalSet(int type) {
    return set(type).inTransaction();
  }
}
