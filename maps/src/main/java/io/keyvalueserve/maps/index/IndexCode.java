package io.keyvalueserve.maps.index;

import com.hazelcast.query.impl.CompositeValue;
import org.jspecify.annotations.Nullable;

/**
 * Writes what an index keeps of an entry as bytes: the value of its attribute, or of each of
 * several.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class IndexCode {
  private final AttributeCode attribute;
  private final int components;

  IndexCode(boolean ordered, int components) {
    this.attribute = new AttributeCode(ordered);
    this.components = components;
  }

  int components() {
    return components;
  }

  /**
   * Writes a value.
   *
   * @param families takes the family of each component
   * @return whether it could be written
   */
  boolean put(@Nullable Object value, CodeWriter out, int[] families) {
    if (components == 1) {
      families[0] = attribute.put(value, out);
      return families[0] != AttributeCode.NONE;
    }
    if (!(value instanceof CompositeValue composite)) {
      return false;
    }
    Comparable[] parts = composite.getComponents();
    for (int i = 0; i < components; i++) {
      families[i] = attribute.put(parts[i], out);
      if (families[i] == AttributeCode.NONE) {
        return false;
      }
    }
    return true;
  }

  boolean mayMix(int family, int other) {
    return attribute.mayMix(family, other);
  }

  /** Reads a value that Hazelcast finds the same as that which was written. */
  Comparable get(byte[] array, int from) {
    CodeReader in = new CodeReader().over(array, from);
    if (components == 1) {
      return attribute.get(in);
    }
    Comparable[] parts = new Comparable[components];
    for (int i = 0; i < components; i++) {
      parts[i] = attribute.get(in);
    }
    return new CompositeValue(parts);
  }

  /** Returns the offset at which a value ends. */
  int end(byte[] array, int from, CodeReader in) {
    CodeReader reader = in.over(array, from);
    for (int i = 0; i < components; i++) {
      attribute.skip(reader);
    }
    return reader.at();
  }
}
