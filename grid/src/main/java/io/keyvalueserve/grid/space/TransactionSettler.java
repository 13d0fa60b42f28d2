package io.keyvalueserve.grid.space;

import com.hazelcast.cluster.MembershipAdapter;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.internal.locksupport.LockResource;
import com.hazelcast.internal.locksupport.LockStoreImpl;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.space.TransactionApply.Mode;
import io.keyvalueserve.maps.LocalMaps;
import io.keyvalueserve.maps.LockedStores;
import io.keyvalueserve.maps.LockedStores.Locked;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends transactions whose coordinator does not: it has left the cluster, or has held locks for too
 * long. Each member looks at the locks in its own partitions, when a member leaves and twice a
 * second.
 *
 * <p>The decision is a record ({@link TransactionDecisions}). A transaction without one is aborted
 * by recording that, so that a coordinator which comes back cannot commit. A transaction with one
 * is carried out. Two members may do that at once, as what is done depends on the locks.
 */
public final class TransactionSettler {
  /** The age at which a transaction is ended whose coordinator is there, in milliseconds. */
  static final long MOST_MILLIS = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(TransactionSettler.class);
  private static final long PAUSE_MILLIS = 500;
  private static final int LOOKS_TO_RECORDS = 30;
  private static final long MOST_RECORD_MILLIS = 60_000;

  private final NodeEngine nodeEngine;
  private final LockedStores lockedStores;
  private final TransactionDecisions decisions;
  private final TransactionParts parts;
  private final Set<TransactionId> settling = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final Semaphore wake = new Semaphore(0);
  private final long startedMillis = Clock.currentTimeMillis();
  private volatile boolean recovered;
  private int looks;

  TransactionSettler(
      NodeEngine nodeEngine,
      LockedStores lockedStores,
      TransactionDecisions decisions,
      TransactionParts parts) {
    this.nodeEngine = nodeEngine;
    this.lockedStores = lockedStores;
    this.decisions = decisions;
    this.parts = parts;
  }

  /** Begins to look, unless it has begun. Does not block. */
  void begin() {
    if (!begun.get() && begun.compareAndSet(false, true)) {
      UUID _ =
          nodeEngine
              .getClusterService()
              .addMembershipListener(
                  new MembershipAdapter() {
                    @Override
                    public void memberRemoved(MembershipEvent event) {
                      wake.release();
                    }
                  });
      Thread _ = Thread.ofVirtual().name("kvs-transactions").start(this::run);
    }
  }

  private void run() {
    while (nodeEngine.isRunning()) {
      try {
        boolean _ = wake.tryAcquire(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        int _ = wake.drainPermits();
        look();
        if (++looks % LOOKS_TO_RECORDS == 0) {
          lookAtRecords();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException | Error e) { // or locks would stay for ever
        if (nodeEngine.isRunning()) {
          LOG.warn("transactions of members that have left are looked at again: {}", e.toString());
        }
      }
    }
  }

  /** Ends what is recorded of members that have left, and whose locks were lost with others. */
  private void lookAtRecords() {
    if (recovered && nodeEngine.getClusterService().isMaster()) {
      long oldest = Clock.currentTimeMillis() - MOST_RECORD_MILLIS;
      for (String name : recorded(oldest)) {
        settleOrLog(TransactionId.parse(name), Map.of());
      }
    }
  }

  /** The locks of one transaction that are in partitions of this member. */
  private record Found(Map<KeyGroup, List<Data>> keys) {}

  private void look() {
    Map<TransactionId, Found> found = new LinkedHashMap<>();
    Set<UUID> members = new HashSet<>();
    nodeEngine.getClusterService().getMembers().forEach(member -> members.add(member.getUuid()));
    long oldest = Clock.currentTimeMillis() - MOST_MILLIS;
    forEachLock(
        (id, lock, group) -> {
          if (!members.contains(id.coordinator()) || lock.getAcquireTime() < oldest) {
            found
                .computeIfAbsent(id, any -> new Found(new TreeMap<>()))
                .keys()
                .computeIfAbsent(group, any -> new ArrayList<>())
                .add(lock.getKey());
          }
        });
    found.forEach(
        (id, locks) -> {
          Thread _ =
              Thread.ofVirtual().name("kvs-settle").start(() -> settleOrLog(id, locks.keys()));
        });
  }

  /** Receives locks of transactions. */
  interface LockSink {
    void accept(TransactionId id, LockResource lock, KeyGroup group);
  }

  void forEachLock(LockSink sink) {
    for (Locked each : lockedStores.find()) {
      LockStoreImpl store = each.store();
      if (lockedStores.isOwned(each.partition())
          && store.getNamespace().getServiceName().equals(MapService.SERVICE_NAME)) {
        KeyGroup group = new KeyGroup(store.getNamespace().getObjectName(), each.partition());
        for (LockResource lock : store.getLocks()) {
          TransactionId id = TransactionId.of(lock);
          if (id != null) {
            sink.accept(id, lock, group);
          }
        }
      }
    }
  }

  /** Ends a transaction, unless that is being done. */
  private void settleOrLog(TransactionId id, Map<KeyGroup, List<Data>> locked) {
    if (!settling.add(id)) {
      return;
    }
    try {
      boolean committed = settle(id, locked);
      LOG.info(
          "a transaction was {} by another member than its own: transaction={}",
          committed ? "carried out" : "aborted",
          id);
    } catch (RuntimeException | Error e) {
      LOG.warn("a transaction is settled later: transaction={}: {}", id, e.toString());
    } finally {
      boolean _ = settling.remove(id);
    }
  }

  /**
   * Ends a transaction: carries it out if that is recorded, else aborts it. Blocks.
   *
   * @param locked keys that it has locked
   * @return whether it was committed
   */
  boolean settle(TransactionId id, Map<KeyGroup, List<Data>> locked) {
    TransactionDecision before = decisions.abort(id);
    if (before == null || !before.isCommitted()) {
      parts.unlock(id, locked).join();
      return false;
    }
    parts.apply(id, before.parts(), Mode.LOCKED, before.decidedMillis()).join();
    decisions.forget(id, before);
    Map<KeyGroup, List<Data>> all = new TreeMap<>(TransactionParts.keys(before.parts()));
    locked.forEach(
        (group, keys) -> {
          if (!all.containsKey(group)) {
            all.put(group, keys);
          }
        });
    parts.unlock(id, all).join();
    return true;
  }

  /**
   * Ends the transaction that has locked a key, for an operator, if its coordinator does not
   * ({@link RunningTransactions#force}). Blocks.
   *
   * @return null if the lock was no transaction's
   */
  public @Nullable TransactionEnd end(LockResource lock, String map, int partition) {
    TransactionId id = TransactionId.of(lock);
    if (id == null) {
      return null;
    }
    boolean committed = settle(id, Map.of(new KeyGroup(map, partition), List.of(lock.getKey())));
    return committed ? TransactionEnd.COMMITTED : TransactionEnd.ABORTED;
  }

  /**
   * Carries transactions out that were committed before all members ended, if this member is the
   * first of its cluster; else waits until that one has. To be called before clients are let in.
   * Blocks.
   */
  public void recover() {
    begin();
    while (nodeEngine.isRunning()) {
      try {
        List<String> left = recorded(startedMillis);
        if (nodeEngine.getClusterService().isMaster()) {
          left.forEach(this::recover);
          left = List.of();
        }
        if (left.isEmpty()) {
          recovered = true;
          return;
        }
      } catch (RuntimeException e) {
        LOG.info("transactions are recovered when the data is there: {}", e.toString());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
    }
  }

  /**
   * Returns the committed transactions that began before a time. Who restarts has the id it had, so
   * the id does not tell whether a coordinator still runs the transaction. One decision is read at
   * a time, as all of them may be more than the Java heap.
   */
  private List<String> recorded(long beforeMillis) {
    List<String> recorded = new ArrayList<>();
    for (String name : decisions.names()) {
      if (TransactionId.parse(name).beganMillis() < beforeMillis) {
        TransactionDecision decision = decisions.get(name);
        if (decision != null && decision.isCommitted()) {
          recorded.add(name);
        }
      }
    }
    return recorded;
  }

  private void recover(String name) {
    TransactionDecision decision = decisions.get(name);
    if (decision == null) {
      return;
    }
    TransactionId id = TransactionId.parse(name);
    parts
        .apply(
            id,
            decision.parts().stream()
                .filter(part -> LocalMaps.isLogged(nodeEngine, part.group().map()))
                .toList(),
            Mode.UNCONDITIONAL,
            decision.decidedMillis())
        .join();
    decisions.forget(id, decision);
    LOG.info("a transaction was carried out that was committed before the restart: {}", name);
  }
}
