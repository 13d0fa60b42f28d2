package io.keyvalueserve.engine.collection;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of the answer of an operation on a collection. */
public sealed interface Element {
  /** No element. */
  enum Nothing implements Element {
    NOTHING
  }

  /** A byte string, which is not changed any more. */
  record Text(byte[] bytes) implements Element {}

  /** An integer. */
  record Whole(long value) implements Element {}

  /** A floating point number. */
  record Real(double value) implements Element {}

  /** Elements in order. */
  record Group(List<Element> elements) implements Element {}

  /** A byte string, or no element for null. */
  static Element of(byte @Nullable [] bytes) {
    return bytes == null ? Nothing.NOTHING : new Text(bytes);
  }

  /** An integer. */
  static Element of(long value) {
    return new Whole(value);
  }

  /** The bytes of the byte strings in them. */
  static int bytes(List<Element> elements) {
    long bytes = 0;
    for (Element element : elements) {
      bytes +=
          switch (element) {
            case Text text -> text.bytes().length;
            case Group group -> bytes(group.elements());
            case Nothing _, Whole _, Real _ -> Long.BYTES;
          };
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }
}
