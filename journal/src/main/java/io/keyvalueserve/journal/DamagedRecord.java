package io.keyvalueserve.journal;

/**
 * A record that a log no longer has as it was written, as far as its header and key can still be
 * read. They were not checked: the checksum covers the value too.
 *
 * @param position where it was; later records of its partition have greater positions
 * @param key the key's bytes
 * @param keyForm part of the key
 */
public record DamagedRecord(int partition, String map, byte[] key, int keyForm, long position) {}
