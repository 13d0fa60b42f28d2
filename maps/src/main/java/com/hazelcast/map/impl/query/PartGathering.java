package com.hazelcast.map.impl.query;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.maps.gather.Gathering;

/** Opens the counts of parts of results where these are gathered. */
final class PartGathering {
  /** Rows, the buffer they are written into while it grows, and the packet. */
  private static final int COPIES = 4;

  private PartGathering() {}

  /** Returns a new count for a part that another member asked for. Its opener releases it. */
  static Gathering open(NodeEngine nodeEngine, int tenant, long most) {
    return Gathering.ofPart(KvsMapService.heapOf(nodeEngine, tenant), tenant, COPIES, most);
  }

  /**
   * Returns the count of a request that was made here, held once more.
   *
   * @throws HazelcastException if the request has ended
   */
  static Gathering retained(Gathering request) {
    if (!request.retain()) {
      throw new HazelcastException("the request has ended before its result was gathered");
    }
    return request;
  }
}
