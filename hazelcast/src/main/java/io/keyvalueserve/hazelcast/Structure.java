package io.keyvalueserve.hazelcast;

import com.hazelcast.cardinality.impl.CardinalityEstimatorService;
import com.hazelcast.client.impl.protocol.codec.CardinalityEstimatorAddCodec;
import com.hazelcast.client.impl.protocol.codec.FlakeIdGeneratorNewIdBatchCodec;
import com.hazelcast.client.impl.protocol.codec.ListAddCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MultiMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.PNCounterAddCodec;
import com.hazelcast.client.impl.protocol.codec.QueueOfferCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.RingbufferAddCodec;
import com.hazelcast.client.impl.protocol.codec.SetAddCodec;
import com.hazelcast.client.impl.protocol.codec.TopicPublishCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalListAddCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMultiMapPutCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalQueueOfferCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalSetAddCodec;
import com.hazelcast.collection.impl.list.ListService;
import com.hazelcast.collection.impl.queue.QueueService;
import com.hazelcast.collection.impl.set.SetService;
import com.hazelcast.flakeidgen.impl.FlakeIdGeneratorService;
import com.hazelcast.internal.crdt.pncounter.PNCounterService;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.multimap.impl.MultiMapService;
import com.hazelcast.replicatedmap.impl.ReplicatedMapService;
import com.hazelcast.ringbuffer.impl.RingbufferService;
import com.hazelcast.topic.impl.TopicService;
import com.hazelcast.topic.impl.reliable.ReliableTopicService;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A kind of distributed object that tenants may use. What is not here they may not create. */
enum Structure {
  MAP(MapService.SERVICE_NAME, Placement.BY_KEY),
  MULTI_MAP(MultiMapService.SERVICE_NAME, Placement.BY_KEY),
  REPLICATED_MAP(ReplicatedMapService.SERVICE_NAME, Placement.BY_KEY),
  QUEUE(QueueService.SERVICE_NAME, Placement.BY_NAME),
  TOPIC(TopicService.SERVICE_NAME, Placement.BY_NAME),
  RELIABLE_TOPIC(ReliableTopicService.SERVICE_NAME, Placement.BY_NAME),
  LIST(ListService.SERVICE_NAME, Placement.BY_NAME),
  SET(SetService.SERVICE_NAME, Placement.BY_NAME),
  RINGBUFFER(RingbufferService.SERVICE_NAME, Placement.BY_NAME),
  PN_COUNTER(PNCounterService.SERVICE_NAME, Placement.BY_NAME),
  FLAKE_ID_GENERATOR(FlakeIdGeneratorService.SERVICE_NAME, Placement.BY_NAME),
  CARDINALITY_ESTIMATOR(CardinalityEstimatorService.SERVICE_NAME, Placement.BY_NAME);

  /** The part of an object that decides in which partition its data lie. */
  enum Placement {
    /** Each entry's key. */
    BY_KEY,
    /** The object's name, or what follows an at sign in it; clients reckon it themselves. */
    BY_NAME
  }

  private static final Map<String, Structure> BY_SERVICE =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(Structure::service, Function.identity()));

  private static final int FAMILY_SHIFT = 16;

  /** The structures by the family that the types of requests on them have in common. */
  private static final Map<Integer, Structure> BY_FAMILY =
      Map.ofEntries(
          Map.entry(family(MapPutCodec.REQUEST_MESSAGE_TYPE), MAP),
          Map.entry(family(TransactionalMapPutCodec.REQUEST_MESSAGE_TYPE), MAP),
          Map.entry(family(MultiMapPutCodec.REQUEST_MESSAGE_TYPE), MULTI_MAP),
          Map.entry(family(TransactionalMultiMapPutCodec.REQUEST_MESSAGE_TYPE), MULTI_MAP),
          Map.entry(family(ReplicatedMapPutCodec.REQUEST_MESSAGE_TYPE), REPLICATED_MAP),
          Map.entry(family(QueueOfferCodec.REQUEST_MESSAGE_TYPE), QUEUE),
          Map.entry(family(TransactionalQueueOfferCodec.REQUEST_MESSAGE_TYPE), QUEUE),
          Map.entry(family(TopicPublishCodec.REQUEST_MESSAGE_TYPE), TOPIC),
          Map.entry(family(ListAddCodec.REQUEST_MESSAGE_TYPE), LIST),
          Map.entry(family(TransactionalListAddCodec.REQUEST_MESSAGE_TYPE), LIST),
          Map.entry(family(SetAddCodec.REQUEST_MESSAGE_TYPE), SET),
          Map.entry(family(TransactionalSetAddCodec.REQUEST_MESSAGE_TYPE), SET),
          Map.entry(family(RingbufferAddCodec.REQUEST_MESSAGE_TYPE), RINGBUFFER),
          Map.entry(family(PNCounterAddCodec.REQUEST_MESSAGE_TYPE), PN_COUNTER),
          Map.entry(
              family(FlakeIdGeneratorNewIdBatchCodec.REQUEST_MESSAGE_TYPE), FLAKE_ID_GENERATOR),
          Map.entry(
              family(CardinalityEstimatorAddCodec.REQUEST_MESSAGE_TYPE), CARDINALITY_ESTIMATOR));

  private final String service;
  private final Placement placement;

  Structure(String service, Placement placement) {
    this.service = service;
    this.placement = placement;
  }

  /** The structure that a Hazelcast service keeps, if tenants may use it. */
  static Optional<Structure> ofService(String service) {
    return Optional.ofNullable(BY_SERVICE.get(service));
  }

  /** Returns the structure that a request on an object is for; null if it is for none. */
  static @Nullable Structure ofRequest(int messageType) {
    return BY_FAMILY.get(family(messageType));
  }

  private static int family(int messageType) {
    return messageType >> FAMILY_SHIFT;
  }

  /** The Hazelcast service that keeps it. */
  String service() {
    return service;
  }

  Placement placement() {
    return placement;
  }
}
