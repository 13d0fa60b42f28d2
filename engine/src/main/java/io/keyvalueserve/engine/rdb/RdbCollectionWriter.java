package io.keyvalueserve.engine.rdb;

import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.collection.Bytes;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.PackedElements;

/**
 * Writes a packed collection, some at a time: its type, the number of its elements, and the
 * elements as strings. Every Redis from 4.0 on reads that. Fields that have expired are left out.
 *
 * <p>For one thread.
 */
public final class RdbCollectionWriter {
  private static final int ELEMENT_COST = 32;

  private final RdbWriter out;
  private final CollectionType type;
  private final byte[] packed;
  private final long nowMillis;
  private PackedElements elements;
  private boolean counting;
  private int count;

  /**
   * @param out where nothing is written yet
   * @param packed the collection, without headroom; not changed by anyone
   * @param nowMillis the time, in milliseconds since 1970
   * @throws io.keyvalueserve.engine.collection.CorruptCollectionException if the bytes are no such
   *     collection; {@link #run} throws it for damage that is found later
   */
  public RdbCollectionWriter(RdbWriter out, CollectionType type, byte[] packed, long nowMillis) {
    this.out = out;
    this.type = type;
    this.packed = packed;
    this.nowMillis = nowMillis;
    this.elements = new PackedElements(type, packed);
    this.counting = elements.mayExpire();
    if (!counting) {
      begin(elements.count());
    }
  }

  /**
   * Goes on.
   *
   * @param most about how many bytes to write
   * @return whether the collection is whole
   * @throws RdbRefusedException if a field has an expiry of its own, which has no place in the
   *     format before Redis 7.4
   */
  public boolean run(int most) throws RdbRefusedException {
    long stop = most;
    while (stop > 0) {
      if (!elements.next()) {
        if (!counting) {
          return true;
        }
        counting = false;
        begin(count);
        elements = new PackedElements(type, packed);
        continue;
      }
      stop -= ELEMENT_COST;
      if (Expiry.hasPassed(elements.expireAtMillis(), nowMillis)) {
        continue;
      }
      if (elements.expireAtMillis() != Expiry.NONE) {
        throw new RdbRefusedException(
            "a field of this hash has an expiry of its own, which the format of Redis 7.0 cannot"
                + " hold; take it off with HPERSIST, or copy the fields with HGETALL and"
                + " HPEXPIRETIME");
      }
      if (counting) {
        count++;
      } else {
        write();
        stop -= elements.name().length() + elements.value().length();
      }
    }
    return false;
  }

  /** Returns whether there was nothing to write, once {@link #run} has said that it is whole. */
  public boolean isEmpty() {
    return count == 0;
  }

  private void begin(int elementCount) {
    count = elementCount;
    out.type(
        switch (type) {
          case LIST -> Rdb.LIST;
          case SET -> Rdb.SET;
          case HASH -> Rdb.HASH;
          case SORTED_SET -> Rdb.SORTED_SET_2;
        });
    out.length(elementCount);
  }

  private void write() {
    Bytes name = elements.name();
    out.string(name);
    switch (type) {
      case LIST, SET -> {}
      case HASH -> out.string(elements.value());
      case SORTED_SET -> out.score(elements.score());
    }
  }
}
