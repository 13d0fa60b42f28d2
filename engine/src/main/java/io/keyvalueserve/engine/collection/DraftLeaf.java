package io.keyvalueserve.engine.collection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A leaf that changes: see {@link LeafPage} for how it is written. */
final class DraftLeaf extends DraftPage {
  private static final int HEADER = TreePage.header(Short.BYTES);

  /** The elements that there is room for beyond those of a stored page. */
  private static final int ROOM = 4;

  /** The keys, in their order. All are empty in a list. */
  private Bytes[] keys;

  private Bytes[] values;
  private int count;

  /** The bytes of the page, written with narrow offsets; after it was written, as they are. */
  private long size;

  /** Has no elements yet. */
  DraftLeaf(boolean keyed) {
    this(keyed, new Bytes[ROOM], new Bytes[ROOM], 0);
  }

  /** Has the elements of a stored page. */
  DraftLeaf(byte[] page) {
    super(TreePage.isKeyed(page));
    count = TreePage.count(page);
    keys = new Bytes[count + ROOM];
    values = new Bytes[count + ROOM];
    LeafPage.read(page, keys, values);
    size = page.length - (TreePage.width(page) - (long) Short.BYTES) * (count + 1);
  }

  private DraftLeaf(boolean keyed, Bytes[] keys, Bytes[] values, int count) {
    super(keyed);
    this.keys = keys;
    this.values = values;
    this.count = count;
    this.size = sizeOf(0, count);
  }

  @Override
  int height() {
    return 0;
  }

  @Override
  long count() {
    return count;
  }

  @Override
  long size() {
    return size;
  }

  @Override
  boolean isOver() {
    return size > TreePage.TARGET && count > 1;
  }

  @Override
  boolean isUnder() {
    return size < TreePage.LEAST;
  }

  /** The value of a key. */
  @Nullable Bytes get(Bytes key) {
    int index = find(key);
    return index < 0 ? null : values[index];
  }

  @Override
  void put(PageDraft pages, Bytes key, Bytes value, boolean isNew) {
    int index = find(key);
    if (index < 0 != isNew) {
      throw new CorruptCollectionException("the keys of a page are out of order");
    }
    if (isNew) {
      open(~index, 1);
      set(~index, key, value);
    } else {
      size += value.length() - values[index].length();
      values[index] = value;
      growth = Growth.WITHIN;
    }
  }

  @Override
  void remove(PageDraft pages, Bytes key) {
    int index = find(key);
    if (index < 0) {
      throw new CorruptCollectionException("the keys of a page are out of order");
    }
    removeRange(pages, index, index + 1L);
  }

  @Override
  void insert(PageDraft pages, long at, List<Bytes> added) {
    int index = (int) at;
    open(index, added.size());
    for (Bytes value : added) {
      set(index++, TreePage.NOTHING, value);
    }
  }

  @Override
  void removeRange(PageDraft pages, long from, long to) {
    size -= sizeOf((int) from, (int) to) - HEADER;
    close((int) from, (int) to);
  }

  @Override
  long rank(PageDraft pages, Bytes key, boolean orAt) {
    int index = find(key);
    return index < 0 ? ~index : orAt ? index + 1 : index;
  }

  @Override
  boolean visit(PageDraft pages, long from, long to, ElementTree.Visitor visitor) {
    for (int i = (int) from; i < to; i++) {
      if (!visitor.visit(keys[i], values[i])) {
        return false;
      }
    }
    return true;
  }

  @Override
  void discard(PageDraft pages) {}

  @Override
  Parts split() {
    long[] sums = new long[count + 1];
    for (int i = 0; i < count; i++) {
      sums[i + 1] = sums[i] + sizeOf(i);
    }
    PageSplit.Measure measure = (from, to) -> HEADER + sums[to] - sums[from];
    List<DraftPage> parts = new ArrayList<>();
    List<Bytes> separators = new ArrayList<>();
    int start = 0;
    for (int end : PageSplit.split(count, measure, 1, growth)) {
      separators.add(
          keyed && start > 0 ? separator(keys[start - 1], keys[start]) : TreePage.NOTHING);
      parts.add(
          new DraftLeaf(
              keyed,
              Arrays.copyOfRange(keys, start, end + ROOM),
              Arrays.copyOfRange(values, start, end + ROOM),
              end - start));
      start = end;
    }
    return new Parts(parts, separators);
  }

  @Override
  void append(DraftPage next, Bytes separator) {
    DraftLeaf leaf = (DraftLeaf) next;
    int at = count;
    open(at, leaf.count);
    System.arraycopy(leaf.keys, 0, keys, at, leaf.count);
    System.arraycopy(leaf.values, 0, values, at, leaf.count);
    size += leaf.size - HEADER;
    growth = Growth.WITHIN;
  }

  @Override
  void settle(PageDraft pages) {}

  @Override
  long write(PageDraft pages) {
    int width = TreePage.widthFor(size);
    size += (long) (width - Short.BYTES) * (count + 1);
    byte[] page = TreePage.begin(keyed, 0, count, width, size);
    int table = TreePage.header(width);
    int at = table + count * width;
    for (int i = 0; i < count; i++) {
      if (keyed) {
        Bytes key = keys[i];
        int rest = key.length();
        while (rest >= 0x80) {
          page[at++] = (byte) (rest | 0x80);
          rest >>>= 7;
        }
        page[at++] = (byte) rest;
        System.arraycopy(key.array(), key.offset(), page, at, key.length());
        at += key.length();
      }
      Bytes value = values[i];
      System.arraycopy(value.array(), value.offset(), page, at, value.length());
      at += value.length();
      TreePage.write(page, table + i * width, width, at);
    }
    return pages.write(page);
  }

  @Override
  long bytes() {
    return size;
  }

  /** The shortest beginning of a key that is above the key before. */
  private static Bytes separator(Bytes before, Bytes key) {
    int same =
        Arrays.mismatch(
            before.array(),
            before.offset(),
            before.offset() + before.length(),
            key.array(),
            key.offset(),
            key.offset() + key.length());
    if (same < 0 || same == key.length() || before.compareTo(key) > 0) {
      throw new CorruptCollectionException("the keys of a page are out of order");
    }
    return new Bytes(key.array(), key.offset(), same + 1);
  }

  private int find(Bytes key) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = keys[middle].compareTo(key);
      if (order < 0) {
        low = middle + 1;
      } else if (order > 0) {
        high = middle - 1;
      } else {
        return middle;
      }
    }
    return ~low;
  }

  /** Makes place for elements. */
  private void open(int at, int added) {
    growth = at == count ? Growth.AT_END : at == 0 ? Growth.AT_START : Growth.WITHIN;
    int needed = Math.addExact(count, added);
    if (needed > keys.length) {
      int capacity = needed + Math.max(ROOM, needed >> 1);
      keys = Arrays.copyOf(keys, capacity);
      values = Arrays.copyOf(values, capacity);
    }
    System.arraycopy(keys, at, keys, at + added, count - at);
    System.arraycopy(values, at, values, at + added, count - at);
    count = needed;
  }

  /** Sets an element for which there is a place. */
  private void set(int index, Bytes key, Bytes value) {
    keys[index] = key;
    values[index] = value;
    size += sizeOf(index);
  }

  private void close(int from, int to) {
    System.arraycopy(keys, to, keys, from, count - to);
    System.arraycopy(values, to, values, from, count - to);
    count -= to - from;
  }

  /** The bytes of an element with its narrow offset. */
  private long sizeOf(int index) {
    int key = keys[index].length();
    return (long) Short.BYTES
        + (keyed ? (long) LeafPage.lengthBytes(key) + key : 0)
        + values[index].length();
  }

  /** The bytes of a page with a range of the elements. */
  private long sizeOf(int from, int to) {
    long sum = HEADER;
    for (int i = from; i < to; i++) {
      sum += sizeOf(i);
    }
    return sum;
  }
}
