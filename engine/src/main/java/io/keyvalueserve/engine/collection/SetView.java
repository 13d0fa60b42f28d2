package io.keyvalueserve.engine.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A set: members, each once, in no order that matters. */
public interface SetView extends CollectionView {
  /** Returns whether it is a member. */
  boolean contains(Bytes member);

  /** Adds a member; returns whether it is new. */
  boolean add(Bytes member);

  /** Removes a member; returns whether it was one. */
  boolean remove(Bytes member);

  /**
   * Visits members.
   *
   * @param cursor 0 to begin, then what the call before returned
   * @param count about how many: a hint
   * @param visitor returns false if the call is to end soon: a hint too
   * @return where to go on, 0 at the end
   */
  long scan(long cursor, int count, Predicate<Bytes> visitor);

  /** Visits all members, or those up to the first for which the visitor returns false. */
  void forEach(Predicate<Bytes> visitor);

  /** Returns the members, to choose some from. */
  default Places<Bytes> places() {
    List<Bytes> all = new ArrayList<>();
    forEach(all::add);
    return Places.of(all);
  }
}
