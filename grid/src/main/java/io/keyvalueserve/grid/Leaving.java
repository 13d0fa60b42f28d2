package io.keyvalueserve.grid;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.partition.impl.InternalPartitionServiceImpl;
import com.hazelcast.spi.properties.ClusterProperty;
import io.keyvalueserve.grid.hd.NativeMaps;
import java.util.concurrent.TimeUnit;

/**
 * Takes a member out of its cluster. It hands over its partitions first, as long as others can take
 * them: they do not take what is lost, nor anything without a majority. Hazelcast's own wait for
 * that does not end when the others go down at the same time.
 */
final class Leaving {
  private static final long STEP_MILLIS = 250;

  private final HazelcastInstance instance;
  private final Node node;
  private final NativeMaps maps;

  Leaving(HazelcastInstance instance, Node node, NativeMaps maps) {
    this.instance = instance;
    this.node = node;
    this.maps = maps;
  }

  /** Hands over and leaves; returns when the member has left. */
  void leave() {
    if (handsOver()) {
      instance.shutdown(); // has nothing to wait for any more
    } else {
      instance.getLifecycleService().terminate();
    }
  }

  /** Returns whether everything was handed over that had to be. */
  private boolean handsOver() {
    InternalPartitionServiceImpl partitions =
        (InternalPartitionServiceImpl) node.getPartitionService();
    long patience =
        TimeUnit.SECONDS.toNanos(
            node.getProperties().getSeconds(ClusterProperty.GRACEFUL_SHUTDOWN_MAX_WAIT));
    long begun = System.nanoTime();
    while (!maps.lost().holdsAny() && !maps.lease().isLost()) {
      if (partitions.onShutdown(STEP_MILLIS, TimeUnit.MILLISECONDS)) {
        return true;
      }
      if (Thread.currentThread().isInterrupted() || System.nanoTime() - begun > patience) {
        return false;
      }
    }
    return false;
  }
}
