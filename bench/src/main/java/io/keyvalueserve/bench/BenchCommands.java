package io.keyvalueserve.bench;

import io.keyvalueserve.cli.CommandProvider;

/** Brings {@code kvs bench} to the command line. */
public final class BenchCommands implements CommandProvider {
  @Override
  public Object command() {
    return new BenchCommand();
  }
}
