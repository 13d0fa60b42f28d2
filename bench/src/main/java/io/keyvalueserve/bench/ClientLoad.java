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
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A process of real Hazelcast clients. It takes orders, a line of JSON each, from its standard
 * input and answers each with a line on its standard output; it ends when there are no more.
 */
final class ClientLoad {
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final int DIGITS = 2;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The order of a load.
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
   * The figures of a load.
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
    out.println(OrderedProcess.ANSWER + JSON.writeValueAsString(done));
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
    List<IMap<String, byte[]>> maps = new ArrayList<>();
    working.forEach(client -> maps.add(client.getMap("bench")));
    AtomicReferenceArray<Histogram> seen =
        new AtomicReferenceArray<>(working.size() * work.threads);
    Load.inParallel(
        seen.length(),
        i -> {
          SplittableRandom random = new SplittableRandom(work.seed + i);
          seen.set(i, run(maps.get(i / work.threads), keys, work, random));
        });
    Histogram latencies = new Histogram(MOST_NANOS, DIGITS);
    Long[] operations = new Long[working.size()];
    Arrays.fill(operations, 0L);
    for (int i = 0; i < seen.length(); i++) {
      latencies.add(seen.get(i));
      operations[i / work.threads] += seen.get(i).getTotalCount();
    }
    return new Done("", List.of(operations), text(latencies));
  }

  private void prepare(Work work) {
    if (names.length != work.entries) {
      names = IntStream.range(0, work.entries).mapToObj(Load::key).toArray(String[]::new);
      distributions.clear();
    }
    distributions.computeIfAbsent(work.mix, mix -> Keys.of(mix, work.entries));
  }

  /** One operation after the other; returns the latencies of those that count. */
  private Histogram run(IMap<String, byte[]> map, Keys keys, Work work, SplittableRandom random) {
    Histogram latencies = new Histogram(MOST_NANOS, DIGITS);
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
    return latencies;
  }

  private static String text(Histogram latencies) {
    ByteBuffer bytes = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
    int length = latencies.encodeIntoCompressedByteBuffer(bytes);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
  }
}
