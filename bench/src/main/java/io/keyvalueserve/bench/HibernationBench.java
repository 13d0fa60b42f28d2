package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kvs bench hibernation}: many tenants that leave memory, and come back. */
@Command(
    name = "hibernation",
    description = {
      "Measure what hibernated tenants leave in memory, and how soon they answer again.",
      "",
      "Creates tenants, writes ten entries for each, and hibernates it. Then some of them are asked"
          + " for a key, and a large one too. At last the server starts again."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class HibernationBench extends Bench {
  private static final int ENTRIES = 10;
  private static final int VALUE_BYTES = 100;
  private static final int LARGE_VALUE_BYTES = 1_000;
  private static final int LARGE_ROUNDS = 9;
  private static final int AT_ONCE = 4;
  private static final int PIPELINED = 100;
  private static final long SETTLING_SECONDS = 75;
  private static final String LARGE = "large";

  @Option(
      names = "--tenants",
      defaultValue = "10000",
      paramLabel = "N",
      description = "How many tenants. Default: ${DEFAULT-VALUE}")
  private int tenants;

  @Option(
      names = "--active",
      defaultValue = "1",
      paramLabel = "PERCENT",
      description = "How many of them are asked for a key. Default: ${DEFAULT-VALUE}")
  private int activePercent;

  @Option(
      names = "--mib",
      defaultValue = "10",
      paramLabel = "MIB",
      description = "The size of the large tenant. Default: ${DEFAULT-VALUE}")
  private int largeMib;

  @Option(
      names = "--heap",
      defaultValue = "512",
      paramLabel = "MIB",
      description = "The Java heap of the server. Default: ${DEFAULT-VALUE}")
  private int heapMib;

  private static final int LABEL = 44;

  private @Nullable Table table;

  @Override
  public Integer call() throws IOException {
    refuse(tenants < 100 || tenants > 1_000_000, "--tenants: use 100 to 1000000");
    refuse(activePercent < 1 || activePercent > 100, "--active: use 1 to 100");
    refuse(largeMib < 1 || largeMib > 10_000, "--mib: use 1 to 10000");
    Cores.moveLoad();
    Table figures =
        new Table(
            String.format(
                Locale.ROOT,
                "%d tenants with %d entries of %d B, heap %d MiB; %s; %s",
                tenants,
                ENTRIES,
                VALUE_BYTES,
                heapMib,
                Cores.describe(),
                Machine.describe()),
            LABEL,
            0);
    table = figures;
    Path folder = results.make().resolve("kvs");
    List<String> jvm = List.of("-Xms" + heapMib + "m", "-Xmx" + heapMib + "m");
    List<String> arguments =
        List.of("--durability", "everysec", "--memory", Math.max(256, 8 * largeMib) + "m");
    int active = Math.max(1, tenants * activePercent / 100);
    try (OwnServer server = OwnServer.found(folder, JvmOptions.with(jvm), arguments)) {
      String[] keys = fill(server);
      wake(server, keys, active);
      large(server);
    }
    long begun = System.nanoTime();
    try (OwnServer server =
        OwnServer.again(
            folder.resolveSibling("again"),
            folder.resolve("data"),
            JvmOptions.with(jvm),
            arguments)) {
      row("start, until ready", seconds(System.nanoTime() - begun));
      long asked = System.nanoTime();
      int listed = server.api().listTenants();
      row("list of " + listed + " tenants", millis(System.nanoTime() - asked));
    }
    tell(figures.toString());
    return 0;
  }

  private static String name(int i) {
    return String.format(Locale.ROOT, "t%06d", i);
  }

  /** Returns the access keys of the tenants, which are all hibernated afterwards. */
  private String[] fill(OwnServer server) {
    String[] keys = new String[tenants];
    each("tenants created", tenants, i -> keys[i] = server.api().newTenant(name(i)));
    settle();
    long before = server.process().liveHeapBytes();
    long begun = System.nanoTime();
    each(
        "tenants written and hibernated",
        tenants,
        i -> {
          write(server, name(i), keys[i], ENTRIES, VALUE_BYTES);
          server.api().hibernate(name(i));
        });
    row("a tenant written and hibernated", millis((System.nanoTime() - begun) / tenants));
    settle();
    long after = server.process().liveHeapBytes();
    row("Java heap left by a hibernated tenant", (after - before) / tenants + " B");
    return keys;
  }

  private void settle() {
    progress().say("waiting %d s: rates of the last minute are kept as long", SETTLING_SECONDS);
    Clock.sleepMillis(TimeUnit.SECONDS.toMillis(SETTLING_SECONDS));
  }

  private static void write(OwnServer server, String tenant, String key, int entries, int bytes) {
    String value = "v".repeat(bytes);
    try (RespConnection connection = connect(server, tenant, key)) {
      for (int from = 0; from < entries; from += PIPELINED) {
        int to = Math.min(entries, from + PIPELINED);
        for (int i = from; i < to; i++) {
          connection.add("SET", "k" + i, value);
        }
        connection.send();
        for (int i = from; i < to; i++) {
          RespReply _ = connection.read();
        }
      }
    } catch (IOException e) {
      throw new BenchException("writing for " + tenant + " failed", e);
    }
  }

  private static RespConnection connect(OwnServer server, String tenant, String key)
      throws IOException {
    return RespConnection.open(server.respPort(), List.of("AUTH", tenant, key));
  }

  private void wake(OwnServer server, String[] keys, int active) {
    long[] nanos = new long[active];
    for (int i = 0; i < active; i++) {
      int tenant = (int) ((long) i * tenants / active);
      nanos[i] = firstAnswer(server, name(tenant), keys[tenant], "k5");
    }
    Arrays.sort(nanos);
    row("first answer, median of " + active, millis(nanos[active / 2]));
    row("first answer, p99", millis(nanos[(int) (active * 0.99)]));
    row("first answer, longest", millis(nanos[active - 1]));
  }

  private void large(OwnServer server) {
    String key = server.api().newTenant(LARGE);
    int entries = (largeMib << 20) / LARGE_VALUE_BYTES;
    progress().say("writing %d MiB for one tenant", largeMib);
    write(server, LARGE, key, entries, LARGE_VALUE_BYTES);
    long[] first = new long[LARGE_ROUNDS];
    long[] whole = new long[LARGE_ROUNDS];
    for (int i = 0; i < LARGE_ROUNDS; i++) {
      server.api().hibernate(LARGE);
      long begun = System.nanoTime();
      first[i] = firstAnswer(server, LARGE, key, "k" + i * entries / LARGE_ROUNDS);
      while (!server.api().isAwake(LARGE)) {
        Clock.sleepMillis(1);
      }
      whole[i] = System.nanoTime() - begun;
    }
    Arrays.sort(first);
    Arrays.sort(whole);
    row("first answer of " + largeMib + " MiB, median", millis(first[LARGE_ROUNDS / 2]));
    row("first answer of " + largeMib + " MiB, longest", millis(first[LARGE_ROUNDS - 1]));
    row("all of " + largeMib + " MiB in memory, median", millis(whole[LARGE_ROUNDS / 2]));
  }

  private static long firstAnswer(OwnServer server, String tenant, String key, String entry) {
    try (RespConnection connection = connect(server, tenant, key)) {
      long begun = System.nanoTime();
      RespReply reply = connection.call("GET", entry);
      long nanos = System.nanoTime() - begun;
      if (!(reply instanceof RespReply.Bytes)) {
        throw new BenchException("tenant " + tenant + " was answered with " + reply);
      }
      return nanos;
    } catch (IOException e) {
      throw new BenchException("asking for " + tenant + " failed", e);
    }
  }

  private void each(String what, int count, IntConsumer work) {
    AtomicInteger next = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (int i = 0; i < AT_ONCE; i++) {
        running.add(
            threads.submit(
                () -> {
                  for (int at = next.getAndIncrement(); at < count; at = next.getAndIncrement()) {
                    work.accept(at);
                    int now = done.incrementAndGet();
                    if (now % Math.max(1, count / 10) == 0) {
                      progress().say("%s: %d of %d", what, now, count);
                    }
                  }
                }));
      }
      for (Future<?> each : running) {
        var _ = each.get();
      }
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    } catch (ExecutionException e) {
      throw new BenchException(what + " failed: " + e.getCause(), e);
    }
  }

  private void row(String what, String value) {
    progress().say("%s: %s", what, value);
    Objects.requireNonNull(table).row(what, value);
  }

  private static String millis(long nanos) {
    return Table.figure(nanos / 1e6, 1) + " ms";
  }

  private static String seconds(long nanos) {
    return Table.figure(nanos / 1e9, 2) + " s";
  }
}
