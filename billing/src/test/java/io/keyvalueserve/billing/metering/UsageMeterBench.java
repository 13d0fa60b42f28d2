package io.keyvalueserve.billing.metering;

import io.keyvalueserve.tenancy.TenantName;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * What counting costs: nanoseconds for each count, by one thread and by several, on one meter and
 * on a meter for each. Run its main method; arguments: counts of each thread, threads.
 */
final class UsageMeterBench {
  private UsageMeterBench() {}

  public static void main(String[] args) throws InterruptedException {
    int counts = args.length > 0 ? Integer.parseInt(args[0]) : 50_000_000;
    int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    for (int round = 0; round < 3; round++) {
      UsageBook book = new UsageBook(new UUID(1, 2), 0);
      UsageMeter one = meter(book, 1);
      run("one meter, one thread", counts, count -> one.add(Measure.READS, count & 1));
      run("a request, one thread", counts, count -> one.request(Measure.READS, 1, 64, count & 7));
      LongConsumer[] same = new LongConsumer[threads];
      LongConsumer[] own = new LongConsumer[threads];
      for (int i = 0; i < threads; i++) {
        UsageMeter mine = meter(book, 2 + i);
        same[i] = count -> one.add(Measure.READS, count & 1);
        own[i] = count -> mine.add(Measure.READS, count & 1);
      }
      run("one meter, " + threads + " threads", counts, same);
      run("own meters, " + threads + " threads", counts, own);
      System.out.println(book.flush(round).size() + " events");
    }
  }

  private static UsageMeter meter(UsageBook book, int tenant) {
    return book.meter(new TenantName("t" + tenant), tenant, null, SharingLevel.SHARED);
  }

  private static void run(String what, int counts, LongConsumer... each)
      throws InterruptedException {
    Thread[] all = new Thread[each.length];
    long begin = System.nanoTime();
    for (int i = 0; i < all.length; i++) {
      LongConsumer count = each[i];
      all[i] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long n = 0; n < counts; n++) {
                      count.accept(n);
                    }
                  });
    }
    for (Thread thread : all) {
      thread.join();
    }
    long nanos = System.nanoTime() - begin;
    System.out.printf("%-24s %.1f ns%n", what, (double) nanos / counts);
  }
}
