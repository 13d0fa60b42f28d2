package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.partition.IPartitionService;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.query.PartitionPredicate;
import com.hazelcast.query.Predicate;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.ScannedMap;
import io.keyvalueserve.maps.predicate.PredicateConditions;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Answers a request for rows of a map with their bytes, if its predicate is one of Hazelcast's own;
 * else has Hazelcast's task do it. Runs where queries do.
 */
final class RowsTask implements Runnable {
  private final ClientMessage message;
  private final DoorSession session;
  private final Node node;
  private final Runnable stock;

  /**
   * @param message asks for rows: {@link RowsRequest#is}
   * @param stock Hazelcast's own task for it
   */
  RowsTask(ClientMessage message, DoorSession session, Node node, Runnable stock) {
    this.message = message;
    this.session = session;
    this.node = node;
    this.stock = stock;
  }

  @Override
  public void run() {
    try {
      if (!node.getNodeExtension().isStartCompleted()) {
        throw new HazelcastInstanceNotActiveException("Hazelcast instance is not ready yet!");
      }
      RowsRequest request = RowsRequest.of(message);
      Data data = request.predicate();
      Predicate<?, ?> predicate =
          data == null ? null : node.getSerializationService().toObject(data);
      Condition condition =
          data == null ? new Condition.Constant(true) : PredicateConditions.of(predicate);
      NativeMaps maps = KvsMapService.mapsOf(node.getNodeEngine());
      if (condition == null || !ScannedMap.of(maps, request.map()).isReadDirectly()) {
        stock.run();
        return;
      }
      new RowsQuery(node, maps, request, condition, message, session).start(partitions(predicate));
    } catch (RuntimeException e) {
      RowsQuery.fail(node, message, e);
    }
  }

  private BitSet partitions(@Nullable Predicate<?, ?> predicate) {
    IPartitionService service = node.getPartitionService();
    BitSet partitions = new BitSet();
    if (predicate instanceof PartitionPredicate<?, ?> some) {
      for (Object key : some.getPartitionKeys()) {
        partitions.set(service.getPartitionId(key));
      }
    } else {
      partitions.set(0, service.getPartitionCount());
    }
    return partitions;
  }
}
