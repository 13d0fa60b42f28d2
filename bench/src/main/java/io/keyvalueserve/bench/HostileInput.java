package io.keyvalueserve.bench;

/**
 * An input that a hostile peer sends.
 *
 * @param kind the valid message that it was made of, and what was changed: {@code set/count}
 * @param bytes the input
 */
record HostileInput(String kind, byte[] bytes) {}
