package io.keyvalueserve.server;

import io.keyvalueserve.server.cli.KvsCommand;

/** The program {@code kvs}. */
public final class Main {
  private Main() {}

  /** Runs one command and ends with its exit code: 0 done, 1 failed, 2 bad usage. */
  public static void main(String[] arguments) {
    System.exit(KvsCommand.run(arguments));
  }
}
