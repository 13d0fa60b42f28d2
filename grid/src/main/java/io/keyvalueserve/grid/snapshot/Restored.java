package io.keyvalueserve.grid.snapshot;

/**
 * Tells what was put back.
 *
 * @param snapshot the id of the snapshot
 * @param atMillis the instant whose state was put back, in milliseconds since 1970
 * @param entries the number of entries
 */
public record Restored(String snapshot, long atMillis, long entries) {}
