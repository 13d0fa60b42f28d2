package io.keyvalueserve.engine.collection;

import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Rejected;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The operations on lists. An index below 0 counts from the end, where -1 is the last element.
 *
 * <p>An operation that answers one element answers an {@link Outcome.Entry}, or that it is missing.
 */
public enum ListOperation implements CollectionOperation {
  /** Puts elements before the first one, one after the other. Answers the size. */
  PUSH_FIRST(1, true, (list, arguments) -> push(list, arguments, true)),

  /** Puts elements behind the last one. Answers the size. */
  PUSH_LAST(2, true, (list, arguments) -> push(list, arguments, false)),

  /** Does the same as {@link #PUSH_FIRST} to a list that exists; else answers 0. */
  PUSH_FIRST_IF_PRESENT(
      3, true, (list, arguments) -> list.exists() ? push(list, arguments, true) : Outcome.of(0)),

  /** Does the same as {@link #PUSH_LAST} to a list that exists; else answers 0. */
  PUSH_LAST_IF_PRESENT(
      4, true, (list, arguments) -> list.exists() ? push(list, arguments, false) : Outcome.of(0)),

  /** Takes the first element out, and answers it. */
  POP_FIRST(5, true, (list, arguments) -> pop(list, true)),

  /** Takes the last element out, and answers it. */
  POP_LAST(6, true, (list, arguments) -> pop(list, false)),

  /** Takes elements out from the front: count. Answers them, or that there is no list. */
  POP_FIRST_MANY(7, true, (list, arguments) -> popMany(list, arguments, true)),

  /** Takes elements out from the end, the last one first: count. */
  POP_LAST_MANY(8, true, (list, arguments) -> popMany(list, arguments, false)),

  /** The number of elements. */
  SIZE(9, false, (list, arguments) -> Outcome.of(list.size())),

  /** The elements between two indexes, both included: first, last. */
  RANGE(10, false, ListOperation::range),

  /** The element at an index. */
  GET(
      11,
      false,
      (list, arguments) -> {
        long index = index(list, arguments.number(0));
        return index < 0 || index >= list.size() ? Outcome.Missing.MISSING : one(list.get(index));
      }),

  /** Replaces the element at an index. */
  SET(12, true, ListOperation::set),

  /**
   * Puts an element beside the first one that equals another: 1 for before it or 0 for behind it;
   * the other, the element. Answers the size, -1 if none equals it, and 0 if there is no list.
   */
  INSERT(13, true, ListOperation::insert),

  /**
   * Takes elements out that equal one: how many from the front, or, below 0, from the end; 0 for
   * all. Answers how many there were.
   */
  REMOVE(14, true, ListOperation::remove),

  /** Takes all elements out but those between two indexes: first, last. */
  TRIM(15, true, ListOperation::trim),

  /**
   * The indexes of elements that equal one: rank of the first that counts, from the end if below 0;
   * how many, 0 for all; among how many elements to look, 0 for all.
   */
  POSITIONS(16, false, ListOperation::positions),

  /**
   * Takes an element out at an end, and puts it in at an end: 1 for from the front, 1 for to the
   * front. Answers it.
   */
  ROTATE(17, true, ListOperation::rotate),

  /** Replaces all there is. Answers how many elements there are. */
  REPLACE(
      18,
      true,
      (list, arguments) -> {
        list.splice(0, 0, arguments.texts().stream().map(Bytes::of).toList());
        return Outcome.of(list.size());
      }) {
    @Override
    public boolean replaces() {
      return true;
    }
  };

  private static final ListOperation[] BY_CODE = values();

  private final int code;
  private final boolean writes;
  private final Body body;

  /** The work of an operation. */
  @FunctionalInterface
  private interface Body {
    Outcome run(ListView list, Arguments arguments);
  }

  ListOperation(int code, boolean writes, Body body) {
    this.code = code;
    this.writes = writes;
    this.body = body;
  }

  static @Nullable ListOperation ofCode(int code) {
    return CollectionType.ofCode(BY_CODE, code);
  }

  @Override
  public CollectionType type() {
    return CollectionType.LIST;
  }

  @Override
  public int code() {
    return code;
  }

  @Override
  public boolean writes() {
    return writes;
  }

  @Override
  public Outcome run(CollectionView view, Arguments arguments, long nowMillis) {
    return body.run((ListView) view, arguments);
  }

  private static Outcome one(Bytes element) {
    return new Outcome.Entry(element.toArray(), Expiry.NONE);
  }

  private static List<Bytes> texts(Arguments arguments) {
    List<Bytes> texts = new ArrayList<>(arguments.count());
    arguments.texts().forEach(text -> texts.add(Bytes.of(text)));
    return texts;
  }

  private static Outcome push(ListView list, Arguments arguments, boolean first) {
    List<Bytes> elements = texts(arguments);
    if (first) {
      Collections.reverse(elements);
    }
    list.splice(first ? 0 : list.size(), 0, elements);
    return Outcome.of(list.size());
  }

  private static Outcome pop(ListView list, boolean first) {
    if (list.size() == 0) {
      return Outcome.Missing.MISSING;
    }
    long index = first ? 0 : list.size() - 1;
    Bytes element = list.get(index);
    list.splice(index, 1, List.of());
    return one(element);
  }

  private static Outcome popMany(ListView list, Arguments arguments, boolean first) {
    if (!list.exists()) {
      return Outcome.Missing.MISSING;
    }
    long count = Math.min(arguments.number(0), list.size());
    long from = first ? 0 : list.size() - count;
    Answer answer = new Answer();
    list.visit(from, count, answer::add);
    if (!first) {
      answer.reverse(1);
    }
    if (count > 0 && !answer.isTooLong()) {
      list.splice(from, count, List.of());
    }
    return answer.outcome();
  }

  /** An index from the front; below 0 if it is before the first element. */
  private static long index(ListView list, long index) {
    return index < 0 ? list.size() + index : index;
  }

  private static Outcome range(ListView list, Arguments arguments) {
    long first = Math.max(0, index(list, arguments.number(0)));
    long last = Math.min(list.size() - 1, index(list, arguments.number(1)));
    Answer answer = new Answer();
    if (first <= last) {
      list.visit(first, last - first + 1, answer::add);
    }
    return answer.outcome();
  }

  private static Outcome set(ListView list, Arguments arguments) {
    if (!list.exists()) {
      return Rejected.NO_SUCH_KEY;
    }
    long index = index(list, arguments.number(0));
    if (index < 0 || index >= list.size()) {
      return Rejected.INDEX_OUT_OF_RANGE;
    }
    list.splice(index, 1, List.of(Bytes.of(arguments.text(0))));
    return Outcome.Applied.WITHOUT_PREVIOUS;
  }

  private static Outcome insert(ListView list, Arguments arguments) {
    if (!list.exists()) {
      return Outcome.of(0);
    }
    Bytes other = Bytes.of(arguments.text(0));
    Walk walk = new Walk();
    list.visit(
        0,
        list.size(),
        element -> {
          walk.found = element.equals(other);
          walk.passed += walk.found ? 0 : 1;
          return !walk.found;
        });
    if (!walk.found) {
      return Outcome.of(-1);
    }
    long pivot = walk.passed;
    boolean before = arguments.number(0) == 1;
    list.splice(before ? pivot : pivot + 1, 0, List.of(Bytes.of(arguments.text(1))));
    return Outcome.of(list.size());
  }

  private static Outcome remove(ListView list, Arguments arguments) {
    long count = arguments.number(0);
    Bytes wanted = Bytes.of(arguments.text(0));
    long most = count == 0 || count == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(count);
    List<Long> found = new ArrayList<>();
    Walk walk = new Walk();
    Predicate<Bytes> visitor =
        element -> {
          if (element.equals(wanted)) {
            found.add(count < 0 ? list.size() - 1 - walk.passed : walk.passed);
          }
          walk.passed++;
          return found.size() < most;
        };
    if (count < 0) {
      list.visitBackwards(visitor);
    } else {
      list.visit(0, list.size(), visitor);
    }
    if (!found.isEmpty()) {
      list.remove(count < 0 ? found.reversed() : found);
    }
    return Outcome.of(found.size());
  }

  private static Outcome trim(ListView list, Arguments arguments) {
    long size = list.size();
    long first = Math.max(0, index(list, arguments.number(0)));
    long last = Math.min(size - 1, index(list, arguments.number(1)));
    if (first > last) {
      first = size;
      last = size - 1;
    }
    if (last < size - 1) {
      list.splice(last + 1, size - 1 - last, List.of());
    }
    if (first > 0) {
      list.splice(0, first, List.of());
    }
    return Outcome.Applied.WITHOUT_PREVIOUS;
  }

  private static Outcome positions(ListView list, Arguments arguments) {
    Bytes wanted = Bytes.of(arguments.text(0));
    long rank = arguments.number(0);
    long most = arguments.number(1) == 0 ? Long.MAX_VALUE : arguments.number(1);
    long looks = arguments.number(2) == 0 ? Long.MAX_VALUE : arguments.number(2);
    long size = list.size();
    List<Element> found = new ArrayList<>();
    Walk walk = new Walk();
    Predicate<Bytes> visitor =
        element -> {
          if (element.equals(wanted) && ++walk.matched >= Math.abs(rank)) {
            found.add(Element.of(rank < 0 ? size - 1 - walk.passed : walk.passed));
          }
          walk.passed++;
          return walk.passed < looks && found.size() < most && found.size() <= Answer.MOST_ELEMENTS;
        };
    if (rank < 0) {
      list.visitBackwards(visitor);
    } else {
      list.visit(0, size, visitor);
    }
    return found.size() > Answer.MOST_ELEMENTS ? Answer.tooLong() : new Outcome.Elements(found);
  }

  private static Outcome rotate(ListView list, Arguments arguments) {
    if (list.size() == 0) {
      return Outcome.Missing.MISSING;
    }
    long from = arguments.number(0) == 1 ? 0 : list.size() - 1;
    Bytes element = list.get(from);
    list.splice(from, 1, List.of());
    list.splice(arguments.number(1) == 1 ? 0 : list.size(), 0, List.of(element));
    return one(element);
  }

  /** How far a walk over the elements has come. */
  private static final class Walk {
    private long passed;
    private long matched;
    private boolean found;
  }
}
