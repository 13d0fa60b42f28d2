package io.keyvalueserve.bench;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kvs bench}. */
@Command(
    name = "bench",
    description = "Measure this product beside its peers, on this machine.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      MemoryBench.class,
      HibernationBench.class,
      PeersBench.class,
      ClientsBench.class,
      QueriesBench.class,
      StormBench.class,
      CrashBench.class,
      RestartBench.class,
      IsolationBench.class,
      HitsBench.class,
      HostileBench.class
    })
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which bench? See below.");
  }
}
