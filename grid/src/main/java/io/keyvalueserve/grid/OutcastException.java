package io.keyvalueserve.grid;

/** The cluster goes on without this member while it starts: it has to start again, to join. */
final class OutcastException extends RuntimeException {
  private static final long serialVersionUID = 1;

  OutcastException() {
    super("the cluster goes on without this member");
  }
}
