package io.keyvalueserve.maps.external;

import com.hazelcast.internal.serialization.Data;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an external store to a request for keys.
 *
 * @param values of the keys that it has; the others are absent
 * @param failure why it has not answered; null if it has
 */
public record Loaded(Map<Data, Data> values, @Nullable RuntimeException failure) {
  /** Returns the answer of a store that has some of the keys. */
  public static Loaded of(Map<Data, Data> values) {
    return new Loaded(values, null);
  }

  /** Returns the answer of a store that cannot be asked. */
  public static Loaded failed(RuntimeException failure) {
    return new Loaded(Map.of(), failure);
  }
}
