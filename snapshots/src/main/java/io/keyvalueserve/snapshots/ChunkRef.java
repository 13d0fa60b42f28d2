package io.keyvalueserve.snapshots;

/**
 * A chunk that was written.
 *
 * @param name the keyed hash of the content, in 64 hexadecimal digits
 * @param rawBytes the size of the content
 * @param storedBytes the size of the object
 * @param isNew false if the repository had the chunk already
 */
public record ChunkRef(String name, int entries, long rawBytes, long storedBytes, boolean isNew) {}
