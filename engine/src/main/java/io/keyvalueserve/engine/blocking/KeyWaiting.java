package io.keyvalueserve.engine.blocking;

/**
 * A wait at one or several keys, for the first of them that gets an element. It gets turns, one at
 * a time for each key: then it may take an element, before others that wait there. Each turn ends
 * with {@link #goOn} or {@link #end}.
 *
 * <p>Thread-safe. Does not block.
 */
public interface KeyWaiting {
  /** A wait that never gets a turn. */
  KeyWaiting NONE =
      new KeyWaiting() {
        @Override
        public void goOn(int index) {}

        @Override
        public void end(int taken) {}
      };

  /**
   * Gives a turn back without having taken anything. The wait keeps its place.
   *
   * @param index of the key whose turn it was
   */
  void goOn(int index);

  /**
   * Waits no more, at any key. Who waits behind gets the turn, where there may be more elements.
   *
   * @param taken the index of the key whose turn it was, and from which something was taken; -1 if
   *     nothing was
   */
  void end(int taken);
}
