package io.keyvalueserve.maps.external;

import com.hazelcast.internal.serialization.Data;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The external store behind a map, as this member reaches it. Thread-safe; nothing here blocks. */
public interface ExternalMap {
  /** Returns whether writes of the map go to the store. */
  boolean isWritten();

  /** Returns whether a write is answered only when the store has it. */
  boolean isWrittenThrough();

  /**
   * Returns why the store will never take an entry, in words for a client; null if it may.
   *
   * @param value serialized
   */
  @Nullable String refusal(Data key, Data value);

  /**
   * Returns why no more writes may wait for the store on this member, in words for a client; null
   * if more may.
   */
  @Nullable String refusal();

  /**
   * Loads values.
   *
   * @param keys at least one
   * @param whenLoaded called once, by any thread
   */
  void load(Collection<Data> keys, Consumer<Loaded> whenLoaded);

  /**
   * Has a write carried out at once.
   *
   * @param replaced the write of the key that waited before, which comes back if this one is
   *     undone; null if none did
   * @param whenWritten called once, by any thread: with null when the store has it, or with the
   *     reason why it does not: then it was undone. Null if nobody waits for it: then it stays in
   *     the queue until the store has it
   */
  void write(
      int partition,
      Data key,
      QueuedWrite write,
      @Nullable QueuedWrite replaced,
      @Nullable Consumer<@Nullable RuntimeException> whenWritten);

  /** Tells that a write of a key waits in the queue of which none did. */
  void queued();

  /** Returns for how long an absent key is not looked for again, in milliseconds; 0 for never. */
  long absentMillis();

  /** Returns for how long a loaded entry is kept, in milliseconds; 0 for as long as others. */
  long keptMillis();

  /**
   * Returns how long before its time is over a loaded entry that is used is loaded again, in
   * milliseconds; 0 for never.
   */
  long refreshMillis();

  /** Loads an entry again that is in memory. */
  void refresh(int partition, Data key);
}
