package io.keyvalueserve.engine.collection;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A hash: fields and their values, in no order that matters. */
public interface HashView extends CollectionView {
  /** The value of a field, or null if there is none, or it has expired. */
  @Nullable Field get(Bytes field);

  /**
   * Writes a field.
   *
   * @param expireAtMillis a time to come, or {@link io.keyvalueserve.engine.Expiry#NONE}
   * @return whether it is new
   */
  boolean put(Bytes field, Bytes value, long expireAtMillis);

  /** Removes a field; returns whether it was there. */
  boolean remove(Bytes field);

  /**
   * Visits fields.
   *
   * @param cursor 0 to begin, then what the call before returned
   * @param count about how many: a hint
   * @param visitor returns false if the call is to end soon: a hint too
   * @return where to go on, 0 at the end
   */
  long scan(long cursor, int count, Visitor visitor);

  /** Visits all fields, or those up to the first for which the visitor returns false. */
  void forEach(Visitor visitor);

  /** Returns the fields, to choose some from. */
  default Places<Field> places() {
    List<Field> all = new ArrayList<>();
    forEach(all::add);
    return Places.of(all);
  }

  /** Takes fields. */
  @FunctionalInterface
  interface Visitor {
    /** Takes the next field; returns whether to go on. */
    boolean visit(Field field);
  }

  /**
   * A field.
   *
   * @param expireAtMillis when it expires, or {@link io.keyvalueserve.engine.Expiry#NONE}
   */
  record Field(Bytes name, Bytes value, long expireAtMillis) {}
}
