package io.keyvalueserve.maps;

import com.hazelcast.spi.merge.MergingValue;
import com.hazelcast.spi.merge.PutIfAbsentMergePolicy;

/**
 * Marks maps that are merged by the time of each key's last change, by {@link SplitMerge}, when the
 * sides of a split meet again. In itself, where Hazelcast asks it, it keeps what is there.
 */
public final class LastWriteMergePolicy<V, T extends MergingValue<V>>
    extends PutIfAbsentMergePolicy<V, T> {
  /** Creates the policy. Hazelcast calls this, by the name of the class. */
  public LastWriteMergePolicy() {}
}
