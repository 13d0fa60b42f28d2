/**
 * Maps off the Java heap: a record store of Hazelcast, over {@link io.keyvalueserve.store.Table}s.
 *
 * <p>{@code NativeEntries} has the entries of one map in one partition. {@code NativeStorage},
 * {@code NativeExpiry} and {@code NativeRecord} show it to Hazelcast as its storage, its expiry
 * system and its records. {@code NativeRecordStore} puts them in their places. {@code NativeMaps}
 * belongs to a member: it has the memory, makes the record stores, and knows how much each map
 * uses. {@link com.hazelcast.map.impl.KvsMapService} is the part that must be in a package of
 * Hazelcast's.
 *
 * <p><b>Who may write.</b> The thread that holds the partition's {@code PartitionLock}. The
 * partition's own thread waits for the lock. Any other thread may try to take it ({@code
 * LocalWrites}), and leaves the write to an operation if it cannot.
 *
 * <p><b>Who may read.</b> Any thread, without the lock ({@code LocalReads}). A value that changes
 * is a new record at another address, and the old one is freed as soon as no guard is open. A
 * reader opens a guard for each read. The holder of the lock needs no guard, because nobody else
 * frees; it must not use an address beyond its next write. No address is kept without the count of
 * the changes it was found at. When that has moved on, the record is found again by its key ({@code
 * NativeRecord}).
 *
 * <p><b>Who holds answers.</b> A write whose record must be on the disk first notes its position in
 * the log with the lock. {@code GuardedPartitions} then holds the answer of an operation, and
 * {@code AwaitedRecords} that of a direct write of a Redis client. {@code UnconfirmedBackups}
 * watches the backups.
 *
 * <p>Tenants are numbers here. Names, grants and doors do not belong here.
 */
@NullMarked
package io.keyvalueserve.maps;

import org.jspecify.annotations.NullMarked;
