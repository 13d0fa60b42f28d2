package io.keyvalueserve.grid.space;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.keyvalueserve.maps.LocalMaps;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The decisions on transactions that change several partitions, in a system map: the first record
 * decides. It has two backups, and a record is on the disk of the members that hold it, if they
 * have logs, before the call returns. Blocks; thread-safe.
 */
public final class TransactionDecisions {
  private static final String MAP = LocalMaps.TRANSACTION_DECISIONS;
  private static final int BACKUPS = 2;

  /** The time for which a transaction that was ended by others may still try to commit. */
  private static final long ABORTED_MINUTES = 30;

  private final HazelcastInstance instance;

  TransactionDecisions(HazelcastInstance instance) {
    this.instance = instance;
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    config.addMapConfig(
        new MapConfig(MAP).setInMemoryFormat(InMemoryFormat.NATIVE).setBackupCount(BACKUPS));
  }

  private IMap<String, TransactionDecision> map() {
    return instance.getMap(MAP);
  }

  /**
   * Decides that a transaction is committed, unless it is decided already.
   *
   * @return what was decided before; null if nothing was
   */
  @Nullable TransactionDecision commit(TransactionId id, TransactionDecision decision) {
    return map().putIfAbsent(id.toString(), decision);
  }

  /**
   * Decides that a transaction is aborted, unless it is decided already.
   *
   * @return what was decided before; null if nothing was
   */
  @Nullable TransactionDecision abort(TransactionId id) {
    return map()
        .putIfAbsent(id.toString(), new TransactionDecision(), ABORTED_MINUTES, TimeUnit.MINUTES);
  }

  /** Forgets a transaction that is committed and carried out. */
  void forget(TransactionId id) {
    map().delete(id.toString());
  }

  /**
   * Returns whether a transaction is recorded that was committed at a time or before, and that may
   * not be carried out yet.
   *
   * @param millis since 1970
   */
  boolean hasCommitted(long millis) {
    for (String name : names()) {
      if (TransactionId.parse(name).beganMillis() <= millis) {
        TransactionDecision decision = get(name);
        if (decision != null && decision.isCommitted() && decision.decidedMillis() <= millis) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the names of all transactions that are decided. */
  List<String> names() {
    return List.copyOf(map().keySet());
  }

  /** Returns the decision on a transaction; null if there is none. */
  @Nullable TransactionDecision get(String name) {
    return map().get(name);
  }
}
