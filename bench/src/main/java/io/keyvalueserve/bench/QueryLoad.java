package io.keyvalueserve.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The load of queries, in a process of its own: separate clients, each with one question under way.
 * An answer with another number of rows than the data say ends it.
 */
final class QueryLoad {
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final int DIGITS = 2;
  private static final int BATCH = 1000;

  /**
   * The order to carry out.
   *
   * @param contender says which client
   * @param clients how many there shall be, or how many shall work
   * @param place what they are about
   * @param work null if it is only to be filled or cleared
   */
  record Order(
      QueryContender contender, Login login, int clients, Place place, @Nullable Work work) {}

  /**
   * A map.
   *
   * @param map its name
   * @param index its indexes
   * @param entries how many people it has
   * @param step what to do to it
   */
  record Place(String map, QueryIndex index, int entries, Step step) {}

  /** The preparation of a map. */
  enum Step {
    /** Make it and write all people. */
    FILL,
    /** Ask it. */
    ASK,
    /** Remove it. */
    CLEAR
  }

  /**
   * The question that is asked.
   *
   * @param from when answers begin to count, in the time of {@link System#nanoTime}
   * @param to when they end to count; as from if one answer is to be read and compared in full
   */
  record Work(Query query, int rows, long sum, long from, long to, long seed) {}

  private final List<People> clients = new ArrayList<>();

  private QueryLoad() {}

  public static void main(String[] arguments) throws IOException {
    OrderedProcess.serve(Order.class, new QueryLoad()::follow);
  }

  private ClientLoad.Done follow(Order order) {
    try {
      while (clients.size() < order.clients) {
        clients.add(order.contender.client(order.login));
      }
      Place place = order.place;
      People first = clients.getFirst();
      if (place.step == Step.CLEAR) {
        first.clear();
        return ClientLoad.Done.NOTHING;
      }
      if (place.step == Step.FILL) {
        first.use(place.map, place.index, true);
        for (int i = 0; i < place.entries; i += BATCH) {
          int end = Math.min(place.entries, i + BATCH);
          first.put(IntStream.range(i, end).mapToObj(Person::of).toList());
        }
      }
      List<People> working = clients.subList(0, order.clients);
      working.forEach(client -> client.use(place.map, place.index, false));
      return order.work == null ? ClientLoad.Done.NOTHING : run(working, place, order.work);
    } catch (RuntimeException e) {
      return ClientLoad.Done.failed(e);
    }
  }

  private static ClientLoad.Done run(List<People> working, Place place, Work work) {
    if (work.from == work.to) {
      compare(working.getFirst(), place, work);
      return ClientLoad.Done.NOTHING;
    }
    AtomicReferenceArray<Histogram> seen = new AtomicReferenceArray<>(working.size());
    Load.inParallel(
        seen.length(),
        i -> seen.set(i, run(working.get(i), place, work, new SplittableRandom(work.seed + i))));
    Histogram latencies = new Histogram(MOST_NANOS, DIGITS);
    List<Long> operations = new ArrayList<>();
    for (int i = 0; i < seen.length(); i++) {
      latencies.add(seen.get(i));
      operations.add(seen.get(i).getTotalCount());
    }
    return ClientLoad.Done.of(operations, latencies);
  }

  private static void compare(People client, Place place, Work work) {
    int key = place.entries / 2;
    long expected = work.query.isPoint() ? key : work.sum;
    long sum = client.sum(work.query, key);
    if (sum != expected) {
      throw new BenchException(
          "a wrong answer to %s: the sum is %d, not %d".formatted(work.query, sum, expected));
    }
  }

  /** One question after the other; returns the latencies of those that count. */
  private static Histogram run(People client, Place place, Work work, SplittableRandom random) {
    Histogram latencies = new Histogram(MOST_NANOS, DIGITS);
    for (long begin = System.nanoTime(); begin - work.to < 0; ) {
      int rows = client.rows(work.query, random.nextInt(place.entries));
      if (rows != work.rows) {
        throw new BenchException(
            "a wrong answer to %s: %d rows, not %d".formatted(work.query, rows, work.rows));
      }
      long done = System.nanoTime();
      if (done - work.from >= 0 && done - work.to < 0) {
        latencies.recordValue(Math.min(done - begin, MOST_NANOS));
      }
      begin = done;
    }
    return latencies;
  }
}
