package io.keyvalueserve.engine;

import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import java.util.List;

/**
 * The entries as a transaction sees them: as they were when it began, with its own changes.
 *
 * <p>For the thread that runs the body, during the run.
 */
public interface TransactionView {
  /**
   * Carries a command out. Later commands of the body see its effect, and others see it when the
   * transaction has ended.
   *
   * @param map a map of the space that runs the transaction, one that was granted included
   * @return the outcome; a failure if the command is refused for want of a grant
   * @throws NotAtHand if the key has to be locked, or a page of its value read first; the body must
   *     let it pass
   */
  Outcome execute(KeyMap map, KeyCommand command);

  /**
   * Copies an entry, with its value as it is and its expiry, to a key of this or another map.
   *
   * @param replace whether an entry under the new key is replaced
   * @throws NotAtHand as {@link #execute}
   * @throws EngineException if it is refused for want of a grant; the body may catch it
   */
  MoveOutcome copy(KeyMap source, byte[] from, KeyMap target, byte[] to, boolean replace);

  /**
   * Has keys locked at once that the body is about to ask for: this takes one run more in all,
   * where asking for one after the other takes a run for each.
   *
   * @param map a map of the space that runs the transaction
   * @param keys the keys; the caller has checked the grants of its commands on them ({@link
   *     KeyMap#refusal})
   * @throws KeyNeeded if some have to be locked first; the body must let it pass
   */
  default void need(KeyMap map, List<byte[]> keys) {}

  /**
   * The last thing that {@link #execute} has done to an entry.
   *
   * @param existed whether there was an entry before
   */
  record Change(boolean existed, Transition.Effect effect) {
    /** Nothing. */
    public static final Change NONE = new Change(false, Transition.Effect.NOTHING);
  }

  /** Returns what the last {@link #execute} of this view has done. It says nothing of a failure. */
  default Change lastChange() {
    return Change.NONE;
  }

  /** Returns the time of the transaction, in milliseconds since 1970: the same for all commands. */
  long nowMillis();

  /**
   * Returns the time, as {@link System#nanoTime} tells it, at which the body has to give up by
   * throwing {@link DeadlinePassed}; 0 if it may take its time. A run with a deadline holds up the
   * thread of the caller and all users of its partitions. A body that may take more than a few
   * microseconds looks at it now and then. After it gave up, it runs again without a deadline, on
   * another thread, with only its keys locked.
   */
  default long deadlineNanos() {
    return 0;
  }
}
