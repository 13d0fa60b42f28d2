package io.keyvalueserve.gates.peer;

import org.jspecify.annotations.Nullable;

/**
 * Peers in the order in which they came. All operations take the same short time, however many
 * there are, and allocate nothing. Not thread-safe.
 */
final class PeerList {
  /** A peer's place in one list. */
  static final class Place {
    private final Peer peer;
    private @Nullable PeerList list;
    private @Nullable Place before;
    private @Nullable Place after;

    Place(Peer peer) {
      this.peer = peer;
    }

    boolean isTaken() {
      return list != null;
    }
  }

  private @Nullable Place first;
  private @Nullable Place last;

  /** Returns the one that came first; null if there is none. */
  @Nullable Peer first() {
    Place place = first;
    return place == null ? null : place.peer;
  }

  /** Adds a peer behind all others. Its place has to be free. */
  void add(Place place) {
    Place end = last;
    place.list = this;
    place.before = end;
    if (end == null) {
      first = place;
    } else {
      end.after = place;
    }
    last = place;
  }

  /** Removes a peer; does nothing if it is not in the list. */
  void remove(Place place) {
    if (place.list != this) {
      return;
    }
    Place before = place.before;
    Place after = place.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
    place.list = null;
    place.before = null;
    place.after = null;
  }
}
