package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A process of real Hazelcast clients. It takes orders, a line of JSON each, from its standard
 * input and answers each with a line on its standard output; it ends when there are no more.
 */
final class ClientLoad {
  /** What begins an answer: other lines are a library's. */
  static final String ANSWER = "answer ";

  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final int DIGITS = 2;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * What to do.
   *
   * @param login where clients that are to be made connect
   * @param clients how many there shall be, or how many shall work
   * @param work what they do; null if they are only to be there
   */
  record Order(Login login, int clients, @Nullable Work work) {}

  /**
   * Operations of clients.
   *
   * @param threads of each client
   * @param mix what they do
   * @param entries how many keys there are
   * @param valueBytes the size of a value
   * @param from when operations begin to count, in the time of {@link System#nanoTime}, which
   *     processes share
   * @param to when they end to count
   * @param seed of what is random
   */
  record Work(int threads, Mix mix, int entries, int valueBytes, long from, long to, long seed) {}

  /**
   * What was done.
   *
   * @param failure why it was not; empty if it was
   * @param operations that counted, of each client
   * @param latencies of them all, a compressed histogram of nanoseconds in Base64
   */
  record Done(String failure, List<Long> operations, String latencies) {}

  private final List<HazelcastInstance> clients = new ArrayList<>();
  private final PrintStream out;

  /** What takes long to make is kept from one order to the next: keys by their numbers. */
  private String[] names = {};

  private final Map<Mix, Keys> distributions = new HashMap<>();

  private ClientLoad(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] arguments) throws IOException {
    ClientLoad load = new ClientLoad(System.out);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = orders.readLine()) != null; ) {
      load.answer(load.follow(JSON.readValue(line, Order.class)));
    }
    HazelcastClient.shutdownAll();
  }

  private void answer(Done done) throws IOException {
    out.println(ANSWER + JSON.writeValueAsString(done));
    out.flush();
  }

  private Done follow(Order order) {
    try {
      while (clients.size() < order.clients) {
        clients.add(HazelcastClient.newHazelcastClient(order.login.config()));
      }
      Work work = order.work;
      return work == null
          ? new Done("", List.of(), "")
          : run(clients.subList(0, order.clients), work);
    } catch (RuntimeException e) {
      return new Done(e.toString(), List.of(), "");
    }
  }

  private Done run(List<HazelcastInstance> working, Work work) {
    prepare(work);
    Keys keys = Objects.requireNonNull(distributions.get(work.mix));
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<List<Worker>> workers = new ArrayList<>();
    for (HazelcastInstance client : working) {
      IMap<String, byte[]> map = client.getMap("bench");
      List<Worker> own = new ArrayList<>();
      for (int i = 0; i < work.threads; i++) {
        long seed = work.seed + (long) workers.size() * work.threads + i;
        own.add(new Worker(map, keys, names, work, new SplittableRandom(seed), failure));
      }
      workers.add(own);
    }
    workers.forEach(own -> own.forEach(worker -> worker.thread.start()));
    workers.forEach(own -> own.forEach(Worker::join));
    Throwable first = failure.get();
    if (first != null) {
      return new Done(first.toString(), List.of(), "");
    }
    Histogram latencies = new Histogram(MOST_NANOS, DIGITS);
    List<Long> operations = new ArrayList<>();
    for (List<Worker> own : workers) {
      own.forEach(worker -> latencies.add(worker.latencies));
      operations.add(own.stream().mapToLong(worker -> worker.latencies.getTotalCount()).sum());
    }
    return new Done("", operations, text(latencies));
  }

  private void prepare(Work work) {
    if (names.length != work.entries) {
      names = IntStream.range(0, work.entries).mapToObj(Load::key).toArray(String[]::new);
      distributions.clear();
    }
    distributions.computeIfAbsent(work.mix, mix -> Keys.of(mix, work.entries));
  }

  /** A thread of a client: one operation after the other. */
  private static final class Worker {
    private final Histogram latencies = new Histogram(MOST_NANOS, DIGITS);
    private final Thread thread;

    Worker(
        IMap<String, byte[]> map,
        Keys keys,
        String[] names,
        Work work,
        SplittableRandom random,
        AtomicReference<@Nullable Throwable> failure) {
      thread =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, e) -> failure.compareAndSet(null, e))
              .unstarted(() -> run(map, keys, names, work, random));
    }

    private void run(
        IMap<String, byte[]> map, Keys keys, String[] names, Work work, SplittableRandom random) {
      byte[] value = Load.text(work.valueBytes).getBytes(StandardCharsets.US_ASCII);
      for (long begin = System.nanoTime(); begin - work.to < 0; ) {
        String key = names[keys.next(random)];
        if (work.mix.reads(random)) {
          byte[] found = map.get(key);
          if (found == null || found.length != value.length) {
            throw new BenchException("the server returned another value than was written");
          }
        } else {
          map.set(key, value);
        }
        long done = System.nanoTime();
        if (done - work.from >= 0 && done - work.to < 0) {
          latencies.recordValue(Math.min(done - begin, MOST_NANOS));
        }
        begin = done;
      }
    }

    private void join() {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BenchException("interrupted", e);
      }
    }
  }

  private static String text(Histogram latencies) {
    ByteBuffer bytes = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
    int length = latencies.encodeIntoCompressedByteBuffer(bytes);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
  }
}
