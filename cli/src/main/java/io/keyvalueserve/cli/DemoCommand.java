package io.keyvalueserve.cli;

import io.keyvalueserve.server.Server;
import io.keyvalueserve.server.config.ConfigReader;
import io.keyvalueserve.server.config.ServerConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the service at work: a member, two tenants, and a live load of each. */
@Command(
    name = "demo",
    description =
        "Runs a member on which two sample tenants live, are metered and billed, and says where its"
            + " console is, until Ctrl-C.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Runnable {
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
      DemoTenants tenants = DemoTenants.create(server.administration());
      explain(out, server, tenants);
      try (DemoLoad load = DemoLoad.start(server.respPort(), tenants)) {
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

  private static void explain(PrintWriter out, Server server, DemoTenants tenants) {
    String url = "http://127.0.0.1:" + server.httpPort();
    out.println();
    out.println("console:   " + url + "/   (sign in with one of these keys)");
    out.println("  operator " + operatorKey(server));
    out.println("  acme     " + tenants.acmeKey());
    out.println("  globex   " + tenants.globexKey());
    out.println();
    out.println(
        "globex may read acme's orders that begin with '"
            + DemoTenants.SHARED
            + "', may do "
            + DemoTenants.GLOBEX_OPERATIONS
            + " operations a second,\ntries to do more, and may spend "
            + DemoTenants.GLOBEX_CAP
            + " USD in a month.");
    out.println();
    out.println("operator:  export KVS_URL=" + url + " KVS_KEY=" + operatorKey(server));
    out.println(
        "           ./kvs top   ./kvs bill show acme   ./kvs usage globex   ./kvs tenant list");
    out.println();
    out.println("Redis:     redis-cli -p " + server.respPort() + " --no-auth-warning \\");
    out.println("             --user globex/acme/orders --pass " + tenants.globexKey());
    out.println();
    out.println("Python (pip install hazelcast-python-client):");
    out.println("  import hazelcast");
    out.println(
        "  client = hazelcast.HazelcastClient(cluster_name='kvs', cluster_members=['127.0.0.1:"
            + server.clientPort()
            + "'],");
    out.println("      creds_username='acme', creds_password='" + tenants.acmeKey() + "')");
    out.println("  print(client.get_map('orders').blocking().size())");
    out.println();
    out.flush();
  }

  /** The demonstration's own, which is gone with it. */
  private static String operatorKey(Server server) {
    try {
      return Files.readString(Objects.requireNonNull(server.operatorKey())).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("the operator's key cannot be read", e);
    }
  }

  private static ServerConfig config(Path data, PrintWriter out) {
    Map<String, String> flags = new LinkedHashMap<>();
    flags.put("data", data.toString());
    flags.put("log-level", "warn");
    flags.put("usage.interval-seconds", "1"); // so that bills grow while one looks
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
