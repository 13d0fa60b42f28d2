package io.keyvalueserve.engine.collection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An inner page that changes: see {@link InnerPage} for how it is written. Of its children some are
 * stored and some are drafts.
 */
final class DraftInner extends DraftPage {
  private static final int HEADER = TreePage.header(Short.BYTES);

  /** A page is not split into parts of fewer children, however large their separators are. */
  private static final int FEWEST = 2;

  /** The children that there is room for beyond those of a stored page. */
  private static final int ROOM = 4;

  private final int height;
  private int children;

  /** The elements under each child. */
  private long[] counts;

  /** The pages of the children that are stored; 0 for a draft. */
  private long[] numbers;

  /** The bytes of all pages under each child that is stored. */
  private long[] bytes;

  /** The children that are drafts. */
  private @Nullable DraftPage[] drafts;

  /**
   * The separators: each stands before a child, but none before the first. All are empty in a list.
   */
  private Bytes[] separators = new Bytes[0];

  /** The page that the separators are still in, which is quicker than to take them out. */
  private byte @Nullable [] stored;

  /** The bytes of all separators. */
  private long separatorBytes;

  /** The bytes of the page and all under it, after it was written. */
  private long total;

  /** Has the children of a stored page. */
  DraftInner(byte[] page) {
    super(TreePage.isKeyed(page));
    height = TreePage.height(page);
    children = TreePage.count(page);
    int room = children + ROOM;
    counts = new long[room];
    numbers = new long[room];
    bytes = new long[room];
    drafts = new DraftPage[room];
    InnerPage.read(page, numbers, counts, bytes);
    if (keyed) {
      stored = page;
      long shared = InnerPage.shared(page);
      separatorBytes = page.length - InnerPage.separators(page) + (children - 2) * shared;
    } else {
      separators = nothing(room);
    }
  }

  /** Has the parts of a page as its children. */
  DraftInner(boolean keyed, int height, Parts parts) {
    super(keyed);
    if (height > TreePage.HIGHEST) {
      throw new CorruptCollectionException("a tree becomes too high");
    }
    this.height = height;
    children = parts.pages().size();
    int room = children + ROOM;
    counts = new long[room];
    numbers = new long[room];
    bytes = new long[room];
    drafts = new DraftPage[room];
    separators = nothing(room);
    for (int i = 0; i < children; i++) {
      drafts[i] = parts.pages().get(i);
      counts[i] = parts.pages().get(i).count();
      if (i > 0) {
        separators[i] = parts.separators().get(i);
        separatorBytes += separators[i].length();
      }
    }
  }

  /** Has some of the children of another. */
  private DraftInner(DraftInner other, int from, int to) {
    super(other.keyed);
    height = other.height;
    children = to - from;
    counts = Arrays.copyOfRange(other.counts, from, to + ROOM);
    numbers = Arrays.copyOfRange(other.numbers, from, to + ROOM);
    bytes = Arrays.copyOfRange(other.bytes, from, to + ROOM);
    drafts = Arrays.copyOfRange(other.drafts, from, to + ROOM);
    separators = Arrays.copyOfRange(other.separators, from, to + ROOM);
    separators[0] = TreePage.NOTHING;
    for (int i = 1; i < children; i++) {
      separatorBytes += separators[i].length();
    }
  }

  @Override
  int height() {
    return height;
  }

  @Override
  long count() {
    long sum = 0;
    for (int i = 0; i < children; i++) {
      sum += counts[i];
    }
    return sum;
  }

  @Override
  long size() {
    return size(keyed, children, separatorBytes, shared());
  }

  @Override
  boolean isOver() {
    return size() > TreePage.TARGET && children >= 2 * FEWEST;
  }

  @Override
  boolean isUnder() {
    return size() < TreePage.LEAST || children < FEWEST;
  }

  int children() {
    return children;
  }

  /** The draft of a child, or none if it is stored. */
  @Nullable DraftPage draft(int child) {
    return drafts[child];
  }

  /** A child that is stored, as a tree. */
  ElementTree.State storedChild(int child) {
    return new ElementTree.State(numbers[child], height - 1, counts[child], bytes[child]);
  }

  /** The value of a key. */
  @Nullable Bytes get(PageDraft pages, Bytes key) {
    DraftInner inner = this;
    while (true) {
      int child = inner.find(key);
      switch (inner.drafts[child]) {
        case DraftInner below -> inner = below;
        case DraftLeaf leaf -> {
          return leaf.get(key);
        }
        case null -> {
          return StoredTree.get(
              pages,
              inner.numbers[child],
              inner.height - 1,
              inner.counts[child],
              inner.bytes[child],
              key);
        }
      }
    }
  }

  @Override
  void put(PageDraft pages, Bytes key, Bytes value, boolean isNew) {
    int child = find(key);
    own(pages, child).put(pages, key, value, isNew);
    if (isNew) {
      counts[child]++;
    }
    splitIfOver(child);
  }

  @Override
  void remove(PageDraft pages, Bytes key) {
    int child = find(key);
    if (counts[child] == 1) {
      discard(pages, child);
      close(child, child + 1);
    } else {
      own(pages, child).remove(pages, key);
      counts[child]--;
    }
  }

  @Override
  void insert(PageDraft pages, long at, List<Bytes> values) {
    int child = 0;
    long before = 0;
    while (child < children - 1 && at > before + counts[child]) {
      before += counts[child++];
    }
    own(pages, child).insert(pages, at - before, values);
    counts[child] += values.size();
    splitIfOver(child);
  }

  @Override
  void removeRange(PageDraft pages, long from, long to) {
    long before = 0;
    int first = children;
    int behind = 0;
    for (int i = 0; i < children && before < to; i++) {
      long under = counts[i];
      long start = Math.max(from - before, 0);
      long end = Math.min(to - before, under);
      if (start == 0 && end == under) {
        discard(pages, i);
        first = Math.min(first, i);
        behind = i + 1;
      } else if (start < end) {
        own(pages, i).removeRange(pages, start, end);
        counts[i] -= end - start;
      }
      before += under;
    }
    if (first < behind) {
      close(first, behind);
    }
  }

  @Override
  long rank(PageDraft pages, Bytes key, boolean orAt) {
    int child = find(key);
    long rank = 0;
    for (int i = 0; i < child; i++) {
      rank += counts[i];
    }
    DraftPage draft = drafts[child];
    return rank
        + (draft == null
            ? StoredTree.rank(
                pages, numbers[child], height - 1, counts[child], bytes[child], key, orAt)
            : draft.rank(pages, key, orAt));
  }

  @Override
  boolean visit(PageDraft pages, long from, long to, ElementTree.Visitor visitor) {
    long before = 0;
    for (int i = 0; i < children && before < to; i++) {
      long under = counts[i];
      long start = Math.max(from - before, 0);
      long end = Math.min(to - before, under);
      DraftPage draft = drafts[i];
      boolean more =
          start >= end
              || (draft == null
                  ? StoredTree.visit(
                      pages, keyed, numbers[i], height - 1, under, bytes[i], start, end, visitor)
                  : draft.visit(pages, start, end, visitor));
      if (!more) {
        return false;
      }
      before += under;
    }
    return true;
  }

  @Override
  void discard(PageDraft pages) {
    for (int i = 0; i < children; i++) {
      discard(pages, i);
    }
  }

  @Override
  Parts split() {
    takeSeparators();
    long[] sums = new long[children + 1];
    for (int i = 0; i < children; i++) {
      sums[i + 1] = sums[i] + separators[i].length();
    }
    PageSplit.Measure measure =
        (from, to) -> size(keyed, to - from, sums[to] - sums[from + 1], shared(from, to));
    List<DraftPage> parts = new ArrayList<>();
    List<Bytes> before = new ArrayList<>();
    int start = 0;
    for (int end : PageSplit.split(children, measure, FEWEST, growth)) {
      before.add(separators[start]);
      parts.add(new DraftInner(this, start, end));
      start = end;
    }
    return new Parts(parts, before);
  }

  @Override
  void append(DraftPage next, Bytes separator) {
    DraftInner inner = (DraftInner) next;
    int at = children;
    inner.takeSeparators();
    open(at, inner.children);
    System.arraycopy(inner.counts, 0, counts, at, inner.children);
    System.arraycopy(inner.numbers, 0, numbers, at, inner.children);
    System.arraycopy(inner.bytes, 0, bytes, at, inner.children);
    System.arraycopy(inner.drafts, 0, drafts, at, inner.children);
    System.arraycopy(inner.separators, 0, separators, at, inner.children);
    separators[at] = separator;
    separatorBytes += inner.separatorBytes + separator.length();
    growth = Growth.WITHIN;
  }

  @Override
  void settle(PageDraft pages) {
    for (int i = 0; i < children; i++) {
      DraftPage draft = drafts[i];
      if (draft != null) {
        draft.settle(pages);
      }
    }
    settleChildren(pages);
  }

  @Override
  long write(PageDraft pages) {
    total = 0;
    for (int i = 0; i < children; i++) {
      DraftPage draft = drafts[i];
      if (draft != null) {
        numbers[i] = draft.write(pages);
        bytes[i] = draft.bytes();
      }
      total += bytes[i];
    }
    if (stored != null && TreePage.width(stored) != TreePage.widthFor(size())) {
      takeSeparators();
    }
    int width = TreePage.widthFor(size());
    long size = size() + (long) (width - Short.BYTES) * (keyed ? children + 1 : 1);
    byte[] page = TreePage.begin(keyed, height, children, width, size);
    int at = TreePage.header(width);
    for (int i = 0; i < children; i++, at += Long.BYTES) {
      TreePage.writeLong(page, at, numbers[i]);
    }
    at = writeSums(page, at, counts);
    at = writeSums(page, at, bytes);
    if (keyed) {
      writeSeparators(page, at, width);
    }
    total += size;
    return pages.write(page);
  }

  @Override
  long bytes() {
    return total;
  }

  private int writeSums(byte[] page, int from, long[] of) {
    int at = from;
    long sum = 0;
    for (int i = 0; i < children; i++, at += InnerPage.SUM) {
      sum += of[i];
      TreePage.writeSum(page, at, sum);
    }
    return at;
  }

  private void writeSeparators(byte[] page, int table, int width) {
    byte[] from = stored;
    if (from != null) {
      System.arraycopy(from, table, page, table, page.length - table);
      return;
    }
    int shared = shared();
    int at = table + children * width;
    if (shared > 0) {
      System.arraycopy(separators[1].array(), separators[1].offset(), page, at, shared);
      at += shared;
    }
    TreePage.write(page, table, width, at);
    for (int i = 1; i < children; i++) {
      Bytes separator = separators[i];
      if (common(separators[1], separator) < shared) {
        throw new CorruptCollectionException("the separators of a page are out of order");
      }
      int length = separator.length() - shared;
      System.arraycopy(separator.array(), separator.offset() + shared, page, at, length);
      at += length;
      TreePage.write(page, table + i * width, width, at);
    }
  }

  /**
   * How many bytes all separators begin with. They are in order, so the first and the last tell.
   */
  private int shared() {
    if (stored != null) {
      return InnerPage.shared(stored);
    }
    return shared(0, children);
  }

  /** How many bytes the separators between the children of a range begin with. */
  private int shared(int from, int to) {
    return to - from <= FEWEST ? 0 : common(separators[from + 1], separators[to - 1]);
  }

  /** How many bytes two separators begin with. */
  private static int common(Bytes first, Bytes second) {
    int end = Math.min(first.length(), second.length());
    int same =
        Arrays.mismatch(
            first.array(),
            first.offset(),
            first.offset() + end,
            second.array(),
            second.offset(),
            second.offset() + end);
    return same < 0 ? end : same;
  }

  /**
   * The bytes of a page, with narrow offsets.
   *
   * @param separatorBytes of all separators
   * @param shared how many bytes all separators begin with; 0 if there is none
   */
  private static long size(boolean keyed, long children, long separatorBytes, long shared) {
    return HEADER
        + children * InnerPage.CHILD
        + (keyed ? children * Short.BYTES + separatorBytes - (children - 2) * shared : 0);
  }

  /** The child under which a key is, if there is such an element. */
  private int find(Bytes key) {
    if (stored != null) {
      return InnerPage.find(stored, key);
    }
    int low = 1;
    int high = children - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (separators[middle].compareTo(key) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return low - 1;
  }

  /** Makes a child a draft. */
  private DraftPage own(PageDraft pages, int child) {
    DraftPage draft = drafts[child];
    if (draft == null) {
      draft = DraftPage.take(pages, keyed, numbers[child], height - 1, counts[child], bytes[child]);
      drafts[child] = draft;
      numbers[child] = 0;
      bytes[child] = 0;
    }
    return draft;
  }

  /** Gives up all pages under a child. */
  private void discard(PageDraft pages, int child) {
    DraftPage draft = drafts[child];
    if (draft != null) {
      draft.discard(pages);
    } else if (height == 1) {
      pages.remove(numbers[child]);
    } else {
      pages.drop(numbers[child], height - 1);
    }
  }

  private void splitIfOver(int child) {
    DraftPage draft = drafts[child];
    if (draft == null || !draft.isOver()) {
      return;
    }
    Growth grown = draft.growth;
    Parts parts = draft.split();
    int added = parts.pages().size() - 1;
    growth =
        child == children - 1 && grown == Growth.AT_END
            ? Growth.AT_END
            : child == 0 && grown == Growth.AT_START ? Growth.AT_START : Growth.WITHIN;
    open(child + 1, added);
    for (int i = 0; i <= added; i++) {
      DraftPage part = parts.pages().get(i);
      int at = child + i;
      drafts[at] = part;
      counts[at] = part.count();
      if (i > 0) {
        numbers[at] = 0;
        bytes[at] = 0;
        separators[at] = parts.separators().get(i);
        separatorBytes += separators[at].length();
      }
    }
  }

  /** Merges children that became small with their neighbours. */
  private void settleChildren(PageDraft pages) {
    int child = 0;
    while (child < children) {
      int merged = merge(pages, child);
      child = merged < 0 ? child + 1 : merged;
    }
  }

  /**
   * Merges a child with a neighbour, if it became small and both fit into one page.
   *
   * @return where the merged child is now, or -1
   */
  private int merge(PageDraft pages, int child) {
    DraftPage draft = drafts[child];
    if (draft == null || !draft.isUnder()) {
      return -1;
    }
    long before = child == 0 ? Long.MAX_VALUE : mergedSize(pages, child - 1);
    long behind = child == children - 1 ? Long.MAX_VALUE : mergedSize(pages, child);
    if (Math.min(before, behind) > TreePage.TARGET) {
      return -1;
    }
    takeSeparators();
    int first = before <= behind ? child - 1 : child;
    DraftPage merged = own(pages, first);
    merged.append(own(pages, first + 1), separators[first + 1]);
    counts[first] += counts[first + 1];
    close(first + 1, first + 2);
    if (merged instanceof DraftInner inner) {
      // A child that was the only one of its page has neighbours now.
      inner.settleChildren(pages);
    }
    return first;
  }

  /** The bytes of a child and the next one as one page. */
  private long mergedSize(PageDraft pages, int child) {
    if (height == 1) {
      return leafSize(child) + leafSize(child + 1) - TreePage.header(Short.BYTES);
    }
    takeSeparators();
    DraftInner first = inner(pages, child);
    DraftInner next = inner(pages, child + 1);
    Bytes between = separators[child + 1];
    int shared =
        common(
            first.children == 1 ? between : first.separator(1),
            next.children == 1 ? between : next.separator(next.children - 1));
    int together = first.children + next.children;
    return size(
        keyed,
        together,
        first.separatorBytes + between.length() + next.separatorBytes,
        together <= FEWEST ? 0 : shared);
  }

  private long leafSize(int child) {
    DraftPage draft = drafts[child];
    return draft == null ? bytes[child] : draft.size();
  }

  /** A child that is an inner page. If it is stored, it is only looked at. */
  private DraftInner inner(PageDraft pages, int child) {
    return drafts[child] instanceof DraftInner draft
        ? draft
        : new DraftInner(
            pages.read(keyed, numbers[child], height - 1, counts[child], bytes[child]));
  }

  private Bytes separator(int child) {
    return stored == null ? separators[child] : InnerPage.separator(stored, child);
  }

  /** Makes places for children. Those are not set. */
  private void open(int at, int added) {
    takeSeparators();
    int needed = children + added;
    if (needed > counts.length) {
      int room = needed + Math.max(ROOM, needed >> 1);
      counts = Arrays.copyOf(counts, room);
      numbers = Arrays.copyOf(numbers, room);
      bytes = Arrays.copyOf(bytes, room);
      drafts = Arrays.copyOf(drafts, room);
      separators = Arrays.copyOf(separators, room);
      Arrays.fill(separators, children, room, TreePage.NOTHING);
    }
    move(at, at + added);
    children = needed;
  }

  /** Takes children out of the page. */
  private void close(int from, int to) {
    takeSeparators();
    for (int i = Math.max(from, 1); i < to; i++) {
      separatorBytes -= separators[i].length();
    }
    if (from == 0 && to < children) {
      separatorBytes -= separators[to].length();
      separators[to] = TreePage.NOTHING;
    }
    move(to, from);
    children -= to - from;
    Arrays.fill(drafts, children, children + to - from, null);
  }

  /** Moves all children from one on to another place. */
  private void move(int from, int to) {
    int moved = children - from;
    System.arraycopy(counts, from, counts, to, moved);
    System.arraycopy(numbers, from, numbers, to, moved);
    System.arraycopy(bytes, from, bytes, to, moved);
    System.arraycopy(drafts, from, drafts, to, moved);
    System.arraycopy(separators, from, separators, to, moved);
  }

  private void takeSeparators() {
    byte[] page = stored;
    if (page != null) {
      separators = nothing(counts.length);
      for (int i = 1; i < children; i++) {
        separators[i] = InnerPage.separator(page, i);
      }
      stored = null;
    }
  }

  private static Bytes[] nothing(int length) {
    Bytes[] nothing = new Bytes[length];
    Arrays.fill(nothing, TreePage.NOTHING);
    return nothing;
  }
}
