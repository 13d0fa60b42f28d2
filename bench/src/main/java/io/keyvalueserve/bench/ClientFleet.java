package io.keyvalueserve.bench;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Real clients of one cluster, some dozens in each process. */
final class ClientFleet implements AutoCloseable {
  private static final int CLIENTS_PER_PROCESS = 32;
  private static final String HEAP = "-Xmx1g";
  private static final long THREAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Grid grid;
  private final Path folder;
  private final Function<Path, OrderedProcess> maker;
  private final List<OrderedProcess> crews = new ArrayList<>();

  /** Says what a process of clients is to do. */
  interface Orders {
    /**
     * @param process its number, from 0
     * @param clients how many of its clients work
     * @param from when operations begin to count, in the time of {@link System#nanoTime}
     * @param to when they end to count
     */
    Object of(int process, int clients, long from, long to);
  }

  /**
   * @param grid whose clients they are
   * @param folder for their output
   */
  ClientFleet(Grid grid, Path folder) {
    this(grid, folder, log -> new OrderedProcess(log, List.of(), HEAP, ClientLoad.class));
  }

  /**
   * @param maker starts a process of clients, whose log is given
   */
  ClientFleet(Grid grid, Path folder, Function<Path, OrderedProcess> maker) {
    this.grid = grid;
    this.folder = folder;
    this.maker = maker;
  }

  Grid grid() {
    return grid;
  }

  /**
   * Makes clients until there are so many.
   *
   * @param order has a process make so many
   */
  void grow(int clients, IntFunction<Object> order) {
    while (crews.size() * CLIENTS_PER_PROCESS < clients) {
      crews.add(maker.apply(folder.resolve("clients-" + (crews.size() + 1) + ".log")));
    }
    for (int i = 0; i < crews.size(); i++) {
      int share = share(clients, i);
      if (share > 0) {
        crews.get(i).send(order.apply(share));
        answer(crews.get(i));
      }
    }
  }

  /** Has the first process do something, and waits until it has. */
  void have(Object order) {
    crews.getFirst().send(order);
    answer(crews.getFirst());
  }

  /**
   * Has clients work that are already there.
   *
   * @param threads of all clients together
   * @param leadNanos how long before what is seen counts
   * @param nanos how long it counts
   */
  Window run(int clients, int threads, Orders orders, long leadNanos, long nanos) {
    List<OrderedProcess> working = new ArrayList<>();
    long from = System.nanoTime() + leadNanos + threads * THREAD_START_NANOS;
    long to = from + nanos;
    for (int i = 0; share(clients, i) > 0; i++) {
      working.add(crews.get(i));
      crews.get(i).send(orders.of(i, share(clients, i), from, to));
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
      throw new IllegalArgumentException("no client works");
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
