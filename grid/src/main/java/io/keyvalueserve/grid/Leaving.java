package io.keyvalueserve.grid;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeState;
import com.hazelcast.internal.partition.impl.InternalPartitionServiceImpl;
import io.keyvalueserve.maps.NativeMaps;
import java.util.concurrent.TimeUnit;

/**
 * Takes a member out of its cluster. It hands over its partitions first, as long as others can take
 * them: they do not take what is lost, nor anything without a majority. Hazelcast's own wait for
 * that lasts ten minutes when the others go down at the same time, so it is watched.
 */
final class Leaving {
  private static final long LOOK_MILLIS = 50;

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
    if (!mayHandOver()) {
      instance.getLifecycleService().terminate();
      return;
    }
    Thread watcher = Thread.ofPlatform().name("kvs-leaving").daemon().start(this::watch);
    try {
      instance.shutdown();
    } finally {
      watcher.interrupt();
    }
  }

  private boolean mayHandOver() {
    return !maps.lost().holdsAny() && !maps.lease().isLost();
  }

  /** Ends the wait once nobody can take anything. */
  private void watch() {
    try {
      while (mayHandOver() || node.getState() != NodeState.PASSIVE) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      return; // the member has left
    }
    InternalPartitionServiceImpl partitions =
        (InternalPartitionServiceImpl) node.getPartitionService();
    boolean isOver = partitions.onShutdown(1, TimeUnit.MILLISECONDS); // what is waited for exists
    if (!isOver) {
      partitions.onShutdownResponse();
    }
  }
}
