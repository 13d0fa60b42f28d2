package io.keyvalueserve.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A map of one tenant: keys and values are byte strings, a key may expire.
 *
 * <p>Keys are up to 2^31-1 bytes, the empty key included. Arrays that are handed in are not changed
 * afterwards, by either side. Thread-safe. Nothing here blocks; stages and sinks complete on any
 * thread, also on the caller's before the method returns.
 *
 * <p>A stage that fails does so with an {@link EngineException}, whose message may be shown to a
 * client.
 */
public interface KeyMap {
  /** The map's name within its tenant. */
  String name();

  /**
   * Carries out a batch of commands on single keys.
   *
   * <p>Each command is atomic. Commands on the same key take effect in the order of the batch;
   * commands on different keys in any order. A batch that is handed in after another one's outcomes
   * have all arrived sees all of it.
   *
   * @param commands the batch; may be empty
   * @param sink receives the outcome of each command exactly once, by its index in the batch, in
   *     any order, on any thread, several at a time
   */
  void submit(List<KeyCommand> commands, OutcomeSink sink);

  /**
   * Carries out commands that only read, which see one state: no half of a transaction ({@link
   * TenantSpace#transact}). Otherwise as {@link #submit}. If the values are too long to be locked
   * together while transactions change them all the time, each command stands for itself.
   *
   * @param commands of which none {@linkplain KeyCommand#writes writes}
   */
  default void readTogether(List<KeyCommand> commands, OutcomeSink sink) {
    submit(commands, sink);
  }

  /**
   * The most entries that {@link #writeTogether} writes as one. More are written each by itself:
   * all keys would be locked, and their values copied.
   */
  int MOST_TOGETHER = 16_384;

  /**
   * Writes entries as one transaction: all or nothing, and no reader sees a half. If they are too
   * large or too many for a transaction, or memory is short, each is written by itself, as {@link
   * #submit} does it.
   *
   * @param entries writes, of which each {@linkplain KeyCommand.Write#isUnconditional is
   *     unconditional}
   */
  default void writeTogether(List<KeyCommand> entries, OutcomeSink sink) {
    submit(entries, sink);
  }

  /**
   * Returns why a command would be refused now for want of a grant, or null if it would not be. For
   * requests of several commands that are carried out all or not at all.
   */
  default Outcome.@Nullable Failure refusal(KeyCommand command) {
    return null;
  }

  /** Returns how many members have a copy of a write when it is answered, but for its owner. */
  default int backups() {
    return 0;
  }

  /**
   * Waits until all that was written to the map before is on the disks of the members that have it.
   *
   * @return how many copies of each entry are on disks, that of its owner included; 0 if the map is
   *     kept in memory only. Fails with an {@link EngineException}, in doubt, if a disk has failed
   */
  default CompletionStage<Integer> copiesOnDisk() {
    return CompletableFuture.completedFuture(0);
  }

  /** Returns the direct operations on the map. Callers may keep the result. */
  DirectMap direct();

  /**
   * Returns the direct operations for a thread that acknowledges nothing before all that it has
   * done is certain. Less has to be declined then.
   *
   * @param uncertain the thread's own, from {@link Engine#uncertain}; it gets what is done, and is
   *     to be awaited before any of it is acknowledged
   */
  default DirectMap direct(Uncertain uncertain) {
    return direct();
  }

  /**
   * Writes all entries, without expiry, if none of the keys exists; or nothing. A transaction: no
   * other writer comes in between, and no reader sees a half.
   *
   * @return whether it wrote
   */
  CompletionStage<Boolean> insertAll(List<KeyCommand.Write> entries);

  /**
   * Gives an entry another key, with its value and its expiry. What was under the new key is
   * replaced.
   *
   * @param onlyIfAbsent do nothing if the new key exists
   */
  CompletionStage<MoveOutcome> rename(byte[] from, byte[] to, boolean onlyIfAbsent);

  /**
   * Copies an entry, with its value and its expiry, to a key of this or another map. Through {@link
   * TenantSpace#copy}, where others' maps take part.
   *
   * @param target a map of the same engine
   * @param replace whether an entry under the new key is replaced
   * @throws IllegalArgumentException if the target is of another engine
   */
  CompletionStage<MoveOutcome> copy(byte[] from, KeyMap target, byte[] to, boolean replace);

  /**
   * Lists keys, some at a time. A key that is there from the first call to the last is listed once;
   * one that comes or goes in between may or may not be; none is listed twice. The cursor alone
   * carries the position: it can be used on any connection and any member, however long ago it was
   * given, and through changes of the cluster.
   *
   * <p>Only keys that a byte string can name are listed.
   *
   * @param cursor 0 to begin, then what the last page said
   * @param count about how many keys to look at, 1 or more: a hint
   * @param match which keys to return
   */
  CompletionStage<ScanPage> scan(long cursor, int count, GlobPattern match);

  /**
   * Returns the place at which a scan comes upon a key, whether the key exists or not. As a cursor,
   * the place lists that key and those behind it. One more goes on behind all keys of that place.
   * Scans list in the order of places, but for those of one page.
   */
  long placeOf(byte[] key);

  /** Returns the number of entries, those that no byte string can name included. */
  CompletionStage<Long> size();

  /** Returns about how many entries have a time at which they expire. */
  CompletionStage<Long> expiring();

  /** A key chosen at random, or empty if the map has none. */
  CompletionStage<Optional<byte[]>> randomKey();

  /**
   * Takes the lock off a key, whoever holds it. An engine without locks has nothing to do.
   *
   * @return whether it was locked
   */
  default CompletionStage<Boolean> forceUnlock(byte[] key) {
    return CompletableFuture.completedFuture(false);
  }

  /** Removes every entry. */
  CompletionStage<Void> clear();

  /** Takes the outcomes of a batch. */
  @FunctionalInterface
  interface OutcomeSink {
    /** Called exactly once for each command of the batch. Does not block and does not throw. */
    void accept(int index, Outcome outcome);
  }

  /** The result of a rename or a copy. */
  enum MoveOutcome {
    DONE,
    NO_SUCH_KEY,
    TARGET_EXISTS
  }

  /**
   * A page of keys.
   *
   * @param cursor where to go on; 0 when all has been listed; below 2^53, so that a client may hold
   *     it in a double
   * @param keys the keys; may be empty before the end
   */
  record ScanPage(long cursor, List<byte[]> keys) {}
}
