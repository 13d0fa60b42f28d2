/**
 * Maps off the Java heap: what a record store of Hazelcast is made of, over {@link
 * io.keyvalueserve.store.Table}s.
 *
 * <p>{@code NativeEntries} is the heart: the entries of one map in one partition, written by the
 * partition's thread, read by any. {@code NativeStorage}, {@code NativeExpiry} and {@code
 * NativeRecord} show it to Hazelcast as its storage, its expiry system and its records; {@code
 * NativeRecordStore} puts them in their places; {@code NativeMaps} belongs to a member: it has the
 * memory, makes the record stores, and knows how much each map uses. What must be in a package of
 * Hazelcast's is {@link com.hazelcast.map.impl.KvsMapService}.
 *
 * <p><b>Who may read a record.</b> A value that changes is a new record at another address, and the
 * old one is freed as soon as no guard is open. The partition's thread needs no guard, as nobody
 * else frees; it must only not use an address beyond its next write. Everybody else opens a guard
 * for each read. So no address is kept without the count of the changes it was found at; when that
 * has moved on, the record is found again by its key ({@code NativeRecord}).
 */
@NullMarked
package io.keyvalueserve.maps;

import org.jspecify.annotations.NullMarked;
