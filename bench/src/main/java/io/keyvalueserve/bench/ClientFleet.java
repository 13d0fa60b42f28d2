package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Real clients of one cluster, some dozens in each process. */
final class ClientFleet implements AutoCloseable {
  private static final int CLIENTS_PER_PROCESS = 32;
  private static final String HEAP = "-Xmx1g";
  private static final long THREAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Grid grid;
  private final Path folder;
  private final List<Crew> crews = new ArrayList<>();

  /** A process of clients. */
  private record Crew(Process process, BufferedWriter orders, BufferedReader answers) {}

  /**
   * @param grid whose clients they are
   * @param folder for their output
   */
  ClientFleet(Grid grid, Path folder) {
    this.grid = grid;
    this.folder = folder;
  }

  Grid grid() {
    return grid;
  }

  /** Makes clients until there are so many. */
  void grow(int clients) {
    while (crews.size() * CLIENTS_PER_PROCESS < clients) {
      crews.add(start(folder.resolve("clients-" + (crews.size() + 1) + ".log")));
    }
    for (int i = 0; i < crews.size(); i++) {
      int share = share(clients, i);
      if (share > 0) {
        order(crews.get(i), new ClientLoad.Order(grid.login(), share, null));
        answer(crews.get(i));
      }
    }
  }

  /**
   * Has clients work that are already there.
   *
   * @param leadNanos how long before what is seen counts
   * @param nanos how long it counts
   */
  Window run(ClientShape shape, Rounds rounds, long leadNanos, long nanos, long seed) {
    List<Crew> working = new ArrayList<>();
    int threads = shape.clients() * shape.threads();
    long from = System.nanoTime() + leadNanos + threads * THREAD_START_NANOS;
    long to = from + nanos;
    for (int i = 0; share(shape.clients(), i) > 0; i++) {
      ClientLoad.Work work =
          new ClientLoad.Work(
              shape.threads(),
              shape.mix(),
              rounds.entries(),
              rounds.valueBytes(),
              from,
              to,
              seed * 1_000_000 + i * 10_000L);
      working.add(crews.get(i));
      order(crews.get(i), new ClientLoad.Order(grid.login(), share(shape.clients(), i), work));
    }
    Clock.sleepUntil(from);
    long begin = System.nanoTime();
    Costs before = costs(working);
    Clock.sleepUntil(to);
    long end = System.nanoTime();
    // Nobody wakes up at the very moment: the costs are of a time a little shorter or longer.
    Costs costs = costs(working).since(before).times((double) nanos / (end - begin));
    List<Long> operations = new ArrayList<>();
    Histogram latencies = null;
    for (Crew crew : working) {
      ClientLoad.Done done = answer(crew);
      operations.addAll(done.operations());
      Histogram theirs = histogram(done.latencies());
      if (latencies == null) {
        latencies = theirs;
      } else {
        latencies.add(theirs);
      }
    }
    if (latencies == null) {
      throw new IllegalArgumentException("no client works: " + shape);
    }
    return new Window(operations, nanos, costs, Cores.ofLoad(), latencies);
  }

  private Costs costs(List<Crew> working) {
    long load = working.stream().mapToLong(crew -> Children.cpuNanos(crew.process)).sum();
    return Costs.now(grid.entry(), grid.companions(), load);
  }

  /** How many of the first clients a process has. */
  private static int share(int clients, int process) {
    return Math.clamp(clients - process * CLIENTS_PER_PROCESS, 0, CLIENTS_PER_PROCESS);
  }

  private static Crew start(Path log) {
    try {
      Files.createDirectories(log.resolveSibling(""));
      Process process =
          Children.start(
              new ProcessBuilder(
                      Children.java(
                          JvmOptions.with(List.of(HEAP)), ClientLoad.class.getName(), List.of()))
                  .redirectError(log.toFile()));
      return new Crew(process, process.outputWriter(), process.inputReader());
    } catch (IOException e) {
      throw new BenchException("no room for the clients' output: " + log, e);
    }
  }

  private static void order(Crew crew, ClientLoad.Order order) {
    try {
      crew.orders.write(JSON.writeValueAsString(order));
      crew.orders.newLine();
      crew.orders.flush();
    } catch (IOException e) {
      throw new BenchException("a process of clients ended by itself", e);
    }
  }

  private ClientLoad.Done answer(Crew crew) {
    try {
      for (String line; (line = crew.answers.readLine()) != null; ) {
        if (line.startsWith(ClientLoad.ANSWER)) {
          ClientLoad.Done done =
              JSON.readValue(line.substring(ClientLoad.ANSWER.length()), ClientLoad.Done.class);
          if (!done.failure().isEmpty()) {
            grid.entry().requireAlive();
            throw new BenchException(grid.name() + ": a client failed: " + done.failure());
          }
          return done;
        }
      }
    } catch (IOException e) {
      throw new BenchException("a process of clients does not answer", e);
    }
    throw new BenchException("a process of clients ended by itself; see " + folder);
  }

  private static Histogram histogram(String text) {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
    } catch (DataFormatException e) {
      throw new BenchException("a process of clients sent no histogram", e);
    }
  }

  @Override
  public void close() {
    crews.forEach(crew -> Children.end(crew.process));
  }
}
