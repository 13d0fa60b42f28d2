package io.keyvalueserve.grid.settings;

/**
 * The progress of a member with settings.
 *
 * @param why what the matter is; empty unless it has failed
 */
record SettingsProgress(State state, String why) {
  /** Something is still to be done. */
  static final SettingsProgress UNDER_WAY = new SettingsProgress(State.UNDER_WAY, "");

  /** They hold. */
  static final SettingsProgress DONE = new SettingsProgress(State.DONE, "");

  /** The states of a change. */
  enum State {
    UNDER_WAY,
    DONE,
    FAILED
  }

  static SettingsProgress failed(String why) {
    return new SettingsProgress(State.FAILED, why);
  }

  /** Returns this progress; the other one if nothing is left to be done here. */
  SettingsProgress and(SettingsProgress other) {
    return equals(DONE) ? other : this;
  }

  /** Returns the text that members send each other. */
  String text() {
    return state.name() + ':' + why;
  }

  static SettingsProgress ofText(String text) {
    int colon = text.indexOf(':');
    return new SettingsProgress(State.valueOf(text.substring(0, colon)), text.substring(colon + 1));
  }
}
