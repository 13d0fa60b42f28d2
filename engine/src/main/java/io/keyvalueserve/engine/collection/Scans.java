package io.keyvalueserve.engine.collection;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.GlobMatcher;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answers of operations that list a collection some elements at a time. */
final class Scans {
  /** The steps that a pattern may take in one call, whatever the elements are. */
  private static final long MOST_STEPS = 1 << 22;

  /** A call ends soon when its elements have so many bytes. */
  private static final long MANY_BYTES = 1 << 20;

  private Scans() {}

  /** Lists elements from a cursor on. */
  @FunctionalInterface
  interface Source {
    /** Returns the cursor to go on with, 0 at the end. */
    long scan(long cursor, int count, Sink sink);
  }

  /** Takes elements. */
  @FunctionalInterface
  interface Sink {
    /**
     * The next element.
     *
     * @param name what the pattern is about
     * @param value what is listed behind it, or null for nothing
     * @return whether there is room for more
     */
    boolean accept(Bytes name, @Nullable Bytes value);
  }

  /**
   * The answer: the cursor, and a group.
   *
   * @param arguments a pattern, if there is any; a cursor, and about how many elements
   */
  static Outcome answer(Arguments arguments, Source source) {
    GlobMatcher matcher =
        new GlobMatcher(
            arguments.count() == 0 ? GlobPattern.ANY : new GlobPattern(arguments.text(0)));
    List<Element> elements = new ArrayList<>();
    Budget budget = new Budget(matcher);
    long cursor =
        source.scan(
            arguments.number(0),
            Math.clamp(arguments.number(1), 1, Integer.MAX_VALUE),
            (name, value) -> {
              budget.visited(name, value);
              if (budget.matches(name)) {
                elements.add(new Element.Text(name.toArray()));
                if (value != null) {
                  elements.add(new Element.Text(value.toArray()));
                }
              }
              return !budget.isFull();
            });
    if (matcher.isTooCostly()) {
      return new Failure(Kind.TOO_COSTLY, matcher.refusal());
    }
    if (budget.isUsed()) {
      return new Failure(
          Kind.TOO_COSTLY,
          "the pattern takes more than "
              + budget.most
              + " steps for the elements: use fewer or shorter texts between its '*' signs");
    }
    byte[] next = Long.toUnsignedString(cursor).getBytes(US_ASCII);
    return new Outcome.Elements(List.of(new Element.Text(next), new Element.Group(elements)));
  }

  /**
   * Matches the elements of one call, and ends when that takes too many steps together. Each byte
   * of an element allows some, so a simple pattern can be matched with any number of elements.
   */
  private static final class Budget {
    private final GlobMatcher matcher;
    private long most = MOST_STEPS;
    private long visitedBytes;

    Budget(GlobMatcher matcher) {
      this.matcher = matcher;
    }

    void visited(Bytes name, @Nullable Bytes value) {
      visitedBytes += name.length() + (value == null ? 0L : value.length());
    }

    boolean isFull() {
      return visitedBytes >= MANY_BYTES || isUsed();
    }

    boolean matches(Bytes name) {
      most += (long) GlobMatcher.STEPS_PER_BYTE * name.length();
      return !isUsed() && matcher.matches(name.array(), name.offset(), name.length());
    }

    boolean isUsed() {
      return matcher.steps() > most;
    }
  }
}
