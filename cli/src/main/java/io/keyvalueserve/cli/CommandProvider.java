package io.keyvalueserve.cli;

/**
 * A command of {@code kvs} that another module brings along, found by the service loader. The
 * command line knows it when its jar is on the class path.
 */
public interface CommandProvider {
  /** A picocli command, new for each call. */
  Object command();
}
