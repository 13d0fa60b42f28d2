package io.keyvalueserve.engine.collection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * The order of the names in a collection of pages: by a hash of 32 bits, and by the bytes of the
 * name where hashes are equal. A place in that order is a number, so a client can go on from there.
 * The seed of each collection is its own and secret, so nobody can choose names that fall together.
 *
 * <p>The hash is SipHash-2-4, of which it takes a half (Aumasson and Bernstein, 2012).
 *
 * @param first the first half of the seed
 * @param second the second half
 */
record NameHash(long first, long second) {
  private static final VarHandle LITTLE_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A cursor has a hash and 1, up to 2^32; and above it a part of the seed: 53 bits in all. */
  private static final int HASH_BITS = 33;

  private static final int TAG_BITS = 20;
  private static final long HASH_MASK = (1L << HASH_BITS) - 1;

  /** No scan has more elements in a step. */
  private static final int MOST_SCANNED = 10_000;

  /** Creates one with a seed that nobody knows. */
  static NameHash random() {
    return new NameHash(RANDOM.nextLong(), RANDOM.nextLong());
  }

  /** Returns the key of a name: its hash, and the name. */
  Bytes key(Bytes name) {
    byte[] key = new byte[Integer.BYTES + name.length()];
    INT.set(key, 0, (int) of(name));
    System.arraycopy(name.array(), name.offset(), key, Integer.BYTES, name.length());
    return Bytes.of(key);
  }

  /** Returns the name of a key. */
  static Bytes name(Bytes key) {
    return name(key, Integer.BYTES);
  }

  /** Returns the name behind some bytes of a key. */
  static Bytes name(Bytes key, int from) {
    if (key.length() < from) {
      throw new CorruptCollectionException("a key is too short");
    }
    return new Bytes(key.array(), key.offset() + from, key.length() - from);
  }

  /**
   * Visits elements in the order of their names' hashes. Those of one hash are visited in one step.
   *
   * @param cursor 0 to begin, then what the step before returned. One of another seed begins anew
   * @param count about how many
   * @param visitor returns false to end the step early
   * @return where to go on, 0 at the end
   */
  long scan(ElementTree tree, long cursor, int count, ElementTree.Visitor visitor) {
    Step step = new Step(Math.min(count, MOST_SCANNED), visitor);
    long from = place(tree, cursor);
    tree.visit(from, tree.size() - from, step);
    return step.next < 0 ? 0 : tag() << HASH_BITS | (step.next + 1);
  }

  private long place(ElementTree tree, long cursor) {
    long hash = (cursor & HASH_MASK) - 1;
    if (cursor >>> HASH_BITS != tag() || hash < 0 || hash > 0xFFFF_FFFFL) {
      return 0;
    }
    byte[] key = new byte[Integer.BYTES];
    INT.set(key, 0, (int) hash);
    return tree.rank(Bytes.of(key), false);
  }

  private long tag() {
    return first >>> (Long.SIZE - TAG_BITS);
  }

  /** A step of a scan. */
  private static final class Step implements ElementTree.Visitor {
    private final int most;
    private final ElementTree.Visitor visitor;
    private long last = -1;
    private int visited;
    private boolean full;

    /** The hash to go on with; below 0 at the end. */
    private long next = -1;

    Step(int most, ElementTree.Visitor visitor) {
      this.most = most;
      this.visitor = visitor;
    }

    @Override
    public boolean visit(Bytes key, Bytes value) {
      Bytes _ = name(key); // there is a hash
      long hash = (int) INT.get(key.array(), key.offset()) & 0xFFFF_FFFFL;
      if (hash != last && (full || visited >= most)) {
        next = hash;
        return false;
      }
      last = hash;
      visited++;
      full |= !visitor.visit(key, value);
      return true;
    }
  }

  /** Returns SipHash-2-4 of a name. */
  long of(Bytes name) {
    byte[] array = name.array();
    int at = name.offset();
    int end = at + name.length();
    long[] v = {
      first ^ 0x736f6d6570736575L,
      second ^ 0x646f72616e646f6dL,
      first ^ 0x6c7967656e657261L,
      second ^ 0x7465646279746573L
    };
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      add(v, (long) LITTLE_ENDIAN.get(array, at));
    }
    long rest = (long) name.length() << (Long.SIZE - Byte.SIZE);
    for (int shift = 0; at < end; at++, shift += Byte.SIZE) {
      rest |= (array[at] & 0xFFL) << shift;
    }
    add(v, rest);
    v[2] ^= 0xFF;
    for (int i = 0; i < 4; i++) {
      round(v);
    }
    return v[0] ^ v[1] ^ v[2] ^ v[3];
  }

  private static void add(long[] v, long word) {
    v[3] ^= word;
    round(v);
    round(v);
    v[0] ^= word;
  }

  private static void round(long[] v) {
    v[0] += v[1];
    v[1] = Long.rotateLeft(v[1], 13) ^ v[0];
    v[0] = Long.rotateLeft(v[0], 32);
    v[2] += v[3];
    v[3] = Long.rotateLeft(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = Long.rotateLeft(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = Long.rotateLeft(v[1], 17) ^ v[2];
    v[2] = Long.rotateLeft(v[2], 32);
  }
}
