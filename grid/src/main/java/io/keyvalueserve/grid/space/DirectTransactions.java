package io.keyvalueserve.grid.space;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.DeadlinePassed;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.NotAtHand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.WatchedKey;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.grid.space.TransactionOverlay.EntryKey;
import io.keyvalueserve.grid.space.TransactionOverlay.Growth;
import io.keyvalueserve.grid.space.Transactions.BodyException;
import io.keyvalueserve.maps.LocalMap;
import io.keyvalueserve.maps.LocalMaps;
import io.keyvalueserve.maps.NativeRecordStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs small transactions on the caller's thread, if this member's memory is all that they need: it
 * owns all partitions, and there are no backups, logs, listeners or indexes. All partitions are had
 * at once, in ascending order, or the transaction is declined.
 *
 * <p>Readers without locks decline from before the first change until after the last, so nobody
 * sees one change and then misses another. Thread-safe.
 */
final class DirectTransactions {
  private static final int MOST_KEYS = 64;

  /** Keys that may be named: some may be named twice. */
  private static final int MOST_NAMED = 1024;

  private static final long MOST_BYTES = 1 << 20;
  private static final long BUDGET_NANOS = 200_000;

  private final HazelcastEngine engine;
  private final NodeEngine nodeEngine;
  private final @Nullable LocalMaps local;

  /**
   * @param local null if everything is declined
   */
  DirectTransactions(HazelcastEngine engine, NodeEngine nodeEngine, @Nullable LocalMaps local) {
    this.engine = engine;
    this.nodeEngine = nodeEngine;
    this.local = local;
  }

  /** The answer of a transaction that was carried out, or that found a watched key changed. */
  record Answer<T>(Optional<T> value) {}

  /** A key and where it is. */
  private record Place(int partition, HazelcastKeyMap map, Data key) {
    private static final Comparator<Place> ORDER =
        Comparator.comparingInt(Place::partition).thenComparing(place -> place.map().gridName());

    EntryKey entryKey() {
      return new EntryKey(map.gridName(), key);
    }
  }

  /** A partition of a map that the transaction has for itself. */
  private static final class Held {
    private final LocalMap map;
    private final NativeRecordStore store;
    private final int partition;
    private boolean wrote;

    Held(LocalMap map, NativeRecordStore store, int partition) {
      this.map = map;
      this.store = store;
      this.partition = partition;
    }

    /** The pages of the large collections in it; what needs them is declined if it must. */
    EntryPages pages() {
      return EntryPages.at(store, () -> map.pages(store));
    }

    void end() {
      map.end(partition, store, wrote);
    }
  }

  /**
   * Runs a transaction.
   *
   * @return null if it is declined; then nothing was done
   * @throws BodyException if the body threw
   */
  <T> @Nullable Answer<T> run(TransactionRequest<T> request) {
    if (request.keys().size() > MOST_NAMED) {
      return null;
    }
    Set<KeyRef> keys = new LinkedHashSet<>(request.keys());
    request.watches().forEach(watched -> keys.add(watched.ref()));
    if (local == null || keys.isEmpty() || keys.size() > MOST_KEYS) {
      return null;
    }
    List<Place> places = new ArrayList<>(keys.size());
    for (KeyRef ref : keys) {
      Data key = KeyData.ofKey(ref.key());
      places.add(
          new Place(engine.partitions().of(key), HazelcastKeyMap.of(ref.map(), engine), key));
    }
    places.sort(Place.ORDER);
    Map<KeyGroup, Held> held = new HashMap<>();
    List<Held> order = new ArrayList<>();
    try {
      return begin(places, local, held, order) ? run(request, places, held) : null;
    } catch (RetryableHazelcastException e) {
      return null; // the entries of a partition have just left; nothing was changed
    } finally {
      for (int i = order.size() - 1; i >= 0; i--) {
        order.get(i).end();
      }
    }
  }

  /**
   * Writes entries of a map, whatever was there before: a transaction that reads nothing. What it
   * writes is held against quotas as if no key existed.
   *
   * @param entries unconditional writes
   * @return false if it declined; then nothing was done
   * @throws EngineException if it is not known what was written
   */
  boolean write(HazelcastKeyMap map, List<KeyCommand> entries) {
    int count = entries.size();
    if (local == null || count > MOST_KEYS || !(map.direct() instanceof DirectKeyMap direct)) {
      return false;
    }
    long[] places = new long[count];
    long bytes = 0;
    int longest = 0;
    for (int i = 0; i < count; i++) {
      KeyCommand entry = entries.get(i);
      int length = PartitionBatch.valueBytes(entry);
      bytes += length;
      longest = Math.max(longest, length);
      places[i] = ((long) direct.partitionOf(entry.key()) << Integer.SIZE) | i;
    }
    Growth growth = new Growth(longest, bytes, count);
    if (bytes > MOST_BYTES
        || TransactionQuota.refusal(
                nodeEngine, Map.of(map.gridName(), growth), name -> map.tenant())
            != null) {
      return false;
    }
    Arrays.sort(places);
    LocalMap own = local.of(map.gridName(), map.tenant());
    List<Held> held = new ArrayList<>(count);
    try {
      int last = -1;
      for (long place : places) {
        int partition = (int) (place >> Integer.SIZE);
        if (partition != last) {
          NativeRecordStore store = own.beginTransaction(partition);
          if (store == null) {
            return false;
          }
          held.add(new Held(own, store, partition));
          if (store.pages(false) != null) {
            return false; // what is replaced may have pages, which may not be at hand
          }
          last = partition;
        }
        NativeRecordStore store = held.getLast().store;
        if (store.getLockedEntryCount() > 0
            && !store.isFree(KeyData.ofKey(entries.get((int) place).key()))) {
          return false;
        }
      }
      write(direct, entries, places, held);
      return true;
    } finally {
      for (int i = held.size() - 1; i >= 0; i--) {
        held.get(i).end();
      }
    }
  }

  private void write(
      DirectKeyMap direct, List<KeyCommand> entries, long[] places, List<Held> held) {
    NativeRecordStore any = held.getFirst().store;
    LocalMap.setChanging(any, true);
    boolean wrote = false;
    try {
      long nowMillis = Clock.currentTimeMillis();
      held.forEach(
          each -> {
            each.store.changesTogether();
            each.store.stampChanges(nowMillis);
          });
      int at = 0;
      for (long place : places) { // those of one key in their order
        Held own = held.get(at);
        if (own.partition != (int) (place >> Integer.SIZE)) {
          own = held.get(++at);
        }
        KeyCommand.Write entry = (KeyCommand.Write) entries.get((int) place);
        wrote = true; // also if that throws
        if (!direct.write(entry)) {
          writeSlowly(own, entry);
        }
      }
    } catch (RuntimeException | Error e) {
      if (!wrote) {
        throw e;
      }
      Outcome.Failure known = Failures.internal("a transaction failed while it was carried out", e);
      throw new EngineException(
          Failures.inDoubt(
              "a part of the transaction may have been carried out; read its keys again; "
                  + known.message()));
    } finally {
      LocalMap.setChanging(any, false);
    }
  }

  /** Writes an entry in the place of one that expires, for example. */
  private void writeSlowly(Held own, KeyCommand.Write entry) {
    long nowMillis = Clock.currentTimeMillis();
    Data key = KeyData.ofKey(entry.key());
    EntryPages pages = EntryPages.at(own.store, () -> null);
    EntryWriter writer = new EntryWriter(own.store, pages, nowMillis);
    EntryView view =
        new EntryView(
                own.store,
                pages,
                nodeEngine.getSerializationService(),
                nodeEngine.getThisAddress(),
                nowMillis)
            .of(key);
    own.wrote = true;
    own.store.writeDecided(() -> writer.carryOut(entry.apply(view, nowMillis), key, view));
  }

  private static boolean begin(
      List<Place> places, LocalMaps local, Map<KeyGroup, Held> held, List<Held> order) {
    for (Place place : places) {
      KeyGroup group = new KeyGroup(place.map().gridName(), place.partition());
      if (!held.containsKey(group)) {
        LocalMap map = local.of(group.map(), place.map().tenant());
        NativeRecordStore store = map.beginTransaction(group.partition());
        if (store == null) {
          return false;
        }
        Held next = new Held(map, store, group.partition());
        held.put(group, next);
        order.add(next);
      }
      Held own = held.get(group);
      if (own == null || !own.store.isFree(place.key())) {
        return false;
      }
    }
    return true;
  }

  private <T> @Nullable Answer<T> run(
      TransactionRequest<T> request, List<Place> places, Map<KeyGroup, Held> held) {
    long nowMillis = Clock.currentTimeMillis();
    SerializationService serialization = nodeEngine.getSerializationService();
    Address address = nodeEngine.getThisAddress();
    TransactionOverlay overlay =
        new TransactionOverlay(engine, serialization, nowMillis, System.nanoTime() + BUDGET_NANOS);
    if (!isSmall(places, held)) {
      return null;
    }
    Map<EntryKey, LockedEntries.Entry> entries = new HashMap<>();
    for (Place place : places) {
      Held own = held.get(new KeyGroup(place.map().gridName(), place.partition()));
      if (own == null) {
        return null;
      }
      NativeRecordStore store = own.store;
      EntryPages pages = own.pages();
      EntryView view =
          new EntryView(store, pages, serialization, address, nowMillis).of(place.key());
      CollectionValue collection = KeyData.collection(view.value());
      if (collection != null && collection.isPaged()) {
        var _ = pages.store(); // declines if they cannot be had at once
      }
      LockedEntries.Entry entry =
          TransactionLock.read(
              store, store.getMapContainer().getMapServiceContext(), view, place.key());
      entries.put(place.entryKey(), entry);
      overlay.add(place.entryKey(), entry.state(), pages.under(place.key()));
    }
    if (!isAsWatched(request.watches(), entries)) {
      return new Answer<>(Optional.empty());
    }
    T value;
    try {
      value = request.body().run(overlay);
    } catch (NotAtHand | DeadlinePassed e) {
      return null;
    } catch (RuntimeException | Error e) {
      throw new BodyException(e);
    }
    Map<KeyGroup, List<KeyChange>> changes = overlay.changes();
    if (!changes.isEmpty()) {
      if (!isAdmitted(overlay, changes, places, held)) {
        return null;
      }
      apply(changes, held, serialization, address, nowMillis);
    }
    return new Answer<>(Optional.of(value));
  }

  /** Returns whether the values are short together. Looks at none of them. */
  private static boolean isSmall(List<Place> places, Map<KeyGroup, Held> held) {
    long bytes = 0;
    for (Place place : places) {
      Held own = held.get(new KeyGroup(place.map().gridName(), place.partition()));
      bytes += own == null ? 0 : own.store.valueBytes(place.key());
    }
    return bytes <= MOST_BYTES;
  }

  private boolean isAsWatched(
      List<WatchedKey> watches, Map<EntryKey, LockedEntries.Entry> entries) {
    for (WatchedKey watched : watches) {
      EntryKey key =
          new EntryKey(
              HazelcastKeyMap.of(watched.ref().map(), engine).gridName(),
              KeyData.ofKey(watched.ref().key()));
      LockedEntries.Entry entry = entries.get(key);
      if (entry == null || TransactionLock.mark(entry) != watched.mark()) {
        return false;
      }
    }
    return true;
  }

  /** Declines what is large or over a quota: the usual way says why. */
  private boolean isAdmitted(
      TransactionOverlay overlay,
      Map<KeyGroup, List<KeyChange>> changes,
      List<Place> places,
      Map<KeyGroup, Held> held) {
    long bytes = 0;
    for (Map.Entry<KeyGroup, List<KeyChange>> own : changes.entrySet()) {
      Held each = held.get(own.getKey());
      for (KeyChange change : own.getValue()) {
        bytes += change.valueBytes() + change.pages().bytesWritten();
        if (change.needsPages() && (each == null || each.map.pages(each.store) == null)) {
          return false;
        }
      }
    }
    int tenant = places.getFirst().map().tenant();
    return bytes <= MOST_BYTES
        && TransactionQuota.refusal(nodeEngine, overlay.growth(), map -> tenant) == null;
  }

  /** Readers of several keys must not see some of them changed and others not. */
  private static void noteChanges(
      Map<KeyGroup, List<KeyChange>> changes, Map<KeyGroup, Held> held) {
    long writes = changes.values().stream().flatMap(List::stream).filter(KeyChange::writes).count();
    if (writes > 1) {
      changes.forEach(
          (group, _) -> {
            Held each = held.get(group);
            if (each != null) {
              each.store.changesTogether();
            }
          });
    }
  }

  private static void apply(
      Map<KeyGroup, List<KeyChange>> changes,
      Map<KeyGroup, Held> held,
      SerializationService serialization,
      Address address,
      long nowMillis) {
    held.values().forEach(each -> LocalMap.setChanging(each.store, true));
    noteChanges(changes, held);
    long decidedMillis = Clock.currentTimeMillis();
    held.values().forEach(each -> each.store.stampChanges(decidedMillis));
    List<EntryWriter> writers = new ArrayList<>(changes.size());
    try {
      changes.forEach(
          (group, own) -> {
            Held each = held.get(group);
            if (each == null) {
              throw new IllegalStateException("a change of a partition that is not held");
            }
            each.wrote = true; // from here on nobody knows
            EntryPages pages = each.pages();
            EntryWriter writer = new EntryWriter(each.store, pages, nowMillis);
            writers.add(writer);
            EntryView entry = new EntryView(each.store, pages, serialization, address, nowMillis);
            each.store.writeDecided(
                () -> own.forEach(change -> change.carryOut(writer, entry.of(change.key()))));
            each.wrote = writer.hasWritten();
          });
    } catch (RuntimeException | Error e) {
      if (writers.stream().noneMatch(EntryWriter::hasWritten)) {
        throw e;
      }
      Outcome.Failure known = Failures.internal("a transaction failed while it was carried out", e);
      throw new EngineException(
          Failures.inDoubt(
              "a part of the transaction may have been carried out; read its keys again; "
                  + known.message()));
    } finally {
      held.values().forEach(each -> LocalMap.setChanging(each.store, false));
    }
  }
}
