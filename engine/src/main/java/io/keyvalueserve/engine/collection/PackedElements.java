package io.keyvalueserve.engine.collection;

import io.keyvalueserve.engine.Expiry;

/**
 * The elements of a packed collection, from the first one to the last one. Fields that have expired
 * are among them.
 *
 * <p>For one thread.
 */
public final class PackedElements {
  private static final int PLAIN = 1;
  private static final int EXPIRING = 2;
  private static final Bytes NOTHING = Bytes.of(new byte[0]);

  private final CollectionType type;
  private final boolean expiring;
  private final PackedReader reader;
  private final int count;
  private int taken;
  private Bytes name = NOTHING;
  private Bytes value = NOTHING;
  private double score;
  private long expireAtMillis = Expiry.NONE;

  /**
   * @param packed the collection, without headroom; not changed by anyone
   * @throws CorruptCollectionException if the bytes are no such collection; {@link #next} throws it
   *     for damage that is found later
   */
  public PackedElements(CollectionType type, byte[] packed) {
    this(new CollectionValue(type, packed, 0, packed.length));
  }

  /**
   * @param packed the collection
   * @throws CorruptCollectionException likewise
   */
  PackedElements(CollectionValue packed) {
    this.type = packed.type();
    this.reader = new PackedReader(packed);
    int layout = reader.readByte();
    this.expiring = layout == EXPIRING && type == CollectionType.HASH;
    if (layout != PLAIN && !expiring) {
      throw new CorruptCollectionException("no such layout of a " + type.title());
    }
    this.count =
        reader.count(
            switch (type) {
              case LIST, SET -> 1;
              case HASH -> expiring ? 2 + Long.BYTES : 2;
              case SORTED_SET -> Double.BYTES + 1;
            });
  }

  /** Returns the number of elements. */
  public int count() {
    return count;
  }

  /** Returns whether elements may have an expiry of their own. */
  public boolean mayExpire() {
    return expiring;
  }

  /**
   * Goes to the next element.
   *
   * @return whether there is one
   * @throws CorruptCollectionException if the bytes are damaged
   */
  public boolean next() {
    if (taken == count) {
      reader.end();
      return false;
    }
    taken++;
    if (type == CollectionType.SORTED_SET) {
      score = reader.readDouble();
    }
    name = reader.readBytes();
    if (type == CollectionType.HASH) {
      value = reader.readBytes();
      expireAtMillis = expiring ? reader.readLong() : Expiry.NONE;
    }
    return true;
  }

  /** Returns the element of a list, the member of a set or a sorted set, or a field's name. */
  public Bytes name() {
    return name;
  }

  /** Returns the value of a field; no bytes if the collection is no hash. */
  public Bytes value() {
    return value;
  }

  /** Returns the score of a member; 0 if the collection is no sorted set. */
  public double score() {
    return score;
  }

  /** Returns when a field expires, in milliseconds since 1970, or {@link Expiry#NONE}. */
  public long expireAtMillis() {
    return expireAtMillis;
  }
}
