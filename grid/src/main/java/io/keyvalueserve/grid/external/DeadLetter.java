package io.keyvalueserve.grid.external;

import org.jspecify.annotations.Nullable;

/**
 * A write that the external store of a map has refused for good. It does not show the value.
 *
 * @param number tells it from others of the map
 * @param key the key's text, with 256 characters at most and all of them printable; null if a key
 *     of its type has no text
 * @param removal whether the entry was removed
 * @param reason why the store has refused it
 * @param sinceMillis when it was written, in milliseconds since 1970
 * @param valueBytes the size of the value; 0 for a removal
 */
public record DeadLetter(
    LetterNumber number,
    @Nullable String key,
    boolean removal,
    String reason,
    long sinceMillis,
    long valueBytes) {}
