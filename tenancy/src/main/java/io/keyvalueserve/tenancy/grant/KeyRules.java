package io.keyvalueserve.tenancy.grant;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rights of one tenant on each key of a map: compiled grants. Rights add up: a key has those of
 * the whole map, of every prefix it begins with, and its own.
 *
 * <p>The texts are a radix tree (Morrison, "PATRICIA", 1968) in one array of integers and one of
 * bytes; each node holds the rights of all prefixes on the way to it, so that the deepest node a
 * key reaches is the answer. A look-up is linear in the key's part that the tree knows, makes no
 * object and takes no lock. Immutable.
 *
 * <pre>
 *   node:  label's offset | label's length | rights of keys that go through here
 *          | rights of the key that ends here | first byte of a child | table's length | table of children
 * </pre>
 */
final class KeyRules {
  private static final int LABEL = 0;
  private static final int LABEL_LENGTH = 1;
  private static final int THROUGH = 2;
  private static final int HERE = 3;
  private static final int FIRST = 4;
  private static final int SPAN = 5;
  private static final int CHILDREN = 6;
  private static final int NO_CHILD = 0; // the root is nobody's child
  private static final int BYTE = 0xff;

  /** The rules that allow nothing. */
  static final KeyRules NOTHING = of(List.of(), Long.MAX_VALUE);

  private final int[] nodes;
  private final byte[] labels;
  private final int all;
  private final int some;
  private final long validUntilMillis;

  private KeyRules(int[] nodes, byte[] labels, int all, int some, long validUntilMillis) {
    this.nodes = nodes;
    this.labels = labels;
    this.all = all;
    this.some = some;
    this.validUntilMillis = validUntilMillis;
  }

  /**
   * Compiles grants.
   *
   * @param validUntilMillis when the first of them ends, in milliseconds since 1970; {@code
   *     Long.MAX_VALUE} if none does
   */
  static KeyRules of(Collection<Grant> grants, long validUntilMillis) {
    int all = 0;
    int some = 0;
    SortedMap<byte[], Text> texts = new TreeMap<>(Arrays::compareUnsigned);
    for (Grant grant : grants) {
      int bits = grant.rights().bits();
      some |= bits;
      switch (grant.scope().kind()) {
        case MAP -> all |= bits;
        case PREFIX, CHANNELS -> text(texts, grant).through |= bits;
        case KEY -> text(texts, grant).here |= bits;
      }
    }
    Builder builder = new Builder(texts);
    builder.node(0, builder.texts.length, 0, all);
    return new KeyRules(builder.nodes(), builder.labels.toByteArray(), all, some, validUntilMillis);
  }

  private static Text text(SortedMap<byte[], Text> texts, Grant grant) {
    return texts.computeIfAbsent(grant.scope().bytes(), Text::new);
  }

  /** Returns the time when they have to be compiled anew. */
  long validUntilMillis() {
    return validUntilMillis;
  }

  /** Returns whether no right is granted on any key. */
  boolean isEmpty() {
    return some == 0;
  }

  /** Returns whether every key has the same rights by both. */
  boolean allowsTheSameAs(KeyRules other) {
    return all == other.all
        && Arrays.equals(nodes, other.nodes)
        && Arrays.equals(labels, other.labels);
  }

  /** The rights on all keys: {@link Rights#bits}. */
  int all() {
    return all;
  }

  /** The rights that any key has: {@link Rights#bits}. */
  int some() {
    return some;
  }

  /** The rights on a key: {@link Rights#bits}. */
  int of(byte[] bytes, int offset, int length) {
    int end = offset + length;
    int at = offset;
    int node = 0;
    int rights = all;
    while (true) {
      int labelLength = nodes[node + LABEL_LENGTH];
      if (end - at < labelLength || !startsWith(bytes, at, nodes[node + LABEL], labelLength)) {
        return rights;
      }
      at += labelLength;
      if (at == end) {
        return nodes[node + HERE];
      }
      rights = nodes[node + THROUGH];
      int branch = (bytes[at] & BYTE) - nodes[node + FIRST];
      if (branch < 0 || branch >= nodes[node + SPAN]) {
        return rights;
      }
      node = nodes[node + CHILDREN + branch];
      if (node == NO_CHILD) {
        return rights;
      }
    }
  }

  private boolean startsWith(byte[] bytes, int at, int label, int length) {
    for (int i = 0; i < length; i++) {
      if (bytes[at + i] != labels[label + i]) {
        return false;
      }
    }
    return true;
  }

  /** The rights granted on a text: on keys that begin with it, and on the key that is it. */
  private static final class Text {
    final byte[] bytes;
    int through;
    int here;

    Text(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  /** Lays the tree out, depth first. */
  private static final class Builder {
    final Text[] texts;
    final ByteArrayOutputStream labels = new ByteArrayOutputStream();
    private int[] nodes = new int[CHILDREN];
    private int used;

    Builder(SortedMap<byte[], Text> texts) {
      this.texts = texts.values().toArray(Text[]::new);
    }

    int[] nodes() {
      return Arrays.copyOf(nodes, used);
    }

    /**
     * Adds the node of texts that are the same up to {@code depth}, and all below it.
     *
     * @param rights of all prefixes on the way here
     * @return where it is
     */
    int node(int from, int to, int depth, int rights) {
      int end = from == to ? depth : commonEnd(from, to, depth);
      boolean endsHere = from < to && texts[from].bytes.length == end;
      int through = endsHere ? rights | texts[from].through : rights;
      List<Integer> starts = branches(endsHere ? from + 1 : from, to, end);
      int first = starts.isEmpty() ? 0 : byteAt(starts.getFirst(), end);
      int span = starts.isEmpty() ? 0 : byteAt(starts.getLast(), end) - first + 1;

      int node = used;
      used += CHILDREN + span;
      if (used > nodes.length) {
        nodes = Arrays.copyOf(nodes, Math.max(used, 2 * nodes.length));
      }
      nodes[node + LABEL] = labels.size();
      nodes[node + LABEL_LENGTH] = end - depth;
      nodes[node + THROUGH] = through;
      nodes[node + HERE] = endsHere ? through | texts[from].here : through;
      nodes[node + FIRST] = first;
      nodes[node + SPAN] = span;
      if (from < to) {
        labels.write(texts[from].bytes, depth, end - depth);
      }
      for (int i = 0; i < starts.size(); i++) {
        int start = starts.get(i);
        int limit = i + 1 < starts.size() ? starts.get(i + 1) : to;
        int child = node(start, limit, end, through);
        nodes[node + CHILDREN + byteAt(start, end) - first] = child;
      }
      return node;
    }

    private int commonEnd(int from, int to, int depth) {
      byte[] first = texts[from].bytes;
      byte[] last = texts[to - 1].bytes; // in order, so that all between share what these two do
      int same = Arrays.mismatch(first, depth, first.length, last, depth, last.length);
      return same < 0 ? first.length : depth + same;
    }

    /** Returns the indexes at which texts begin that differ in the byte at this depth. */
    private List<Integer> branches(int from, int to, int depth) {
      List<Integer> starts = new ArrayList<>();
      for (int i = from; i < to; i++) {
        if (i == from || byteAt(i, depth) != byteAt(i - 1, depth)) {
          starts.add(i);
        }
      }
      return starts;
    }

    private int byteAt(int text, int depth) {
      return texts[text].bytes[depth] & BYTE;
    }
  }
}
