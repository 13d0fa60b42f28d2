package io.keyvalueserve.maps;

/**
 * The memory of a map that a tenant held, times the time for which it held it, in the partitions
 * that this member owned. Over all members, each entry therefore counts once, as it does for
 * quotas.
 *
 * @param map the grid's name of the map
 * @param writer the number of the tenant that is charged; {@link Writers#OWNER} for the map's owner
 * @param residentByteMillis bytes off the heap, records with their index, times milliseconds
 * @param spilledByteMillis bytes of values on the disk in place of memory, times milliseconds
 */
public record HeldTime(String map, int writer, long residentByteMillis, long spilledByteMillis) {
  HeldTime plus(HeldTime more) {
    return new HeldTime(
        map,
        writer,
        residentByteMillis + more.residentByteMillis,
        spilledByteMillis + more.spilledByteMillis);
  }
}
