package io.keyvalueserve.bench;

import io.keyvalueserve.bench.ListTransaction.Append;
import io.keyvalueserve.bench.ListTransaction.Read;
import io.keyvalueserve.bench.ListTransaction.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The keys of a round and the transactions on them. A few keys are in use at a time. One that has
 * many elements is replaced by a new one, as each read takes a whole list. Thread-safe.
 */
final class TransactionRound extends NemesisRound {
  /** Keys in use whose values are texts. */
  private static final int TEXTS = 9;

  /** Keys in use whose values are lists of Redis. */
  private static final int LISTS = 3;

  private static final int MOST_ELEMENTS = 60;
  private static final int MOST_STEPS = 5;

  private final List<String> keys = new ArrayList<>();
  private final String[] current = new String[TEXTS + LISTS];
  private final int[] planned = new int[TEXTS + LISTS];
  private final List<ListTransaction> history = new ArrayList<>();
  private long elements;

  TransactionRound(int number) {
    super(number);
    for (int slot = 0; slot < current.length; slot++) {
      renew(slot);
    }
  }

  private void renew(int slot) {
    current[slot] = TransactionClient.key(slot >= TEXTS, number, keys.size());
    keys.add(current[slot]);
    planned[slot] = 0;
  }

  /**
   * Draws what a transaction does.
   *
   * @param withLists whether it may use lists of Redis
   */
  synchronized List<Step> plan(boolean withLists, SplittableRandom random) {
    int slots = withLists ? current.length : TEXTS;
    int length = 1 + random.nextInt(MOST_STEPS);
    boolean reads = random.nextInt(4) == 0;
    List<Step> plan = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      int slot = random.nextInt(slots);
      if (reads || random.nextInt(5) < 2) {
        plan.add(new Read(current[slot], List.of()));
      } else {
        plan.add(new Append(current[slot], ++elements));
        if (++planned[slot] == MOST_ELEMENTS) {
          renew(slot);
        }
      }
    }
    return plan;
  }

  synchronized void add(ListTransaction transaction) {
    history.add(transaction);
  }

  /** All keys so far. */
  synchronized List<String> keys() {
    return List.copyOf(keys);
  }

  /** All transactions so far. */
  synchronized List<ListTransaction> history() {
    return List.copyOf(history);
  }
}
