package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.query.impl.QueryableEntry;
import io.keyvalueserve.maps.index.IndexedMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map as its indexes know it: by name, as they may be there before the map, and asked after it is
 * gone; then it is empty.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class MapOfIndex implements IndexedMap {
  private final String name;
  private final Function<String, @Nullable NativeMapContainer> containers;
  private final ToIntFunction<Data> writers;
  private volatile @Nullable NativeMapContainer container;

  MapOfIndex(
      String name,
      Function<String, @Nullable NativeMapContainer> containers,
      ToIntFunction<Data> writers) {
    this.name = name;
    this.containers = containers;
    this.writers = writers;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int writerOf(Data key) {
    return writers.applyAsInt(key);
  }

  @Override
  public @Nullable QueryableEntry read(Data key) {
    NativeMapContainer found = container();
    return found == null ? null : found.readEntry(key);
  }

  @Override
  public QueryableEntry reference(Data key) {
    NativeMapContainer found = container();
    if (found == null) {
      throw new IllegalStateException("the map is gone: " + name);
    }
    return found.referTo(key);
  }

  @Override
  public void addBytes(long delta) {
    NativeMapContainer found = container();
    if (found != null) {
      found.bytes().add(delta);
    }
  }

  /** The one that the index belongs to, which it outlives for a moment at most. */
  private @Nullable NativeMapContainer container() {
    NativeMapContainer known = container;
    if (known == null) {
      known = containers.apply(name);
      container = known;
    }
    return known;
  }
}
