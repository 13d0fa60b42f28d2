package io.keyvalueserve.maps;

/**
 * The entries and the memory of a map on this member, at about one moment.
 *
 * @param map its name in the grid
 * @param primaryEntries entries of partitions that this member owns
 * @param backupEntries entries of partitions that it holds a copy of
 * @param bytes what both use off the heap: records, their index, and secondary indexes
 */
public record NativeMapUsage(String map, long primaryEntries, long backupEntries, long bytes) {}
