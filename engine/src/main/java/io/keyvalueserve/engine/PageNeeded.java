package io.keyvalueserve.engine;

/**
 * Ends the run of a transaction's body, because it asked for a page of a large collection that is
 * not at hand. The engine reads the page and runs the body again.
 */
public final class PageNeeded extends NotAtHand {
  private static final long serialVersionUID = 1L;

  /** Makes one. Which page it is, is known to the view that the body asked. */
  public PageNeeded() {
    super("a page has to be read first");
  }
}
