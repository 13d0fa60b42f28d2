package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Searches an order of the operations of one key in which every answer is right. Used once. Not
 * thread-safe.
 *
 * <p>This is the algorithm of Wing and Gong with the memory of visited configurations that Lowe
 * added. A list holds the calls and answers of all operations that have no place in the order yet.
 * An operation can come next if no answer is before its call. The search succeeds when all known
 * operations have a place. Four rules make it shorter, and none changes its verdict:
 *
 * <ol>
 *   <li>A read that is right and changes nothing comes next, without an alternative. In each order
 *       that completes the present one, it can be moved to the front.
 *   <li>Of two operations with unknown outcomes and the same effect, the one that was invoked first
 *       comes first. They can change places, as both may take effect at any later time.
 *   <li>An unknown operation has to change the state, and a blind operation never follows it
 *       directly. Otherwise the unknown operation can be left out.
 *   <li>A configuration is skipped if a visited one differs from it only by fewer unknown
 *       operations.
 * </ol>
 *
 * <p>Proof that the rules hold together. Suppose that an order exists and the search fails. The
 * rest of a configuration is the length of its shortest completion. Call a configuration good if
 * rule 3 allows one of its shortest completions. The search visits a good one: the first.
 *
 * <ul>
 *   <li>Take a good visited configuration with the smallest rest. It has a shortest completion that
 *       begins as rules 1, 2 and 3 demand. The first step leads to a configuration with a smaller
 *       rest. That is good too, as a shortest completion has no useless operation.
 *   <li>The search did not visit it, so rule 4 skipped it for a visited one. The rest of the
 *       visited one is not larger. If that one is good, this contradicts the choice.
 *   <li>If it is not good, all its shortest completions make its last operation useless. The
 *       configuration before that operation then has a rest that is not larger, and was visited. If
 *       that one is not good either, the same is true of its last operation. This ends at a good
 *       one, at the latest at the first, which contradicts the choice.
 * </ul>
 *
 * <p>Expiry: moments at which operations take effect never decrease along an order. The moment of
 * the next operation is not before any call in the order so far, and not after any answer that is
 * still in the list. An operation finds an expiring value if the first limit allows it, and misses
 * it if the second one does.
 */
final class LinearSearch {
  /** The last operations of an order that a report shows. */
  private static final int SHOWN = 20;

  private static final int HEAD = 0;

  /** A configuration and the steps that may follow. */
  private static final class Frame {
    final LinearState state;
    final long notBeforeNanos;

    /** Whether the last step was an operation with an unknown outcome. */
    final boolean afterUnknown;

    int[] operations = new int[4];
    LinearState[] next = new LinearState[4];
    int count;
    int position;

    Frame(LinearState state, long notBeforeNanos, boolean afterUnknown) {
      this.state = state;
      this.notBeforeNanos = notBeforeNanos;
      this.afterUnknown = afterUnknown;
    }

    void add(int operation, LinearState after) {
      if (count == operations.length) {
        operations = Arrays.copyOf(operations, 2 * count);
        next = Arrays.copyOf(next, 2 * count);
      }
      operations[count] = operation;
      next[count++] = after;
    }

    void addOnly(int operation, LinearState after) {
      count = 0;
      add(operation, after);
    }
  }

  private final List<KeyOperation> operations;
  private final LinearModel model;
  private final int[] twins;
  private final int[] bits;

  /** Of the list. The call of operation i is node i + 1, its answer node i + 1 + size. */
  private final int[] nextNode;

  private final int[] previousNode;

  /** The known operations that have a place. */
  private final long[] known;

  /** The unknown operations that have a place. */
  private final long[] unknown;

  private final LinearVisits visits = new LinearVisits();
  private final List<Frame> frames = new ArrayList<>();
  private int knownLeft;
  private int fewestLeft;
  private List<Integer> longest = List.of();
  private LinearState longestState = LinearState.ABSENT;

  /**
   * @param operations sorted by their invocation
   */
  LinearSearch(List<KeyOperation> operations, long slackNanos) {
    this.operations = operations;
    model = new LinearModel(operations, slackNanos);
    twins = model.twins();
    bits = new int[operations.size()];
    int unknownBits = 0;
    for (int i = 0; i < bits.length; i++) {
      bits[i] = operations.get(i).isUnknown() ? unknownBits++ : knownLeft++;
    }
    fewestLeft = knownLeft;
    known = new long[words(knownLeft)];
    unknown = new long[words(unknownBits)];
    nextNode = new int[2 * operations.size() + 1];
    previousNode = new int[nextNode.length];
    link();
  }

  Verdict run(long maximumSteps) {
    if (knownLeft == 0) {
      return new Verdict.Linearizable();
    }
    long steps = 1;
    frames.add(frame(LinearState.ABSENT, Long.MIN_VALUE, false));
    while (!frames.isEmpty()) {
      Frame frame = frames.getLast();
      if (frame.position == frame.count) {
        frames.removeLast();
        if (!frames.isEmpty()) {
          Frame before = frames.getLast();
          putBack(before.operations[before.position - 1]);
        }
        continue;
      }
      int operation = frame.operations[frame.position];
      LinearState after = frame.next[frame.position++];
      take(operation);
      if (knownLeft == 0) {
        return new Verdict.Linearizable();
      }
      if (!visits.add(known, unknown, after)) {
        putBack(operation);
        continue;
      }
      if (++steps > maximumSteps) {
        return new Verdict.Undecided(steps - 1);
      }
      noteLongest(after);
      boolean afterUnknown = operations.get(operation).isUnknown();
      frames.add(frame(after, notBefore(frame, operation), afterUnknown));
    }
    return new Verdict.Violation(text());
  }

  private void link() {
    int size = operations.size();
    List<Integer> nodes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      nodes.add(i + 1);
      if (!operations.get(i).isUnknown()) {
        nodes.add(i + 1 + size);
      }
    }
    // At the same moment calls come first: such operations are concurrent.
    nodes.sort(Comparator.comparingLong(this::nanos).thenComparing(node -> node > size));
    int last = HEAD;
    for (int node : nodes) {
      nextNode[last] = node;
      previousNode[node] = last;
      last = node;
    }
    nextNode[last] = HEAD;
    previousNode[HEAD] = last;
  }

  private long nanos(int node) {
    int size = operations.size();
    return node > size
        ? operations.get(node - 1 - size).returnedNanos()
        : operations.get(node - 1).invokedNanos();
  }

  /** Visits a configuration. */
  private Frame frame(LinearState state, long notBeforeNanos, boolean afterUnknown) {
    Frame frame = new Frame(state, notBeforeNanos, afterUnknown);
    int size = operations.size();
    int end = nextNode[HEAD];
    while (end <= size) {
      end = nextNode[end];
    }
    long notAfterNanos = nanos(end);
    for (int node = nextNode[HEAD]; node != end; node = nextNode[node]) {
      int operation = node - 1;
      if (!operations.get(operation).isUnknown() && addSteps(frame, operation, notAfterNanos)) {
        return frame;
      }
    }
    for (int node = nextNode[HEAD]; node != end; node = nextNode[node]) {
      int operation = node - 1;
      if (operations.get(operation).isUnknown()
          && (twins[operation] < 0 || hasPlace(twins[operation]))) {
        addSteps(frame, operation, notAfterNanos);
      }
    }
    return frame;
  }

  /** Adds the steps that an operation makes possible. Returns whether no other is needed. */
  private boolean addSteps(Frame frame, int operation, long notAfterNanos) {
    if (model.isBlind(operation)) {
      if (!frame.afterUnknown) {
        addStep(frame, operation, model.afterAbsent(operation));
      }
      return false;
    }
    return (frame.state.mayBePresent(notBefore(frame, operation))
            && addStep(frame, operation, model.afterPresent(frame.state, operation)))
        || (frame.state.mayBeAbsent(notAfterNanos)
            && addStep(frame, operation, model.afterAbsent(operation)));
  }

  private boolean addStep(Frame frame, int operation, @Nullable LinearState after) {
    if (after == null) {
      return false;
    }
    boolean changes = !after.equals(frame.state);
    if (!changes && model.isRead(operation)) {
      frame.addOnly(operation, after);
      return true;
    }
    if (changes || !operations.get(operation).isUnknown()) {
      frame.add(operation, after);
    }
    return false;
  }

  private long notBefore(Frame frame, int operation) {
    return Math.max(frame.notBeforeNanos, operations.get(operation).invokedNanos());
  }

  /** Gives an operation the next place. */
  private void take(int operation) {
    unlink(operation + 1);
    if (operations.get(operation).isUnknown()) {
      unknown[bits[operation] >> 6] |= 1L << bits[operation];
    } else {
      unlink(operation + 1 + operations.size());
      known[bits[operation] >> 6] |= 1L << bits[operation];
      knownLeft--;
    }
  }

  /** Undoes the last {@link #take}. */
  private void putBack(int operation) {
    if (operations.get(operation).isUnknown()) {
      unknown[bits[operation] >> 6] &= ~(1L << bits[operation]);
    } else {
      relink(operation + 1 + operations.size());
      known[bits[operation] >> 6] &= ~(1L << bits[operation]);
      knownLeft++;
    }
    relink(operation + 1);
  }

  private boolean hasPlace(int unknownOperation) {
    int bit = bits[unknownOperation];
    return (unknown[bit >> 6] & 1L << bit) != 0;
  }

  private void unlink(int node) {
    nextNode[previousNode[node]] = nextNode[node];
    previousNode[nextNode[node]] = previousNode[node];
  }

  private void relink(int node) {
    nextNode[previousNode[node]] = node;
    previousNode[nextNode[node]] = node;
  }

  private void noteLongest(LinearState after) {
    if (knownLeft < fewestLeft) {
      fewestLeft = knownLeft;
      longestState = after;
      longest = order();
    }
  }

  /** The operations that have a place, in their order. */
  private List<Integer> order() {
    List<Integer> order = new ArrayList<>(frames.size());
    for (Frame frame : frames) {
      order.add(frame.operations[frame.position - 1]);
    }
    return order;
  }

  private String text() {
    long origin = operations.getFirst().invokedNanos();
    List<String> lines = new ArrayList<>();
    lines.add(longest.size() + " of " + operations.size() + " operations fit an order:");
    int first = Math.max(0, longest.size() - SHOWN);
    if (first > 0) {
      lines.add("  ... " + first + " operations");
    }
    for (int operation : longest.subList(first, longest.size())) {
      lines.add("  " + operations.get(operation).describe(origin));
    }
    lines.add("The key then holds " + longestState.describe(origin) + ".");
    lines.add("None of these can follow:");
    boolean[] placed = new boolean[operations.size()];
    longest.forEach(operation -> placed[operation] = true);
    long end = KeyOperation.NEVER;
    for (int i = 0; i < placed.length; i++) {
      if (!placed[i]) {
        end = Math.min(end, operations.get(i).returnedNanos());
      }
    }
    for (int i = 0; i < placed.length; i++) {
      if (!placed[i] && operations.get(i).invokedNanos() <= end) {
        lines.add("  " + operations.get(i).describe(origin));
      }
    }
    return String.join("\n", lines);
  }

  private static int words(int bits) {
    return Math.max(1, (bits + 63) >> 6);
  }
}
