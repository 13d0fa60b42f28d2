package io.keyvalueserve.engine.collection;

import io.keyvalueserve.engine.Current;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.engine.Transition;

/**
 * The effect of a command on a collection: a pure function of the collection, its arguments and the
 * time. One that is random has a seed among its arguments.
 */
public interface CollectionOperation {
  /** The type of collections that it is for. */
  CollectionType type();

  /** Its code among those of its type: on the wire, so it stays. */
  int code();

  /** Returns whether it can change the collection. */
  boolean writes();

  /**
   * Returns whether it makes the collection anew: whatever the key has before, of any type, is
   * replaced, its expiry included.
   */
  default boolean replaces() {
    return false;
  }

  /**
   * Runs it.
   *
   * @param view of the operation's type
   * @return a {@link Outcome.Rejected} or a {@link Failure} if nothing is to be changed, whatever
   *     the view was told
   */
  Outcome run(CollectionView view, Arguments arguments, long nowMillis);

  /**
   * Decides what it does to an entry.
   *
   * @param mostBytes the largest collection that it may build, in bytes as it is stored; {@link
   *     Integer#MAX_VALUE} for any
   */
  default Transition apply(Current current, Arguments arguments, int mostBytes, long nowMillis) {
    boolean exists = current.exists();
    CollectionValue before = exists ? current.collection() : null;
    CollectionValue found = replaces() ? null : before;
    if (exists && !replaces() && (found == null || found.type() != type())) {
      return Transition.nothing(Outcome.Rejected.WRONG_TYPE);
    }
    PageSource pages = current.pages();
    if (found != null && found.isPaged() && pages == null) {
      return Transition.nothing(
          new Failure(
              Kind.INTERNAL,
              "the elements of this "
                  + type().title()
                  + " cannot be read here; nothing was changed"));
    }
    try {
      boolean large = writes() && arguments.bytes() > LargeCollections.MOST_PACKED_BYTES;
      StoredCollection view = StoredForm.open(type(), found, pages, large, nowMillis);
      boolean isNew = found == null || view.size() == 0; // all that it had may have expired
      Outcome outcome = run(view, arguments, nowMillis);
      if (outcome instanceof Outcome.Rejected || outcome instanceof Failure) {
        return Transition.nothing(outcome);
      }
      if (writes()) {
        view.reap();
      }
      if (!writes() || !(view.isChanged() || replaces())) {
        return exists ? Transition.access(outcome) : Transition.nothing(outcome);
      }
      if (view.size() == 0) {
        return exists ? Transition.remove(outcome) : Transition.nothing(outcome);
      }
      StoredForm form = StoredForm.of(view, before, replaces(), pages);
      long limit = mostBytes == Integer.MAX_VALUE ? Long.MAX_VALUE : mostBytes;
      if (form.bytes() > limit && (found == null || form.bytes() > StoredForm.bytes(found))) {
        return Transition.nothing(tooLarge(form.bytes(), mostBytes));
      }
      return Transition.put(
          form.value(), form.pages(), isNew ? Expiry.NONE : current.expireAtMillis(), outcome);
    } catch (CollectionTooLargeException e) {
      return Transition.nothing(tooLarge(e.bytes(), mostBytes));
    } catch (CorruptCollectionException e) {
      return Transition.nothing(
          new Failure(
              Kind.INTERNAL,
              "the bytes of this "
                  + type().title()
                  + " are damaged ("
                  + e.getMessage()
                  + "); nothing was changed; remove the key, or write it anew"));
    }
  }

  private Failure tooLarge(long bytes, int mostBytes) {
    return new Failure(
        Kind.TOO_COSTLY,
        "the "
            + type().title()
            + " would take "
            + bytes
            + " bytes, more than the limit of "
            + mostBytes
            + " bytes ('resp.max-collection'); nothing was changed");
  }
}
