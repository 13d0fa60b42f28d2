package io.keyvalueserve.maps;

import io.keyvalueserve.memory.Epochs;
import io.keyvalueserve.store.Lookahead;
import io.keyvalueserve.store.Table;

/**
 * Brings near what some entries that are put back one after the other will look at, see {@link
 * Lookahead}: their stubs, and their places in the tables. A loader has just read them from the
 * disk; of their tables nobody has looked at anything for long.
 *
 * <p>Nothing is found here, and no lock is held: with a guard open every address stays readable
 * that the tables lead to, whoever writes them or gives them back meanwhile. For one thread.
 */
public final class RestoredLookahead {
  private final Epochs epochs;
  private final Lookahead stubs = new Lookahead();
  private final Lookahead records = new Lookahead();

  RestoredLookahead(Epochs epochs) {
    this.epochs = epochs;
  }

  /**
   * Fetches what is added.
   *
   * @param adding adds to this by {@link RestoredPartition#anticipate}
   */
  public void fetch(Runnable adding) {
    int guard = epochs.enter();
    try {
      adding.run();
      stubs.fetchKeys();
      records.fetchKeys();
    } finally {
      epochs.exit(guard);
    }
  }

  void addStub(Table table, long hash) {
    add(stubs, table, hash);
  }

  void addRecord(Table table, long hash) {
    add(records, table, hash);
  }

  private static void add(Lookahead to, Table table, long hash) {
    if (to.isFull()) {
      to.fetchKeys();
    }
    to.add(table, hash);
  }
}
