package io.keyvalueserve.hazelcast;

import com.hazelcast.cardinality.impl.CardinalityEstimatorService;
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

  /** The Hazelcast service that keeps it. */
  String service() {
    return service;
  }

  Placement placement() {
    return placement;
  }
}
