package io.keyvalueserve.bench;

import java.nio.ByteBuffer;
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

  private final Grid grid;
  private final Path folder;
  private final List<OrderedProcess> crews = new ArrayList<>();

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
      crews.add(
          new OrderedProcess(
              folder.resolve("clients-" + (crews.size() + 1) + ".log"),
              List.of(),
              HEAP,
              ClientLoad.class));
    }
    for (int i = 0; i < crews.size(); i++) {
      int share = share(clients, i);
      if (share > 0) {
        crews.get(i).send(new ClientLoad.Order(grid.login(), share, null));
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
    List<OrderedProcess> working = new ArrayList<>();
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
      crews.get(i).send(new ClientLoad.Order(grid.login(), share(shape.clients(), i), work));
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
    for (OrderedProcess crew : working) {
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

  private Costs costs(List<OrderedProcess> working) {
    long load = working.stream().mapToLong(OrderedProcess::cpuNanos).sum();
    return Costs.now(grid.entry(), grid.companions(), load);
  }

  /** How many of the first clients a process has. */
  private static int share(int clients, int process) {
    return Math.clamp(clients - process * CLIENTS_PER_PROCESS, 0, CLIENTS_PER_PROCESS);
  }

  private ClientLoad.Done answer(OrderedProcess crew) {
    ClientLoad.Done done = crew.answer(ClientLoad.Done.class);
    if (!done.failure().isEmpty()) {
      grid.entry().requireAlive();
      throw new BenchException(grid.name() + ": a client failed: " + done.failure());
    }
    return done;
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
    crews.forEach(OrderedProcess::close);
  }
}
