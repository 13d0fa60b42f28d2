package io.keyvalueserve.grid.query;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.maps.query.ScanPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to one member for the next page of a scan over some of its partitions.
 *
 * @param tenant the number of the tenant that asks
 * @param map the map's name in the grid
 * @param scan without keys
 * @param whole whether rows are the key and the value, serialized, and not the scan's fields
 * @param from where to go on; with keys, their partitions
 * @param keys if present, only these entries; all of them in one page
 * @param mostBytes about how much heap the page may take
 * @param mostNanos the page ends after about so much time, however little it has
 */
record ScanRequest(
    int tenant,
    String map,
    Scan scan,
    boolean whole,
    ScanPosition from,
    @Nullable List<Data> keys,
    long mostBytes,
    long mostNanos) {}
