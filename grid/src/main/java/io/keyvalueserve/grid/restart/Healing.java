package io.keyvalueserve.grid.restart;

import com.hazelcast.cluster.Address;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.map.impl.MapService;
import io.keyvalueserve.maps.CopiedEntries;
import io.keyvalueserve.maps.CopiedEntry;
import io.keyvalueserve.maps.CopiedKey;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.RenewedRecords;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes from other copies of a partition what the log of its owner lacks. If one copy is sure of a
 * key, that copy is right, also if it has no entry; else the newer entry is. Used by one thread.
 */
final class Healing {
  private static final Logger LOG = LoggerFactory.getLogger(Healing.class);
  private static final long ANSWER_SECONDS = 60;
  private static final long AGAIN_MILLIS = 50;
  private static final long PAGE_BYTES = 1 << 20;

  /** A member that gives no answer is asked again and again. */
  private static final LogLimit SILENT = LogLimit.aMinute(1);

  private final Node node;
  private final CopiedEntries copied;
  private final BooleanSupplier stopped;

  /**
   * @param stopped whether nobody waits for it any more
   */
  Healing(Node node, NativeMaps maps, BooleanSupplier stopped) {
    this.node = node;
    copied = maps.copied();
    this.stopped = stopped;
  }

  /**
   * Heals a partition of which this member is the owner, before it serves.
   *
   * @param faults of this member's log
   * @return what no copy has
   */
  Losses heal(InternalPartition row, LogFaults faults) {
    int partition = row.getPartitionId();
    Set<CopiedKey> open = new HashSet<>(faults.load(partition, copied));
    boolean blind = faults.places() > 0;
    boolean allBlind = blind;
    Set<CopiedKey> sure =
        new HashSet<>(); // what a copy had that was sure of it, if this one is not
    for (Address other : others(row)) {
      Set<CopiedKey> seen = new HashSet<>();
      String map = "";
      long cursor = 0;
      CopyQuestion.Reply reply;
      do {
        reply = ask(other, new CopyQuestion(partition, map, cursor));
        if (reply == null) {
          break;
        }
        for (CopiedEntry entry : reply.entries()) {
          boolean _ = seen.add(entry.key());
          boolean isSure = reply.isSureOf(entry.key());
          merge(partition, entry, isSure, blind, blind && !sure.contains(entry.key()), open);
        }
        map = reply.nextMap();
        cursor = reply.nextCursor();
      } while (map != null);
      if (reply != null) {
        allBlind &= reply.isBlind();
        for (CopiedKey key : List.copyOf(open)) {
          if (!seen.contains(key) && reply.isSureOf(key)) {
            copied.remove(partition, key);
            boolean _ = open.remove(key);
          }
        }
        if (blind && !reply.isBlind()) {
          removeOthers(partition, seen, sure, reply);
          for (CopiedKey key : seen) {
            boolean _ = reply.isSureOf(key) && sure.add(key);
          }
        }
      }
    }
    Map<String, Long> lost = new TreeMap<>();
    open.forEach(key -> lost.merge(key.map(), 1L, Long::sum));
    boolean isLost = !open.isEmpty() || (blind && allBlind);
    return new Losses(
        new TreeMap<>(lost), isLost ? new TreeSet<>(Set.of(partition)) : new TreeSet<>(), 0);
  }

  /**
   * Takes an entry of another copy if it is to be preferred.
   *
   * @param sure whether the other copy is sure of it
   * @param blind whether this copy may lack any key
   * @param unsure whether no copy that is sure of the key has been asked before
   * @param open keys that this copy is known not to be sure of
   */
  private void merge(
      int partition,
      CopiedEntry entry,
      boolean sure,
      boolean blind,
      boolean unsure,
      Set<CopiedKey> open) {
    CopiedKey key = entry.key();
    long version = copied.version(partition, key);
    boolean wasOpen = open.contains(key);
    if (sure && (wasOpen || (unsure && entry.version() != version))) {
      copied.take(partition, entry);
      boolean _ = open.remove(key);
    } else if (version >= 0 ? entry.version() > version : wasOpen || blind || sure) {
      copied.take(partition, entry); // else this copy knows that the key was removed
    }
  }

  /**
   * Removes the entries that another copy has not, and is sure that it has not. For a copy that
   * cannot tell which of its entries have been removed.
   *
   * @param seen the keys that the other copy has
   * @param sure the keys that an earlier copy had and was sure of
   */
  private void removeOthers(
      int partition, Set<CopiedKey> seen, Set<CopiedKey> sure, CopyQuestion.Reply reply) {
    List<CopiedKey> gone = new ArrayList<>();
    String map = "";
    long cursor = 0;
    do {
      CopiedEntries.Page page = copied.page(partition, map, cursor, PAGE_BYTES);
      for (CopiedEntry entry : page.entries()) {
        CopiedKey key = entry.key();
        if (!seen.contains(key) && !sure.contains(key) && reply.isSureOf(key)) {
          gone.add(key);
        }
      }
      map = page.nextMap();
      cursor = page.nextCursor();
    } while (map != null);
    gone.forEach(key -> copied.remove(partition, key));
  }

  /**
   * Brings records that the log did not give back while the member serves, from copies of their
   * partitions.
   *
   * @return what no copy has
   */
  Losses bring(List<Unreadable> all) {
    Losses losses = Losses.NONE;
    Map<Integer, List<Unreadable>> byPartition = new HashMap<>();
    all.forEach(
        each -> byPartition.computeIfAbsent(each.partition(), id -> new ArrayList<>()).add(each));
    for (Map.Entry<Integer, List<Unreadable>> each : byPartition.entrySet()) {
      losses = losses.and(bring(each.getKey(), each.getValue()));
    }
    return losses;
  }

  /**
   * A record that the log does not give back, and that its partition waits for.
   *
   * @param position where the log had it
   */
  record Unreadable(int partition, CopiedKey key, long position) {}

  /**
   * Takes records from other copies that a running member can have neither from its log nor from
   * its memory.
   *
   * @return what no copy has
   */
  Losses bringLost(List<RenewedRecords.Unreadable> all) {
    Losses losses = Losses.NONE;
    for (RenewedRecords.Unreadable each : all) {
      InternalPartition row = node.getPartitionService().getPartition(each.partition(), false);
      CopiedEntry found = null;
      for (Address other : others(row)) {
        CopyQuestion.Reply reply =
            found != null
                ? null
                : ask(other, new CopyQuestion(each.partition(), List.of(each.key())));
        if (reply != null && !reply.entries().isEmpty()) {
          found = reply.entries().getFirst();
        }
      }
      if (found != null) {
        copied.takeLost(each.partition(), each.key(), each.position(), found);
      } else if (row.isLocal()) { // or its owner makes it anew
        losses =
            losses.and(
                new Losses(
                    new TreeMap<>(Map.of(each.key().map(), 1L)),
                    new TreeSet<>(Set.of(each.partition())),
                    0));
      }
    }
    return losses;
  }

  private Losses bring(int partition, List<Unreadable> unreadable) {
    InternalPartition row = node.getPartitionService().getPartition(partition, false);
    Map<CopiedKey, CopiedEntry> found = new HashMap<>();
    Set<CopiedKey> open = new HashSet<>();
    unreadable.forEach(each -> open.add(each.key()));
    if (row.isLocal()) { // or its owner makes it anew
      for (Address other : others(row)) {
        CopyQuestion.Reply reply =
            open.isEmpty() ? null : ask(other, new CopyQuestion(partition, List.copyOf(open)));
        if (reply != null) {
          for (CopiedEntry entry : reply.entries()) {
            found.merge(
                entry.key(), entry, (one, two) -> two.version() > one.version() ? two : one);
            boolean _ = reply.isSureOf(entry.key()) && open.remove(entry.key());
          }
        }
      }
    }
    TreeMap<String, Long> lost = new TreeMap<>();
    for (Unreadable each : unreadable) {
      CopiedEntry entry = found.get(each.key());
      copied.replace(partition, each.key(), each.position(), entry);
      if (row.isLocal() && entry == null) {
        Long _ = lost.merge(each.key().map(), 1L, Long::sum);
      }
    }
    return new Losses(lost, lost.isEmpty() ? new TreeSet<>() : new TreeSet<>(Set.of(partition)), 0);
  }

  private List<Address> others(InternalPartition row) {
    List<Address> others = new ArrayList<>();
    for (int i = 0; i < InternalPartition.MAX_REPLICA_COUNT; i++) {
      PartitionReplica replica = row.getReplica(i);
      if (replica != null && !replica.address().equals(node.getThisAddress())) {
        others.add(replica.address());
      }
    }
    return others;
  }

  /** Asks until there is an answer; null if the member is gone. */
  private CopyQuestion.@Nullable Reply ask(Address member, CopyQuestion question) {
    while (!stopped.getAsBoolean() && node.getClusterService().getMember(member) != null) {
      try {
        CopyQuestion.Reply reply =
            node.getNodeEngine()
                .getOperationService()
                .createInvocationBuilder(MapService.SERVICE_NAME, question.again(), member)
                .<CopyQuestion.Reply>invoke()
                .toCompletableFuture()
                .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
                .join();
        if (reply.isReady()) {
          return reply;
        }
      } catch (CompletionException | HazelcastException e) {
        if (SILENT.take() >= 0) {
          LOG.warn("member {} does not tell what its copy has, and is asked again", member, e);
        }
      }
      pause();
    }
    return null;
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RestartException("interrupted while entries came from other copies", e);
    }
  }

  /** Answers a question for all entries of a copy that is here. */
  CopyQuestion.Reply page(
      int partition, String map, long cursor, LogFaults faults, boolean blind, long mostBytes) {
    Set<CopiedKey> unsure = faults.load(partition, copied);
    CopiedEntries.Page page = copied.page(partition, map, cursor, mostBytes);
    return new CopyQuestion.Reply(blind, unsure, page.entries(), page.nextMap(), page.nextCursor());
  }

  /** Answers a question for some entries of a copy that is here. */
  CopyQuestion.Reply some(int partition, Collection<CopiedKey> keys, boolean blind) {
    Set<CopiedKey> unreadable = new HashSet<>();
    List<CopiedEntry> entries = copied.of(partition, keys, unreadable::add);
    return new CopyQuestion.Reply(blind, unreadable, entries, null, 0);
  }
}
