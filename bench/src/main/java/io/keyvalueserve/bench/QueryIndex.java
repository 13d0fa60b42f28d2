package io.keyvalueserve.bench;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.map.IMap;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The indexes of a map: on what the paper has indexes on, or none. */
enum QueryIndex {
  NONE(null),
  HASH(IndexType.HASH),
  SORTED(IndexType.SORTED);

  private final @Nullable IndexType type;

  QueryIndex(@Nullable IndexType type) {
    this.type = type;
  }

  void addTo(IMap<?, ?> map) {
    if (type != null) {
      for (String attribute : List.of("age", "name", "organization")) {
        map.addIndex(new IndexConfig(type, attribute));
      }
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
