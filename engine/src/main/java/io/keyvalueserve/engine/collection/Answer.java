package io.keyvalueserve.engine.collection;

import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an operation that may answer with many elements: bounded, as a short request could
 * ask for more than there is memory.
 */
final class Answer {
  private static final int MOST_BYTES = 16 << 20;

  /** An element counts as so many bytes beside its own. */
  private static final int ELEMENT_BYTES = 8;

  /** An answer has no more elements. */
  static final int MOST_ELEMENTS = MOST_BYTES / ELEMENT_BYTES;

  private final List<Element> elements = new ArrayList<>();
  private long bytes;

  /**
   * Adds a byte string, or no element for null.
   *
   * @return whether there is room for more
   */
  boolean add(@Nullable Bytes value) {
    bytes += ELEMENT_BYTES + (value == null ? 0 : value.length());
    if (bytes <= MOST_BYTES) {
      elements.add(value == null ? Element.Nothing.NOTHING : new Element.Text(value.toArray()));
    }
    return !isTooLong();
  }

  /**
   * Adds a floating point number.
   *
   * @return whether there is room for more
   */
  boolean add(double value) {
    bytes += ELEMENT_BYTES;
    if (bytes <= MOST_BYTES) {
      elements.add(new Element.Real(value));
    }
    return !isTooLong();
  }

  /** Returns whether it has become too long. */
  boolean isTooLong() {
    return bytes > MOST_BYTES;
  }

  /**
   * Puts the last group of elements first, and so on.
   *
   * @param size of each group
   */
  void reverse(int size) {
    for (int i = 0; size > 1 && i + size <= elements.size(); i += size) {
      Collections.reverse(elements.subList(i, i + size));
    }
    Collections.reverse(elements);
  }

  /** The elements, or a failure if they are too long. */
  Outcome outcome() {
    return isTooLong() ? tooLong() : new Outcome.Elements(elements);
  }

  /** The failure of an answer that would be too long. */
  static Failure tooLong() {
    return new Failure(
        Kind.TOO_COSTLY,
        "the answer would have more than " + MOST_BYTES + " bytes; ask for fewer elements");
  }
}
