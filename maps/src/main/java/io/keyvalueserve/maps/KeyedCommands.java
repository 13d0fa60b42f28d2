package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import java.util.Collection;

/** An operation that knows which of its keys it looks at. By who uses the partition. */
public interface KeyedCommands {
  /** The keys that it is about, each at least once. */
  Collection<Data> keys();

  /**
   * Those of them whose values it may look at, in the order in which it does.
   *
   * @param unobserved see {@link NativeRecordStore#isUnobserved}
   */
  Collection<Data> keysOfValues(boolean unobserved);

  /**
   * Returns the keys whose entries it needs: an external store is asked for those that are not in
   * memory.
   */
  Collection<Data> keysOfEntries();

  /**
   * Tells the operation that not all of its values are at hand. It is to end before the first
   * command whose value is not at hand, but not before its first command.
   *
   * @return whether it will
   */
  boolean endEarly();
}
