package io.keyvalueserve.grid.restart;

/**
 * The cluster runs, and takes the member for what it was before it went down: as that it would have
 * partitions that it no longer has the data of. It has to start again, as a member that the cluster
 * does not know.
 */
public final class AnotherIdentityException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Runnable remedy;

  AnotherIdentityException(Runnable remedy) {
    super("the cluster has not yet noticed that this member went down");
    this.remedy = remedy;
  }

  /** Gives it another id. */
  public void becomeAnother() {
    remedy.run();
  }
}
