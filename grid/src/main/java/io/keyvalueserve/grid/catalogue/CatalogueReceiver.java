package io.keyvalueserve.grid.catalogue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives each notice that comes to a member to the map of records that it is about. Immutable. */
public final class CatalogueReceiver {
  private final Map<String, RecordMap<?, ?>> maps = new HashMap<>();

  /** Creates the receiver for some maps of records. */
  public CatalogueReceiver(List<? extends RecordMap<?, ?>> maps) {
    maps.forEach(map -> this.maps.put(map.mapName(), map));
  }

  /** Takes in a record, in the form it is stored in. Does not block. */
  public void changed(String mapName, String record) {
    RecordMap<?, ?> map = maps.get(mapName);
    if (map != null) {
      map.take(record);
    }
  }
}
