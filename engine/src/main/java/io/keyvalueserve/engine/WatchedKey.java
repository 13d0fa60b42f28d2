package io.keyvalueserve.engine;

/**
 * A key as it was when a session began to watch it.
 *
 * @param ref the key
 * @param mark stands for the state of its entry; two states with the same mark are the same, but
 *     for a chance of one in 2^64
 */
public record WatchedKey(KeyRef ref, long mark) {}
