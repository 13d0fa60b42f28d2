package io.keyvalueserve.gates.latency;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What recording costs: nanoseconds for each record, by one thread and by several, of one tenant
 * and of one each, beside a reading of the clock; of the threads' own time, as others may use the
 * machine. Run its main method; arguments: records of each thread, threads.
 */
final class LatencyMeterBench {
  private LatencyMeterBench() {}

  public static void main(String[] args) throws InterruptedException {
    int records = args.length > 0 ? Integer.parseInt(args[0]) : 50_000_000;
    int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    for (int round = 0; round < 3; round++) {
      LatencyMeter one = new LatencyMeter(new LaneNumbers(threads));
      @Nullable LatencyMeter[] none = new LatencyMeter[1];
      run("a clock reading, one thread", records, none, false);
      run("one tenant, one thread", records, new LatencyMeter[] {one}, false);
      run("the same, lane looked up", records, new LatencyMeter[] {one}, true);
      LatencyMeter[] same = new LatencyMeter[threads];
      LatencyMeter[] own = new LatencyMeter[threads];
      LaneNumbers numbers = new LaneNumbers(threads);
      LatencyMeter shared = new LatencyMeter(numbers);
      for (int i = 0; i < threads; i++) {
        same[i] = shared;
        own[i] = new LatencyMeter(numbers);
      }
      run("one tenant, " + threads + " threads", records, same, false);
      run("own tenants, " + threads + " threads", records, own, false);
      System.out.println(one.latencies() + ", " + shared.latencies());
    }
  }

  private static LongConsumer work(@Nullable LatencyMeter meter, boolean isLookedUp) {
    if (meter == null) {
      long[] last = new long[1];
      return n -> last[0] ^= System.nanoTime();
    }
    if (isLookedUp) {
      return n -> meter.lane().record(20_000 + (n & 0xffff), 1);
    }
    LatencyLane lane = meter.lane();
    return n -> lane.record(20_000 + (n & 0xffff), 1);
  }

  private static void run(
      String what, int records, @Nullable LatencyMeter[] meters, boolean isLookedUp)
      throws InterruptedException {
    ThreadMXBean times = ManagementFactory.getThreadMXBean();
    LongAdder nanos = new LongAdder();
    Thread[] all = new Thread[meters.length];
    for (int i = 0; i < all.length; i++) {
      LatencyMeter meter = meters[i];
      all[i] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    LongConsumer record = work(meter, isLookedUp);
                    for (long n = 0; n < records; n++) {
                      record.accept(n);
                    }
                    nanos.add(times.getCurrentThreadCpuTime());
                  });
    }
    for (Thread thread : all) {
      thread.join();
    }
    System.out.printf("%-28s %.1f ns%n", what, (double) nanos.sum() / records / all.length);
  }
}
