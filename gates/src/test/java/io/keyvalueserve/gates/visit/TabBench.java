package io.keyvalueserve.gates.visit;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.UUID;

/**
 * What metering costs a request of a Redis client, in turns of 1, 16 and 64 requests: what the
 * session adds for each, the bytes of the turn, and telling the meter at its end. One thread.
 * Argument: how many requests.
 */
final class TabBench {
  private TabBench() {}

  public static void main(String[] arguments) {
    long requests = Long.parseLong(arguments[0]);
    TenantName acme = new TenantName("acme");
    UsageBook book = new UsageBook(UUID.randomUUID(), System.currentTimeMillis());
    Tab use = new Tab();
    use.open(book.meter(acme, 1, new QualifiedName(acme, MapName.DEFAULT), SharingLevel.SHARED));
    for (int round = 0; round < 3; round++) {
      for (int turn : new int[] {1, 16, 64}) {
        long begin = System.nanoTime();
        for (long i = 0; i < requests; i += turn) {
          for (int j = 0; j < turn; j++) {
            use.add((i + j) % 3 == 0 ? Measure.WRITES : Measure.READS, 1);
          }
          use.add(Measure.BYTES_IN, 40L * turn);
          use.add(Measure.BYTES_OUT, 108L * turn);
          use.settle();
        }
        System.out.printf(
            "turns of %2d requests: %.2f ns a request%n",
            turn, (double) (System.nanoTime() - begin) / requests);
      }
    }
  }
}
