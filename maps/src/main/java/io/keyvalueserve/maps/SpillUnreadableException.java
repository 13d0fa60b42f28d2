package io.keyvalueserve.maps;

/** A value left memory for the disk, and cannot be read back. */
public final class SpillUnreadableException extends RefusedException {
  private static final long serialVersionUID = 1;

  /**
   * A refusal.
   *
   * @param message says which file, where in it, and why
   */
  SpillUnreadableException(String message) {
    super(message);
  }
}
