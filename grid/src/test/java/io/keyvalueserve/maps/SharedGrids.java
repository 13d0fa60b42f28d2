package io.keyvalueserve.maps;

import com.hazelcast.core.HazelcastInstance;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Clusters that the tests of this package share, one of each size. They end with the launcher's
 * session, that is after the last class of this JVM: several JVMs at once are given one class after
 * the other, and for each of those all but the session begins anew.
 */
final class SharedGrids implements BeforeAllCallback {
  private static final Map<Integer, HdGrid> GRIDS = new TreeMap<>();
  private static final Map<HdGrid, HazelcastInstance> CLIENTS = new HashMap<>();

  /** The cluster of that many members. Tests leave it as they found it. */
  static synchronized HdGrid of(int members) {
    return GRIDS.computeIfAbsent(members, HdGrid::start);
  }

  /** The cluster of that many members whose values leave memory all the time. */
  static synchronized HdGrid spilling(int members) {
    return GRIDS.computeIfAbsent(-members, size -> HdGrid.spilling(-size));
  }

  /** A client of a shared cluster, closed with it. */
  static synchronized HazelcastInstance client(HdGrid grid) {
    return CLIENTS.computeIfAbsent(grid, g -> g.client(config -> {}));
  }

  private static synchronized void close() {
    GRIDS.values().forEach(HdGrid::close);
    GRIDS.clear();
    CLIENTS.clear();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    context
        .getStore(
            ExtensionContext.StoreScope.LAUNCHER_SESSION,
            ExtensionContext.Namespace.create(SharedGrids.class))
        .computeIfAbsent("close", key -> (AutoCloseable) SharedGrids::close);
  }
}
