package io.keyvalueserve.maps;

import io.keyvalueserve.store.Records;

/**
 * An entry as one member has it, to be taken by another that lacks it.
 *
 * @param key of the entry
 * @param version how often it was changed, as the engine counts it
 * @param image what it is in memory, see {@link Records}; must not be changed
 */
public record CopiedEntry(CopiedKey key, int version, byte[] image) {}
