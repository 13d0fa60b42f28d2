package io.keyvalueserve.grid.door;

import com.hazelcast.client.impl.CompositeMessageTaskFactory;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.MessageTaskFactory;
import com.hazelcast.client.impl.protocol.codec.MapContainsKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapDeleteCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutIfAbsentCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveIfSameCodec;
import com.hazelcast.client.impl.protocol.codec.MapReplaceCodec;
import com.hazelcast.client.impl.protocol.codec.MapReplaceIfSameCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.hd.LocalMaps;
import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.grid.space.QuickOperations;
import java.util.Set;

/**
 * Hazelcast's tasks for requests on one key, run on the thread that read the request, if nobody
 * uses the key's partition: the task invokes an operation, which {@link QuickOperations} lets run
 * there and then, or which goes to another member. So what needs backups, listeners or another
 * member is spared the way over the partition's thread. Thread-safe.
 */
final class InlineTasks {
  private static final Set<Integer> ON_ONE_KEY =
      Set.of(
          MapContainsKeyCodec.REQUEST_MESSAGE_TYPE,
          MapDeleteCodec.REQUEST_MESSAGE_TYPE,
          MapGetCodec.REQUEST_MESSAGE_TYPE,
          MapPutCodec.REQUEST_MESSAGE_TYPE,
          MapPutIfAbsentCodec.REQUEST_MESSAGE_TYPE,
          MapRemoveCodec.REQUEST_MESSAGE_TYPE,
          MapRemoveIfSameCodec.REQUEST_MESSAGE_TYPE,
          MapReplaceCodec.REQUEST_MESSAGE_TYPE,
          MapReplaceIfSameCodec.REQUEST_MESSAGE_TYPE,
          MapSetCodec.REQUEST_MESSAGE_TYPE);

  private final NodeEngine nodeEngine;
  private final LocalMaps maps;
  private final int partitions;
  private final MessageTaskFactory tasks;
  private volatile boolean prepared;

  InlineTasks(NodeEngine nodeEngine, LocalMaps maps, int partitions) {
    this.nodeEngine = nodeEngine;
    this.maps = maps;
    this.partitions = partitions;
    tasks = new CompositeMessageTaskFactory(nodeEngine);
  }

  /**
   * Carries out a request that overtakes none of its connection, if that can be done here at once.
   * Never blocks; it is answered by Hazelcast, on this thread or another.
   *
   * @return whether it is carried out; if not, nothing was done
   */
  boolean tryRun(ClientMessage message) {
    int partition = message.getPartitionId();
    int length = message.getFrameLength();
    if (!ON_ONE_KEY.contains(message.getMessageType())
        || length > QuickOperations.MOST_BYTES
        || partition < 0
        || partition >= partitions
        || !LocalMaps.isHere(nodeEngine, NameRewriter.nameIn(message), partition, length)) {
      return false;
    }
    if (!prepared) { // until then Hazelcast lets threads that read invoke nothing
      HazelcastEngine _ = HazelcastEngine.of(nodeEngine);
      prepared = true;
    }
    return maps.tryRun(partition, () -> tasks.create(message, message.getConnection()).run());
  }
}
