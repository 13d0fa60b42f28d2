package io.keyvalueserve.server.cli;

import io.keyvalueserve.server.Server;
import io.keyvalueserve.server.config.ConfigReader;
import io.keyvalueserve.server.config.ServerConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the service at work: a member, two tenants, and a live load of each. */
@Command(
    name = "demo",
    description = "Runs a member with two sample tenants under a small live load, until Ctrl-C.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Runnable {
  private static final List<String> TENANTS = List.of("acme", "globex");

  @Spec private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "0",
      description = "End by itself after N seconds. Default: not before Ctrl-C")
  private int seconds;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    EndSignal signal =
        EndSignal.onEnd(
            () -> {
              end.countDown();
              awaitQuietly(ended);
            });
    try (TemporaryDirectory data = new TemporaryDirectory("kvs-demo");
        Server server = Server.start(config(data.path(), out))) {
      server.describe().forEach(out::println);
      Map<String, String> keys = createTenants(server);
      explain(out, server, keys);
      try (DemoLoad load = DemoLoad.start(server.respPort(), keys)) {
        show(out, load, end);
      }
      out.println();
      out.println("ending");
      out.flush();
    } finally {
      ended.countDown();
      signal.disarm();
    }
  }

  private void show(PrintWriter out, DemoLoad load, CountDownLatch end) {
    boolean terminal = System.console() != null && System.console().isTerminal();
    try {
      for (int second = 1; seconds == 0 || second <= seconds; second++) {
        if (end.await(1, TimeUnit.SECONDS)) {
          return;
        }
        String line = load.line();
        if (terminal) {
          out.print("\r" + line + "   ");
        } else {
          out.println(line);
        }
        out.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Map<String, String> createTenants(Server server) {
    Map<String, String> keys = new LinkedHashMap<>();
    for (String tenant : TENANTS) {
      keys.put(tenant, server.createTenant(tenant));
    }
    return keys;
  }

  private static void explain(PrintWriter out, Server server, Map<String, String> keys) {
    out.println();
    keys.forEach(
        (tenant, key) ->
            out.println(
                "redis-cli -p "
                    + server.respPort()
                    + " --user "
                    + tenant
                    + " --pass "
                    + key
                    + " --no-auth-warning"));
    out.println();
    out.println("Python (pip install hazelcast-python-client):");
    out.println("  import hazelcast");
    out.println(
        "  client = hazelcast.HazelcastClient(cluster_name='kvs', cluster_members=['127.0.0.1:"
            + server.clientPort()
            + "'],");
    out.println(
        "      creds_username='acme', creds_password='" + keys.getOrDefault("acme", "") + "')");
    out.println("  print(client.get_map('default').blocking().size())");
    out.println();
    out.println(
        "operator:  ./kvs tenant list --url http://127.0.0.1:"
            + server.httpPort()
            + " --key-file "
            + server.operatorKey());
    out.println(
        "console:   http://127.0.0.1:"
            + server.httpPort()
            + "/ (sign in with the operator's key in"
            + " that file, or one of the keys above)");
    out.println();
    out.flush();
  }

  private static ServerConfig config(Path data, PrintWriter out) {
    Map<String, String> flags = new LinkedHashMap<>();
    flags.put("data", data.toString());
    flags.put("log-level", "warn");
    Map<String, Integer> ports =
        Map.of("resp-port", 6379, "http-port", 8080, "client-port", 5701, "member-port", 5801);
    ports.forEach(
        (setting, port) -> {
          if (!isFree(port)) {
            out.println(setting + " " + port + " is taken: using a free one");
            flags.put(setting, "0");
          }
        });
    return ConfigReader.read(null, flags);
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return probe.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
