/**
 * The store: tables of records outside the Java heap.
 *
 * <p>A {@link io.keyvalueserve.store.Table} holds one partition of one map. Its writer is one
 * thread at a time; its readers are any threads, without locks. What a record looks like in memory
 * says {@link io.keyvalueserve.store.Records}. Keys and values are bytes, each with a small
 * <em>form</em> that only the caller understands; nothing here knows Hazelcast, and a tenant is a
 * number.
 *
 * <p>The index is linear hashing (W. Litwin, "Linear hashing: a new tool for file and table
 * addressing", VLDB 1980): it grows and shrinks by one bucket at a time, so no operation ever waits
 * for a resize, and a scan in the order of reversed hash bits survives all of them.
 */
@NullMarked
package io.keyvalueserve.store;

import org.jspecify.annotations.NullMarked;
