package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import io.keyvalueserve.engine.KeyNeeded;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.engine.Transition;
import io.keyvalueserve.engine.collection.PageSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The entries that a transaction has locked, under its own changes. For one run of its body. */
final class TransactionOverlay implements TransactionView {
  /** The most that the new values of a transaction may take, in bytes. */
  static final long MOST_BYTES = 64L << 20;

  private final HazelcastEngine engine;
  private final SerializationService serialization;
  private final long nowMillis;
  private final long deadlineNanos;
  private final Map<EntryKey, TransactionEntry> entries = new HashMap<>();
  private long bytes;
  private Change lastChange = Change.NONE;

  /** An entry of a map, by the map's name in the grid. */
  record EntryKey(String map, Data key) {}

  /**
   * @param deadlineNanos when the body has to give up; 0 if it has not
   */
  TransactionOverlay(
      HazelcastEngine engine,
      SerializationService serialization,
      long nowMillis,
      long deadlineNanos) {
    this.deadlineNanos = deadlineNanos;
    this.engine = engine;
    this.serialization = serialization;
    this.nowMillis = nowMillis;
  }

  /**
   * Adds an entry that is locked.
   *
   * @param pages of its value
   */
  void add(EntryKey key, @Nullable EntryState state, PageSource pages) {
    entries.put(key, new TransactionEntry(key.key(), state, pages, nowMillis, serialization));
  }

  @Override
  public Outcome execute(KeyMap map, KeyCommand command) {
    TransactionEntry entry = entry(map, command.key());
    boolean existed = entry.exists();
    Transition transition = command.apply(entry, nowMillis);
    entry.take(transition, nowMillis);
    admit(entry);
    lastChange = new Change(existed, transition.effect());
    return transition.outcome();
  }

  @Override
  public Change lastChange() {
    return lastChange;
  }

  /** Counts what is written of an entry, in the place of what the transaction wrote before. */
  private void admit(TransactionEntry entry) {
    bytes += entry.moreBytes();
    if (bytes > MOST_BYTES) {
      throw new EngineException(
          new Outcome.Failure(
              Kind.TOO_COSTLY, "a transaction may write 64 MiB at most; nothing was changed"));
    }
  }

  @Override
  public MoveOutcome copy(KeyMap source, byte[] from, KeyMap target, byte[] to, boolean replace) {
    TransactionEntry before = entry(source, from);
    TransactionEntry after = entry(target, to);
    if (!before.exists()) {
      return MoveOutcome.NO_SUCH_KEY;
    }
    if (!replace && after.exists()) {
      return MoveOutcome.TARGET_EXISTS;
    }
    boolean ontoItself = own(source).gridName().equals(own(target).gridName());
    if (!ontoItself || !Arrays.equals(from, to)) {
      after.place(before.state(nowMillis));
      admit(after);
    }
    return MoveOutcome.DONE;
  }

  private HazelcastKeyMap own(KeyMap map) {
    return HazelcastKeyMap.of(map, engine);
  }

  private TransactionEntry entry(KeyMap map, byte[] key) {
    TransactionEntry entry = entries.get(new EntryKey(own(map).gridName(), KeyData.ofKey(key)));
    if (entry == null) {
      throw new KeyNeeded(new KeyRef(map, key));
    }
    return entry;
  }

  @Override
  public void need(KeyMap map, List<byte[]> keys) {
    String name = own(map).gridName();
    List<KeyRef> missing = new ArrayList<>();
    for (byte[] key : keys) {
      if (!entries.containsKey(new EntryKey(name, KeyData.ofKey(key)))) {
        missing.add(new KeyRef(map, key));
      }
    }
    if (!missing.isEmpty()) {
      throw new KeyNeeded(missing);
    }
  }

  @Override
  public long nowMillis() {
    return nowMillis;
  }

  @Override
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /**
   * The growth of a map.
   *
   * @param longest the length of the longest new value; -1 if there is none
   * @param bytes how many bytes of values there are more; below 0 for fewer
   * @param entries how many entries there are more; below 0 for fewer
   */
  record Growth(int longest, long bytes, long entries) {
    static final Growth NONE = new Growth(-1, 0, 0);

    Growth plus(Growth other) {
      return new Growth(
          Math.max(longest, other.longest), bytes + other.bytes, entries + other.entries);
    }
  }

  /** Returns the growth of each map that the transaction writes. */
  Map<String, Growth> growth() {
    Map<String, Growth> growth = new TreeMap<>();
    entries.forEach(
        (key, entry) -> {
          if (entry.change() != null) {
            growth.merge(key.map(), entry.growth(), Growth::plus);
          }
        });
    return growth;
  }

  /** Returns the changes of each group of keys. */
  Map<KeyGroup, List<KeyChange>> changes() {
    Map<KeyGroup, List<KeyChange>> changes = new TreeMap<>();
    entries.forEach(
        (key, entry) -> {
          KeyChange change = entry.change();
          if (change != null) {
            changes
                .computeIfAbsent(
                    new KeyGroup(key.map(), engine.partitions().of(key.key())),
                    any -> new ArrayList<>())
                .add(change);
          }
        });
    return changes;
  }
}
