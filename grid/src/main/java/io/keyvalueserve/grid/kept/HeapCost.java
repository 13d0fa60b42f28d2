package io.keyvalueserve.grid.kept;

import com.hazelcast.internal.serialization.Data;
import org.jspecify.annotations.Nullable;

/**
 * Estimates of what Hazelcast's objects take on the heap, in bytes: rounded up, with compressed
 * pointers. A payload counts with its length.
 */
public final class HeapCost {
  /** A serialized value: the object, its array's header, and padding. */
  public static final int DATA = 48;

  /** An element of a queue, list or set: the item, and the node of its collection or backup. */
  public static final int ELEMENT = 112;

  /** A key of a multimap: the node, its values and their set. */
  public static final int MULTIMAP_KEY = 320;

  /** A value of a multimap: its record and node. */
  public static final int MULTIMAP_VALUE = 96;

  /** An entry of a replicated map: its record, node, and what its expiry takes. */
  public static final int REPLICATED_ENTRY = 208;

  /** A place in a ring buffer, empty or not. */
  public static final int RING_PLACE = 8;

  /** A lock: its resource, node, and what its lease takes. */
  public static final int LOCK = 304;

  /** A record of a transaction's log, besides the request. */
  public static final int TRANSACTION_RECORD = 256;

  /** An open transaction that has done nothing yet. */
  public static final int TRANSACTION = 1024;

  /** A listener, besides the request: registrations and filters. */
  public static final int LISTENER = 512;

  /** An object's name: its proxy, statistics and first container. */
  public static final int OBJECT = 2048;

  /** The cost of the part of a multimap or a replicated map that lies in one partition. */
  public static final int PARTITION_PART = 1024;

  /** A cardinality estimator with its registers. */
  public static final int ESTIMATOR = 17 << 10;

  /** A ring buffer of the usual capacity. */
  public static final int RINGBUFFER = 80 << 10;

  private HeapCost() {}

  /** Returns what a serialized value takes; 0 if there is none. */
  static long of(@Nullable Data data) {
    return data == null ? 0 : DATA + (long) data.totalSize();
  }

  /** Returns what a value takes that is kept as it is. */
  static long of(@Nullable Object value) {
    return value instanceof Data data ? of(data) : DATA;
  }
}
