package io.keyvalueserve.maps;

/** The member has started, and has not loaded yet what was asked for. */
public final class LoadingException extends RefusedException {
  private static final long serialVersionUID = 1;

  /** A refusal. */
  public LoadingException() {
    super(
        "the member is loading its entries from the disk and has not come to this one: try again");
  }
}
