package io.keyvalueserve.cli;

import java.util.Locale;

/** The program {@code kvs}. */
public final class Main {
  private Main() {}

  /** Runs one command and ends with its exit code: 0 done, 1 failed, 2 bad usage. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT); // names, numbers and messages are the same everywhere
    System.exit(KvsCommand.run(arguments));
  }
}
