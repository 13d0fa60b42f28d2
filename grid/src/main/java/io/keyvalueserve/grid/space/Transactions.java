package io.keyvalueserve.grid.space;

import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyNeeded;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.NotAtHand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.engine.PageNeeded;
import io.keyvalueserve.engine.TransactionBody;
import io.keyvalueserve.engine.TransactionOrigin;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.WatchedKey;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.PageSource;
import io.keyvalueserve.grid.space.TransactionApply.Mode;
import io.keyvalueserve.grid.space.TransactionApply.Result;
import io.keyvalueserve.grid.space.TransactionDecision.Part;
import io.keyvalueserve.grid.space.TransactionOverlay.EntryKey;
import io.keyvalueserve.grid.space.TransactionOverlay.Growth;
import io.keyvalueserve.maps.LocalMaps;
import io.keyvalueserve.maps.Writers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs transactions on the member that coordinates them. All keys are locked, the body runs over
 * their entries, and its changes are carried out under the locks:
 *
 * <ul>
 *   <li>If one partition of one map changes, one operation changes and unlocks it. It has one
 *       backup operation.
 *   <li>Otherwise, or if the map is logged and more than one entry changes, the changes are
 *       recorded first ({@link TransactionDecisions}). From then on they are certain to be carried
 *       out, by whoever. Locks end when the record is gone.
 * </ul>
 *
 * <p>Blocks: for virtual threads only. Thread-safe.
 */
final class Transactions {
  private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);

  /** Locks that are younger are ended by nobody else, unless this member is given up. */
  private static final long SURE_MILLIS = TransactionSettler.MOST_MILLIS - 2_000;

  /** The most runs of one transaction: each locks a key more, or begins anew after others. */
  static final int MOST_RUNS = 256;

  /**
   * The most bytes of values that a transaction copies to the Java heap, beside the longest of
   * them: one value may have any length.
   */
  private static final long MOST_READ_BYTES =
      Math.clamp(Runtime.getRuntime().maxMemory() / 32, 16L << 20, 64L << 20);

  /** About as many bytes are reserved for a page that is read. */
  private static final int PAGE_BYTES = 1 << 10;

  private static final int APPLY_TRIES = 20;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final HazelcastEngine engine;
  private final NodeEngine nodeEngine;
  private final TransactionDecisions decisions;
  private final TransactionParts parts;
  private final RunningTransactions running = new RunningTransactions();
  private volatile TransactionProbe probe = step -> {};
  private volatile long mostReadBytes = MOST_READ_BYTES;

  /** Observes the steps of transactions, for tests that let members fail there. */
  @FunctionalInterface
  interface TransactionProbe {
    void at(Step step);
  }

  /** The steps of a transaction. */
  enum Step {
    LOCKED,
    DECIDING,
    DECIDED,
    APPLIED,
    FORGOTTEN
  }

  Transactions(
      HazelcastEngine engine,
      NodeEngine nodeEngine,
      TransactionDecisions decisions,
      TransactionParts parts) {
    this.engine = engine;
    this.nodeEngine = nodeEngine;
    this.decisions = decisions;
    this.parts = parts;
  }

  void probe(TransactionProbe next) {
    probe = next;
  }

  /** Returns the transactions that run. */
  RunningTransactions running() {
    return running;
  }

  /** Sets the most bytes that a transaction reads, for tests. */
  void setMostReadBytes(long bytes) {
    mostReadBytes = bytes;
  }

  /** Runs a transaction. Returns empty if a watched key has changed. */
  <T> Optional<T> run(TransactionRequest<T> request) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(engine.lockPatienceMillis());
    Set<KeyRef> keys = new LinkedHashSet<>(request.keys());
    request.watches().forEach(watched -> keys.add(watched.ref()));
    FetchedPages pages = new FetchedPages();
    for (int runs = 0; runs < MOST_RUNS; runs++) {
      Attempt attempt = new Attempt(keys, request.origin());
      Optional<T> answer;
      try {
        attempt.lock(deadline);
        attempt.running.requireLocks();
        probe.at(Step.LOCKED);
        if (!attempt.isAsWatched(request.watches())) {
          attempt.unlockAll();
          return Optional.empty();
        }
        TransactionOverlay overlay = attempt.overlay(pages);
        T value = null;
        while (value == null && runs < MOST_RUNS) {
          try {
            value = run(request.body(), overlay);
          } catch (PageNeeded e) {
            attempt.fetch(pages);
            overlay = attempt.overlay(pages);
            runs++;
          }
        }
        answer = Optional.ofNullable(value);
        if (value == null) {
          attempt.unlockAll();
        } else if (attempt.commit(overlay)) {
          return answer;
        }
      } catch (KeyNeeded e) {
        attempt.unlockAll();
        keys.addAll(e.keys());
      } catch (RuntimeException | Error e) {
        attempt.unlockUnlessDecided();
        throw e;
      } finally {
        attempt.running.end(attempt.end());
      }
      attempt.running.requireLocks();
      if (System.nanoTime() - deadline > 0) {
        throw new OperationTimeoutException("a key stayed locked");
      }
    }
    throw new EngineException(
        new Outcome.Failure(
            Kind.TOO_COSTLY,
            "a transaction may run "
                + MOST_RUNS
                + " times at most, once more for each key that it does not declare and for parts of"
                + " large collections; nothing was changed"));
  }

  private static EngineException tooLarge(long mostBytes) {
    return new EngineException(
        new Outcome.Failure(
            Kind.TOO_COSTLY,
            "the values of a transaction's keys may have "
                + mostBytes
                + " bytes together at most, beside the longest of them; nothing was changed"));
  }

  private static <T> T run(TransactionBody<T> body, TransactionOverlay overlay) {
    try {
      return body.run(overlay);
    } catch (NotAtHand e) {
      throw e;
    } catch (RuntimeException | Error e) {
      throw new BodyException(e);
    }
  }

  /** The body of a transaction threw what is the cause. */
  static final class BodyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BodyException(Throwable cause) {
      super(null, cause, false, false);
    }
  }

  /** Notes the state of keys. */
  List<WatchedKey> watch(List<KeyRef> keys) {
    TransactionId id = nextId();
    List<CompletableFuture<Long>> answers = new ArrayList<>(keys.size());
    for (KeyRef ref : keys) {
      HazelcastKeyMap map = HazelcastKeyMap.of(ref.map(), engine);
      engine.awaitKnown(map.gridName());
      if (!engine.exists(map.gridName())) {
        answers.add(CompletableFuture.completedFuture(0L));
        continue;
      }
      Data key = KeyData.ofKey(ref.key());
      TransactionLock operation =
          new TransactionLock(map.gridName(), id, map.tenant(), List.of(key)).reading();
      operation.setWaitTimeout(engine.lockPatienceMillis());
      answers.add(engine.partitions().ask(operation, engine.partitions().of(key)));
    }
    List<WatchedKey> watched = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      watched.add(new WatchedKey(keys.get(i), answers.get(i).join()));
    }
    return watched;
  }

  private TransactionId nextId() {
    return TransactionId.next(nodeEngine.getLocalMember().getUuid(), Clock.currentTimeMillis());
  }

  /** One set of locks, and what is done under them. */
  private final class Attempt {
    private final TransactionId id = nextId();
    private final Map<KeyGroup, List<Data>> keys = new TreeMap<>();
    private final Map<String, Integer> tenants = new HashMap<>();
    private final Map<EntryKey, LockedEntries.Entry> entries = new HashMap<>();
    private boolean room = true;
    private long readBytes;
    private long longest;
    private final RunningTransactions.Running running;
    private boolean decided;
    private boolean settled;
    private boolean committed;
    private boolean lost;
    private long lockedNanos = System.nanoTime();

    Attempt(Set<KeyRef> refs, TransactionOrigin origin) {
      Set<EntryKey> known = new LinkedHashSet<>();
      for (KeyRef ref : refs) {
        HazelcastKeyMap map = HazelcastKeyMap.of(ref.map(), engine);
        Data key = KeyData.ofKey(ref.key());
        tenants.put(map.gridName(), map.tenant());
        if (known.add(new EntryKey(map.gridName(), key))) {
          keys.computeIfAbsent(
                  new KeyGroup(map.gridName(), engine.partitions().of(key)),
                  any -> new ArrayList<>())
              .add(key);
        }
      }
      int user = tenants.values().stream().mapToInt(each -> each).max().orElse(Writers.OWNER);
      this.running =
          Transactions.this.running.begin(
              id,
              new RunningTransactions.Use(origin, user),
              () -> {
                var _ = parts.unlock(id, keys).join();
              });
    }

    /** Returns how the transaction has ended; null if that is not known. */
    @Nullable TransactionEnd end() {
      if (committed) {
        return TransactionEnd.COMMITTED;
      }
      return decided && !lost ? null : TransactionEnd.ABORTED;
    }

    /** Locks all keys: all at a time if nobody else has one of them, else in order. */
    void lock(long deadlineNanos) {
      for (String map : tenants.keySet()) {
        if (!engine.exists(map)) {
          engine.create(map);
        }
      }
      if (keys.size() == 1 || !lockAtOnce()) {
        lockedNanos = System.nanoTime();
        readBytes = 0;
        longest = 0;
        keys.forEach((group, locked) -> lockInOrder(group, locked, deadlineNanos));
      }
    }

    private void lockInOrder(KeyGroup group, List<Data> locked, long deadlineNanos) {
      TransactionLock operation =
          operation(group, locked).within(mostReadBytes - (readBytes - longest), longest);
      LockedEntries answer =
          running.await(
              ask(operation, group, deadlineNanos),
              () -> {
                var _ = parts.unlock(id, Map.of(group, locked));
              });
      if (answer != null && answer.isTooLarge()) {
        throw tooLarge(mostReadBytes);
      }
      take(group, locked, answer);
    }

    /** Each partition may answer with a part of the bytes; one that has more is asked in order. */
    private boolean lockAtOnce() {
      long part = mostReadBytes / Math.max(1, keys.size());
      Map<KeyGroup, CompletableFuture<@Nullable LockedEntries>> answers = new TreeMap<>();
      long deadline =
          System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(engine.lockPatienceMillis());
      keys.forEach(
          (group, locked) ->
              answers.put(
                  group,
                  ask(
                      operation(group, locked).impatient().within(part, Long.MAX_VALUE),
                      group,
                      deadline)));
      boolean all = true;
      RuntimeException failure = null;
      for (Map.Entry<KeyGroup, CompletableFuture<@Nullable LockedEntries>> each :
          answers.entrySet()) {
        try {
          LockedEntries answer = each.getValue().join();
          all &= answer != null && !answer.isTooLarge();
          if (answer != null && !answer.isTooLarge()) {
            take(each.getKey(), keys.getOrDefault(each.getKey(), List.of()), answer);
          }
        } catch (RuntimeException e) {
          failure = e;
        }
      }
      if (failure != null) {
        throw failure;
      }
      if (!all) {
        parts.unlock(id, keys).join();
        entries.clear();
      }
      return all;
    }

    private TransactionLock operation(KeyGroup group, List<Data> locked) {
      return new TransactionLock(group.map(), id, tenant(group), locked);
    }

    private int tenant(KeyGroup group) {
      return tenants.getOrDefault(group.map(), 0);
    }

    private CompletableFuture<@Nullable LockedEntries> ask(
        TransactionLock operation, KeyGroup group, long deadlineNanos) {
      operation.setWaitTimeout(
          Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime())));
      return engine.partitions().ask(operation, group.partition());
    }

    private void take(KeyGroup group, List<Data> locked, @Nullable LockedEntries answer) {
      if (answer == null || answer.entries().size() != locked.size()) {
        throw new IllegalStateException("a partition did not answer with what it was asked for");
      }
      room &= answer.hasRoom();
      for (int i = 0; i < locked.size(); i++) {
        LockedEntries.Entry entry = answer.entries().get(i);
        readBytes += entry.valueBytes();
        longest = Math.max(longest, entry.valueBytes());
        entries.put(new EntryKey(group.map(), locked.get(i)), entry);
      }
    }

    boolean isAsWatched(List<WatchedKey> watches) {
      for (WatchedKey watched : watches) {
        LockedEntries.Entry entry =
            entries.get(
                new EntryKey(
                    HazelcastKeyMap.of(watched.ref().map(), engine).gridName(),
                    KeyData.ofKey(watched.ref().key())));
        if (entry == null || TransactionLock.mark(entry) != watched.mark()) {
          return false;
        }
      }
      return true;
    }

    /** Reads pages that the body has asked for, of a collection whose key is locked. */
    void fetch(FetchedPages pages) {
      long left = mostReadBytes - pages.bytes();
      if (left <= 0) {
        throw tooLarge(mostReadBytes);
      }
      pages.fetch(this::read, (int) Math.max(1, left / PAGE_BYTES));
      running.requireLocks();
    }

    private List<byte @Nullable []> read(EntryKey key, long[] numbers) {
      KeyGroup group = new KeyGroup(key.map(), engine.partitions().of(key.key()));
      CompletableFuture<byte[]> answer =
          engine
              .partitions()
              .ask(new PageRead(group.map(), tenant(group), key.key(), numbers), group.partition());
      return PageRead.pages(answer.join());
    }

    TransactionOverlay overlay(FetchedPages pages) {
      TransactionOverlay overlay =
          new TransactionOverlay(
              engine, nodeEngine.getSerializationService(), Clock.currentTimeMillis(), 0);
      entries.forEach((key, entry) -> overlay.add(key, entry.state(), under(pages, key, entry)));
      return overlay;
    }

    private static PageSource under(FetchedPages pages, EntryKey key, LockedEntries.Entry entry) {
      CollectionValue collection =
          entry.state() == null ? null : KeyData.collection(entry.state().value());
      return collection != null && collection.isPaged()
          ? pages.under(key, collection)
          : FetchedPages.NONE;
    }

    /**
     * Carries the changes out.
     *
     * @return false if others have ended the transaction meanwhile: nothing was changed, and it may
     *     run again
     */
    boolean commit(TransactionOverlay overlay) {
      List<Part> changed = new ArrayList<>();
      int writes = 0;
      int writtenGroups = 0;
      boolean logged = false;
      for (Map.Entry<KeyGroup, List<KeyChange>> each : overlay.changes().entrySet()) {
        KeyGroup group = each.getKey();
        int written = (int) each.getValue().stream().filter(KeyChange::writes).count();
        changed.add(new Part(group, tenant(group), each.getValue()));
        writes += written;
        writtenGroups += written > 0 ? 1 : 0;
        logged |= written > 0 && LocalMaps.isLogged(nodeEngine, group.map());
      }
      admit(overlay.growth());
      if (writtenGroups > 1 || (logged && writes > 1)) {
        return commitByRecord(changed);
      }
      return commitAtOnce(changed);
    }

    /** Refuses what others' quotas and memory do not allow, before anything is decided. */
    private void admit(Map<String, Growth> growth) {
      String refusal =
          TransactionQuota.refusal(nodeEngine, growth, map -> tenants.getOrDefault(map, 0));
      if (refusal != null) {
        throw new EngineException(new Outcome.Failure(Kind.QUOTA, refusal));
      }
      if (!room && growth.values().stream().anyMatch(each -> each.longest() >= 0)) {
        throw new EngineException(
            new Outcome.Failure(Kind.FULL, "the memory is full; nothing was changed"));
      }
    }

    /** One partition at most is written: what it does there is the decision. */
    private boolean commitAtOnce(List<Part> changed) {
      if (keys.isEmpty()) {
        return true;
      }
      Part written = null;
      for (Part part : changed) {
        if (written == null || part.changes().stream().anyMatch(KeyChange::writes)) {
          written = part;
        }
      }
      KeyGroup group = written == null ? keys.keySet().iterator().next() : written.group();
      Map<KeyGroup, List<Data>> others = new TreeMap<>(keys);
      List<Data> own = others.remove(group);
      Result result;
      probe.at(Step.DECIDING);
      if (!isYoung()) {
        unlockAll();
        return false;
      }
      running.decide();
      decided = true;
      try {
        result =
            Result.of(
                parts
                    .ask(
                        id,
                        group,
                        tenant(group),
                        written == null ? List.of() : written.changes(),
                        own == null ? List.of() : own,
                        Mode.ALL)
                    .join());
      } finally {
        settled = true; // what comes later finds the keys unlocked
        unlockAll(others, changed, group);
      }
      if (result == Result.NOT_HELD) {
        lost = true;
        return false;
      }
      if (!isYoung() && (result == Result.NOT_HELD_AGAIN || !others.isEmpty())) {
        throw new EngineException(
            Failures.inDoubt(
                "the transaction took too long: it may or may not have taken effect; read its keys"
                    + " again"));
      }
      committed = true;
      return true;
    }

    /** Returns whether nobody else can have ended the transaction. */
    private boolean isYoung() {
      return System.nanoTime() - lockedNanos < TimeUnit.MILLISECONDS.toNanos(SURE_MILLIS);
    }

    private boolean commitByRecord(List<Part> changed) {
      probe.at(Step.DECIDING);
      running.decide();
      decided = true;
      long decidedMillis = Clock.currentTimeMillis();
      TransactionDecision decision = new TransactionDecision(changed, decidedMillis);
      TransactionDecision before = decide(decision);
      if (before != null && !before.isCommitted()) {
        lost = true;
        unlockAll();
        return false;
      }
      committed = true;
      probe.at(Step.DECIDED);
      if (carryOut(changed, decidedMillis)) {
        settled = true;
        decisions.forget(id, decision);
        probe.at(Step.FORGOTTEN);
        unlockAll();
      }
      return true;
    }

    /** Records the decision; if it is not known whether that was done, asks. */
    private @Nullable TransactionDecision decide(TransactionDecision decision) {
      try {
        return decisions.commit(id, decision);
      } catch (RuntimeException | Error e) {
        LOG.warn("it is asked again what became of a transaction: {}", e.toString());
        try {
          TransactionDecision known = decisions.abort(id);
          if (e instanceof Error && (known == null || !known.isCommitted())) {
            decided = false; // another run would end the same way
            throw e;
          }
          return known == null ? new TransactionDecision() : known;
        } catch (RuntimeException again) {
          throw new EngineException(
              Failures.inDoubt(
                  "the cluster did not answer: the transaction may or may not take effect; read"
                      + " its keys again"));
        }
      }
    }

    /**
     * Carries the changes out; they are certain already.
     *
     * @return false if that is left to others
     */
    private boolean carryOut(List<Part> changed, long decidedMillis) {
      for (int i = 0; i < APPLY_TRIES; i++) {
        try {
          parts.apply(id, changed, Mode.LOCKED, decidedMillis).join();
          probe.at(Step.APPLIED);
          return true;
        } catch (RuntimeException | Error e) {
          LOG.warn("a part of a transaction is carried out again: {}", Failures.of(e).message());
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
      return false;
    }

    /** Unlocks all keys, unless they may have to be kept for what was decided. */
    void unlockUnlessDecided() {
      if (!decided || settled) {
        unlockAll();
      }
    }

    void unlockAll() {
      unlockAll(keys, List.of(), null);
    }

    /** Unlocks keys. If that fails, {@link TransactionSettler} does it. */
    private void unlockAll(
        Map<KeyGroup, List<Data>> locked, List<Part> changed, @Nullable KeyGroup done) {
      List<CompletableFuture<Object>> answers = new ArrayList<>(locked.size());
      for (Map.Entry<KeyGroup, List<Data>> each : locked.entrySet()) {
        List<KeyChange> accesses = List.of();
        for (Part part : changed) {
          if (part.group().equals(each.getKey()) && !part.group().equals(done)) {
            accesses = part.changes();
          }
        }
        answers.add(
            parts.ask(
                id, each.getKey(), tenant(each.getKey()), accesses, each.getValue(), Mode.LOCKED));
      }
      for (CompletableFuture<Object> answer : answers) {
        try {
          Object _ = answer.join();
        } catch (RuntimeException e) {
          LOG.debug("keys of a transaction are unlocked later", e);
        }
      }
    }
  }
}
