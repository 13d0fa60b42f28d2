package io.keyvalueserve.bench;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.io.IOException;
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
  record Done(String failure, List<Long> operations, String latencies) {
    /** Nothing was to be measured, and all went well. */
    static final Done NOTHING = new Done("", List.of(), "");

    /** Returns what clients of one load have done: an entry of the list for each. */
    static Done of(List<Long> operations, Histogram latencies) {
      return new Done("", operations, text(latencies));
    }

    /** Returns why a load was not. */
    static Done failed(RuntimeException why) {
      return new Done(why.toString(), List.of(), "");
    }
  }

  private final List<HazelcastInstance> clients = new ArrayList<>();

  /** What takes long to make is kept from one order to the next: keys by their numbers. */
  private String[] names = {};

  private final Map<Mix, Keys> distributions = new HashMap<>();

  private ClientLoad() {}

  public static void main(String[] arguments) throws IOException {
    OrderedProcess.serve(Order.class, new ClientLoad()::follow);
  }

  private Done follow(Order order) {
    try {
      while (clients.size() < order.clients) {
        clients.add(HazelcastClient.newHazelcastClient(order.login.config()));
      }
      Work work = order.work;
      return work == null ? Done.NOTHING : run(clients.subList(0, order.clients), work);
    } catch (RuntimeException e) {
      return Done.failed(e);
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
    return Done.of(List.of(operations), latencies);
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
