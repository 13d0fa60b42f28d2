package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import org.jspecify.annotations.Nullable;

/** The keys of byte strings among all keys. */
public final class KeyBytes {
  private KeyBytes() {}

  /** Returns the byte string that names a key; null if none does. */
  public static byte @Nullable [] of(Data key) {
    return KeyData.keyBytes(key);
  }
}
