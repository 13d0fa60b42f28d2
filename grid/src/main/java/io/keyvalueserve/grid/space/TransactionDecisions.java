package io.keyvalueserve.grid.space;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.keyvalueserve.grid.space.TransactionDecision.Part;
import io.keyvalueserve.maps.LocalMaps;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The decisions on transactions that change several partitions, in a system map: the first record
 * decides. It has two backups, and a record is on the disk of the members that hold it, if they
 * have logs, before the call returns. Blocks; thread-safe.
 *
 * <p>Changes of maps that are in memory alone are recorded apart, before the decision, in a system
 * map that no log has. So nothing of such a map is on a disk, and whoever ends the transaction for
 * a member that died finds all changes. After a restart such maps are empty, as is that record.
 */
public final class TransactionDecisions {
  private static final String MAP = LocalMaps.TRANSACTION_DECISIONS;
  private static final String IN_MEMORY = LocalMaps.TRANSACTION_CHANGES_IN_MEMORY;
  private static final int BACKUPS = 2;

  /** The time for which a transaction that was ended by others may still try to commit. */
  private static final long ABORTED_MINUTES = 30;

  /** The time after which changes are forgotten whose member died before it decided. */
  private static final long UNDECIDED_HOURS = 24;

  private final HazelcastInstance instance;
  private final Predicate<String> isInMemoryAlone;

  /**
   * @param isInMemoryAlone whether nothing of a map may be on a disk
   */
  TransactionDecisions(HazelcastInstance instance, Predicate<String> isInMemoryAlone) {
    this.instance = instance;
    this.isInMemoryAlone = isInMemoryAlone;
  }

  /** Sets up the system maps; before the member starts. */
  public static void configure(Config config) {
    for (String map : List.of(MAP, IN_MEMORY)) {
      config.addMapConfig(
          new MapConfig(map).setInMemoryFormat(InMemoryFormat.NATIVE).setBackupCount(BACKUPS));
    }
  }

  private IMap<String, TransactionDecision> map() {
    return instance.getMap(MAP);
  }

  private IMap<String, TransactionDecision> inMemory() {
    return instance.getMap(IN_MEMORY);
  }

  /**
   * Decides that a transaction is committed, unless it is decided already.
   *
   * @return what was decided before; null if nothing was
   */
  @Nullable TransactionDecision commit(TransactionId id, TransactionDecision decision) {
    Map<String, Boolean> known = new HashMap<>();
    Map<Boolean, List<Part>> parts =
        decision.parts().stream()
            .collect(
                Collectors.partitioningBy(
                    part -> known.computeIfAbsent(part.group().map(), isInMemoryAlone::test)));
    List<Part> apart = parts.getOrDefault(true, List.of());
    if (apart.isEmpty()) {
      return whole(id, map().putIfAbsent(id.toString(), decision));
    }
    long decidedMillis = decision.decidedMillis();
    inMemory()
        .set(
            id.toString(),
            new TransactionDecision(apart, decidedMillis),
            UNDECIDED_HOURS,
            TimeUnit.HOURS);
    TransactionDecision onDisk =
        new TransactionDecision(parts.getOrDefault(false, List.of()), decidedMillis, true);
    TransactionDecision before = map().putIfAbsent(id.toString(), onDisk);
    if (before != null && !before.isCommitted()) {
      inMemory().delete(id.toString());
    }
    return whole(id, before);
  }

  /** Returns a decision with the parts that are recorded apart. */
  private @Nullable TransactionDecision whole(
      TransactionId id, @Nullable TransactionDecision decision) {
    if (decision == null || !decision.isApart()) {
      return decision;
    }
    List<Part> parts = new ArrayList<>(decision.parts());
    TransactionDecision apart = inMemory().get(id.toString());
    if (apart != null) { // else it is forgotten at this moment, or all members were restarted
      parts.addAll(apart.parts());
    }
    return new TransactionDecision(parts, decision.decidedMillis(), true);
  }

  /**
   * Decides that a transaction is aborted, unless it is decided already.
   *
   * @return what was decided before; null if nothing was
   */
  @Nullable TransactionDecision abort(TransactionId id) {
    return whole(
        id,
        map()
            .putIfAbsent(
                id.toString(), new TransactionDecision(), ABORTED_MINUTES, TimeUnit.MINUTES));
  }

  /**
   * Forgets a transaction that is committed and carried out.
   *
   * @param decision as it was recorded, or is made to be
   */
  void forget(TransactionId id, TransactionDecision decision) {
    map().delete(id.toString());
    if (decision.parts().stream().anyMatch(part -> isInMemoryAlone.test(part.group().map()))
        || decision.isApart()) {
      inMemory().delete(id.toString());
    }
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
    return whole(TransactionId.parse(name), map().get(name));
  }
}
