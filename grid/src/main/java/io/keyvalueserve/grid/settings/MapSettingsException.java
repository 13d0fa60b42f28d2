package io.keyvalueserve.grid.settings;

/** A map's settings cannot be changed as asked. The message says why and what to do. */
public final class MapSettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final String field;

  /** The reasons for which settings cannot be changed. */
  public enum Kind {
    /** Two settings of the map contradict each other; nothing is changed. */
    CONTRADICTION,
    /** The map neither exists nor is set up. */
    NO_SUCH_MAP,
    /** The members have no disk. */
    NOTHING_ON_DISK,
    /** A member could not do it; what held before holds on all. */
    NOT_CARRIED_OUT,
    /** Some member has not done it in time; it goes on. */
    UNDER_WAY
  }

  /**
   * @param field which setting it is about, as the HTTP API names it
   */
  public MapSettingsException(Kind kind, String field, String message) {
    super(message, null, false, false);
    this.kind = kind;
    this.field = field;
  }

  /** Returns the setting that it is about, as the HTTP API names it. */
  public String field() {
    return field;
  }

  /** Returns the reason. */
  public Kind kind() {
    return kind;
  }
}
