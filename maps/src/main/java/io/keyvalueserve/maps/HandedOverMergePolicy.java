package io.keyvalueserve.maps;

import com.hazelcast.spi.merge.MergingValue;
import com.hazelcast.spi.merge.PutIfAbsentMergePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Marks maps whose entries stay as they are on the side that goes on when the sides of a split meet
 * again. The values that the other side has changed go to {@link NativeMaps#onLeavingValues}.
 */
public final class HandedOverMergePolicy<V, T extends MergingValue<V>>
    extends PutIfAbsentMergePolicy<V, T> {
  /** Creates the policy. Hazelcast calls this, by the name of the class. */
  public HandedOverMergePolicy() {}

  @Override
  public @Nullable Object merge(T mergingValue, @Nullable T existingValue) {
    return existingValue == null ? null : existingValue.getRawValue();
  }
}
