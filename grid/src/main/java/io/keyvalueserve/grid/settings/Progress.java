package io.keyvalueserve.grid.settings;

/**
 * The progress of a member with settings.
 *
 * @param why what the matter is; empty unless it has failed
 */
record Progress(State state, String why) {
  /** Something is still to be done. */
  static final Progress UNDER_WAY = new Progress(State.UNDER_WAY, "");

  /** They hold. */
  static final Progress DONE = new Progress(State.DONE, "");

  /** The states of a change. */
  enum State {
    UNDER_WAY,
    DONE,
    FAILED
  }

  static Progress failed(String why) {
    return new Progress(State.FAILED, why);
  }

  /** Returns the text that members send each other. */
  String text() {
    return state.name() + ':' + why;
  }

  static Progress ofText(String text) {
    int colon = text.indexOf(':');
    return new Progress(State.valueOf(text.substring(0, colon)), text.substring(colon + 1));
  }
}
