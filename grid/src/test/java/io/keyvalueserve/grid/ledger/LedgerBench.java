package io.keyvalueserve.grid.ledger;

import static io.keyvalueserve.grid.ledger.LedgerUse.ACME;
import static io.keyvalueserve.grid.ledger.LedgerUse.ACMES;
import static io.keyvalueserve.grid.ledger.LedgerUse.flush;

import io.keyvalueserve.billing.ledger.TenantLedger;
import io.keyvalueserve.grid.space.TestGrid;
import java.util.Locale;

/**
 * What an append and a reading cost, in a cluster of three members in this process. Run with the
 * number of flushes, of five events each, that a ledger gets: {@code LedgerBench 4000}.
 */
final class LedgerBench {
  private static final int MAPS = 5;

  private LedgerBench() {}

  public static void main(String[] arguments) throws Exception {
    int flushes = Integer.parseInt(arguments[0]);
    try (TestGrid grid = new TestGrid(3, 271, GridLedger::configure)) {
      GridLedger ledger = new GridLedger(grid.member(0));
      for (int round = 0; round < 3; round++) {
        long begin = System.nanoTime();
        for (int i = 0; i < flushes; i++) {
          Posted posted = ledger.post(LedgerUse.of(ACME, flush(round, 0, i, MAPS)));
          if (posted.taken() != MAPS) {
            throw new IllegalStateException(posted.toString());
          }
        }
        say("append", begin, flushes);
        long entries = ledger.head(ACME, ACMES).entries();
        begin = System.nanoTime();
        var _ = new GridLedger(grid.member(1)).read(ACME, ACMES, TenantLedger::head);
        say("read, an entry of " + entries, begin, entries);
      }
    }
  }

  private static void say(String what, long begin, long times) {
    System.out.printf(
        Locale.ROOT, "%s: %.1f us%n", what, (System.nanoTime() - begin) / 1e3 / times);
  }
}
