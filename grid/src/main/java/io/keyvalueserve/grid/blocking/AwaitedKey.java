package io.keyvalueserve.grid.blocking;

import com.hazelcast.internal.serialization.Data;

/**
 * A key at which somebody waits.
 *
 * @param map the map's name in the grid
 * @param key the key as it is stored
 * @param type the type of serialized values that are waited for
 */
record AwaitedKey(String map, Data key, int type) {}
