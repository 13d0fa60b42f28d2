package io.keyvalueserve.maps.index;

import static java.util.Objects.requireNonNull;

import com.hazelcast.query.impl.IndexKeyEntries;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import io.keyvalueserve.store.TreeCursor;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A walk through an index in order: the stripes merged, and read in portions, so that no memory is
 * held while nobody asks for more. Between portions the index may change; as with Hazelcast's own,
 * an entry whose value changes during the walk may be seen at both of its places or at neither.
 * Whatever is seen has the value of the place where it is seen. For one thread.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class OrderedScan implements Iterator<IndexKeyEntries> {
  private static final int FIRST_PORTION = 16;
  private static final int MOST_PORTION = 512;

  private final IndexContents index;
  private final UnaryOperator<Comparable> converted;
  private final @Nullable Predicate<byte[]> test;
  private final boolean descending;
  private final PriorityQueue<Source> sources;
  private final TreeCursor cursor = new TreeCursor();
  private final CodeReader reader = new CodeReader();
  private final CodeWriter codes = new CodeWriter();
  private byte[] code = {};
  private int groups;
  private boolean inGroup;

  /**
   * All strings of a range.
   *
   * @param converted turns values into the type that questions have
   * @param test which strings are wanted, of one value all from some key on; null for all
   */
  OrderedScan(
      IndexContents index,
      UnaryOperator<Comparable> converted,
      Selection.Range range,
      @Nullable Predicate<byte[]> test,
      boolean descending) {
    this.index = index;
    this.converted = converted;
    this.test = test;
    this.descending = descending;
    Comparator<byte[]> order = Arrays::compareUnsigned;
    Comparator<byte[]> directed = descending ? order.reversed() : order;
    this.sources =
        new PriorityQueue<>((left, right) -> directed.compare(left.first(), right.first()));
    for (IndexStripe stripe : index.stripes()) {
      Source source = new Source(stripe, range);
      if (source.fill()) {
        sources.add(source);
      }
    }
  }

  @Override
  public boolean hasNext() {
    while (inGroup && isOfGroup()) {
      take(); // of the value before, if they were not asked for
    }
    inGroup = false;
    while (!sources.isEmpty()) {
      byte[] string = first();
      if (test == null || test.test(string)) {
        return true;
      }
      take();
    }
    return false;
  }

  @Override
  public IndexKeyEntries next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    byte[] string = first();
    code = Arrays.copyOf(string, index.code().end(string, 0, reader));
    inGroup = true;
    groups++;
    return new IndexKeyEntries(converted.apply(index.code().get(code, 0)), new Group(code));
  }

  private byte[] first() {
    return requireNonNull(sources.peek()).first();
  }

  private boolean isOfGroup() {
    if (sources.isEmpty()) {
      return false;
    }
    byte[] string = first();
    return string.length >= code.length
        && Arrays.equals(string, 0, code.length, code, 0, code.length);
  }

  private byte[] take() {
    Source source = requireNonNull(sources.poll());
    byte[] string = source.take();
    if (source.hasMore()) {
      sources.add(source);
    }
    return string;
  }

  /** The entries of one value. */
  private final class Group extends EntryWalk {
    private final int number = groups;
    private final int codeLength;
    private final Selection selection;

    Group(byte[] code) {
      this.codeLength = code.length;
      this.selection = new Selection().add(new Selection.Range(code, Selection.before(code, true)));
    }

    @Override
    @Nullable QueryableEntry seek() {
      while (number == groups && inGroup && isOfGroup()) {
        byte[] string = take();
        QueryableEntry entry =
            index.map().read(KeyReference.get(string, codeLength, string.length));
        if (entry != null && index.isOf(selection, entry, codes)) {
          return entry;
        }
      }
      return null;
    }
  }

  /** The part of the walk that reads one stripe. */
  private final class Source {
    private final IndexStripe stripe;
    private final Deque<byte[]> portion = new ArrayDeque<>();
    private byte[] from;
    private byte[] before;
    private int size = FIRST_PORTION;
    private boolean isLast;

    Source(IndexStripe stripe, Selection.Range range) {
      this.stripe = stripe;
      this.from = range.from();
      this.before = range.before();
    }

    byte[] first() {
      return requireNonNull(portion.peek());
    }

    byte[] take() {
      return portion.remove();
    }

    boolean hasMore() {
      return !portion.isEmpty() || fill();
    }

    boolean fill() {
      if (isLast) {
        return false;
      }
      int guard = index.heap().epochs().enter();
      try {
        stripe
            .view(cursor)
            .scan(
                from,
                before,
                descending,
                (array, offset, length) -> {
                  portion.add(Arrays.copyOfRange(array, offset, offset + length));
                  return portion.size() < size;
                });
      } finally {
        index.heap().epochs().exit(guard);
      }
      if (index.isMoved()) {
        throw new RetryableHazelcastException("the index has moved meanwhile");
      }
      isLast = portion.size() < size;
      byte[] last = portion.peekLast();
      if (last == null) {
        return false;
      }
      if (descending) {
        before = last;
      } else {
        from = Arrays.copyOf(last, last.length + 1); // the string that follows
      }
      size = Math.min(MOST_PORTION, 2 * size);
      return true;
    }
  }
}
