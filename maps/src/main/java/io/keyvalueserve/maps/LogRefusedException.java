package io.keyvalueserve.maps;

import org.jspecify.annotations.Nullable;

/** The member's log takes no write. */
public final class LogRefusedException extends RefusedException {
  private static final long serialVersionUID = 1;
  private static final int MOST_CAUSES = 16;
  private static final String DISK_FULL =
      "the disk of the restart log is full: the write was not carried out; free space on it";

  private static final String MAKING_ROOM =
      "the disk of the restart log is full, and what it keeps for removals is used up: nothing was"
          + " removed; room is being made, try again";

  /**
   * A refusal.
   *
   * @param message says why and what to do
   */
  public LogRefusedException(String message) {
    super(message);
  }

  /** Returns the refusal of a write for which there is no space on the disk. */
  public static LogRefusedException diskFull() {
    return new LogRefusedException(DISK_FULL);
  }

  /** Returns the refusal of a removal for which room is being made. */
  public static LogRefusedException makingRoom() {
    return new LogRefusedException(MAKING_ROOM);
  }

  /** Returns whether the write was refused because the disk is full. */
  public boolean isDiskFull() {
    return DISK_FULL.equals(getMessage());
  }

  /** Returns whether a removal was refused because room for it is still being made. */
  public boolean isMakingRoom() {
    return MAKING_ROOM.equals(getMessage());
  }

  /** Returns the refusal that is an exception, or one of its causes; null if none is. */
  public static @Nullable LogRefusedException in(Throwable thrown) {
    Throwable each = thrown;
    for (int depth = 0; each != null && depth < MOST_CAUSES; depth++) {
      if (each instanceof LogRefusedException refused) {
        return refused;
      }
      each = each.getCause();
    }
    return null;
  }
}
