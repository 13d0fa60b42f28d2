package io.keyvalueserve.cli;

import io.keyvalueserve.server.ServedMember;
import io.keyvalueserve.server.StartException;
import io.keyvalueserve.server.config.ServerConfig;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a server until it is told to end. */
@Command(
    name = "serve",
    description = "Runs a server: a cluster of its own, or a member of one.",
    mixinStandardHelpOptions = true)
final class ServeCommand implements Runnable {
  private static final int TRIES = 10;

  @Spec private CommandSpec spec;
  @Mixin private ServerOptions options;

  @Option(
      names = "--exit-when-ready",
      hidden = true,
      description =
          "End in order as soon as the server is ready: to measure and to train start-up.")
  private boolean exitWhenReady;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    ServedMember server = start(out);
    server.describe().forEach(out::println);
    out.println("ready after " + uptime().toMillis() + " ms; Ctrl-C ends it");
    out.flush();
    if (exitWhenReady) {
      server.close();
      return;
    }
    ServedServer served =
        new ServedServer(
            server,
            line -> {
              out.println(line);
              out.flush();
            });
    EndSignal signal =
        EndSignal.onEnd(
            () -> {
              out.println("ending: finishing what was admitted, leaving the cluster");
              out.flush();
              served.end();
            });
    try {
      served.serve();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      served.end();
      signal.disarm();
    }
  }

  /** Tries again if the cluster has changed meanwhile, as it does when several members start. */
  private ServedMember start(PrintWriter out) {
    ServerConfig config = options.read();
    for (int left = TRIES; ; left--) {
      try {
        return ServedMember.start(config);
      } catch (StartException e) {
        if (!e.passes() || left == 1) {
          throw e;
        }
        out.println("cannot start yet: " + e.getMessage() + "; trying again");
        out.flush();
      }
    }
  }

  private static Duration uptime() {
    return Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
  }
}
