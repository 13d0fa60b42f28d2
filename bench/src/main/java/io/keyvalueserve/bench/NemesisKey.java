package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A key of one round, and all that clients did to it. Thread-safe. */
final class NemesisKey {
  /** Tells what clients do to the key. */
  enum Use {
    /** Everything but counting. */
    REGISTER,

    /** Counting and reading. */
    COUNTER,

    /** It is set if it is absent, and deleted by whom has set it. */
    LOCK
  }

  /** With more unknown outcomes a check could take for ever. */
  private static final int MOST_UNKNOWN = 8;

  final String name;
  final Use use;
  private final List<KeyOperation> history = new ArrayList<>();
  private final List<LockHold> holds = new ArrayList<>();
  private final Set<Integer> resting = ConcurrentHashMap.newKeySet();
  private volatile @Nullable String seen;

  NemesisKey(String name, Use use) {
    this.name = name;
    this.use = use;
  }

  synchronized void add(KeyOperation operation) {
    history.add(operation);
    if (operation.isUnknown()) {
      resting.add(operation.client());
    } else if (operation.kind() == KeyOperation.Kind.GET && operation.result() != null) {
      seen = operation.result();
    }
  }

  synchronized void add(LockHold hold) {
    holds.add(hold);
  }

  /** The value that a read has seen last, if any has. */
  @Nullable String seen() {
    return seen;
  }

  /**
   * Whether a client may still write: not after an outcome that it does not know. If that is a
   * lock's, nobody may: it could be released late, when another has it.
   */
  boolean isOpenTo(int client) {
    return resting.size() < (use == Use.LOCK ? 1 : MOST_UNKNOWN) && !resting.contains(client);
  }

  synchronized List<KeyOperation> history() {
    return List.copyOf(history);
  }

  synchronized List<LockHold> holds() {
    return List.copyOf(holds);
  }
}
