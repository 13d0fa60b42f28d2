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
 * <p>If writes may be undone, a state remembers the ones to which it can return. An operation with
 * an unknown outcome puts a state on top of them, a known change leaves only its own, and a step
 * may remove some from the top before its operation. Of two such stacks with the same known and
 * unknown operations, the one that lacks states below its top completes nothing that the other one
 * does not. The rules change a little:
 *
 * <ol>
 *   <li>holds for a read that removes no state. But it must not be too late for a value in a lower
 *       state that another operation may still find.
 *   <li>holds, as which operation put a state on the stack plays no role.
 *   <li>holds for known blind operations. An unknown one hides the state below it, but an undo can
 *       show that again. Then the first unknown operation can take effect after that undo, or never
 *       if there is none. So the rule holds for unknown blind operations too, unless the first one
 *       depends on a value that may have expired by then. In addition, no step removes the state
 *       that an unknown operation has just put on the stack, as the operation can be left out. And
 *       blind operations remove no states, as that gains nothing.
 *   <li>holds, as the stack is part of the state. The step after an unknown operation is less free,
 *       which does not count as the same configuration: marks among the unknown operations tell.
 * </ol>
 *
 * <p>Proof for this case. A completion is allowed if it follows rules 1, 2 and 3.
 *
 * <ul>
 *   <li>After a known operation, a shortest completion can be changed to an allowed one of the same
 *       length. Take the unknown operations at its beginning and the known one that ends them. None
 *       is useless. Each that rule 3 keeps from its place moves behind the undo that shows its
 *       state, so they become fewer. If a read comes next by rule 1, it moves to the front. Then
 *       the beginning is allowed, it ends with a known operation, and the same holds for the rest.
 *   <li>If rule 4 skips a configuration for a visited one, that one has an allowed completion that
 *       is not longer. It takes the same steps, up to the first known operation or to a read that
 *       comes next only here. The rest can be changed as above.
 *   <li>So a visited configuration with the shortest allowed completion leads to one with a shorter
 *       one that is visited too, or to success.
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

    /** Whether that operation can take effect after an undo of the next one instead. */
    final boolean afterMovable;

    int[] operations = new int[4];
    int[] undone = new int[4];
    LinearState[] next = new LinearState[4];
    int count;
    int position;

    Frame(LinearState state, long notBeforeNanos, boolean afterUnknown, boolean afterMovable) {
      this.state = state;
      this.notBeforeNanos = notBeforeNanos;
      this.afterUnknown = afterUnknown;
      this.afterMovable = afterMovable;
    }

    void add(int operation, int changesUndone, LinearState after) {
      if (count == operations.length) {
        operations = Arrays.copyOf(operations, 2 * count);
        undone = Arrays.copyOf(undone, 2 * count);
        next = Arrays.copyOf(next, 2 * count);
      }
      operations[count] = operation;
      undone[count] = changesUndone;
      next[count++] = after;
    }

    void addOnly(int operation, LinearState after) {
      count = 0;
      add(operation, 0, after);
    }
  }

  /** An operation of an order, and how many changes are undone before it. */
  private record Step(int operation, int undone) {}

  private final List<KeyOperation> operations;
  private final boolean undoes;
  private final LinearModel model;
  private final int[] twins;
  private final int[] bits;

  /** Links the list. The call of operation i is node i + 1, its answer node i + 1 + size. */
  private final int[] nextNode;

  private final int[] previousNode;

  /** The known operations that have a place. */
  private final long[] known;

  /** The unknown operations that have a place, and the marks of a configuration. */
  private final long[] unknown;

  /** The first of two marks: the last step was unknown, and it was movable. */
  private final int firstMark;

  private final LinearVisits visits = new LinearVisits();
  private final List<Frame> frames = new ArrayList<>();
  private int knownLeft;
  private int fewestLeft;
  private List<Step> longest = List.of();
  private LinearState longestState = LinearState.ABSENT;

  /**
   * @param operations sorted by their invocation
   */
  LinearSearch(List<KeyOperation> operations, long slackNanos, UnknownWrites unknownWrites) {
    this.operations = operations;
    undoes = unknownWrites == UnknownWrites.MAY_BE_UNDONE;
    model = new LinearModel(operations, slackNanos, unknownWrites);
    twins = model.twins();
    bits = new int[operations.size()];
    int unknownBits = 0;
    for (int i = 0; i < bits.length; i++) {
      bits[i] = operations.get(i).isUnknown() ? unknownBits++ : knownLeft++;
    }
    fewestLeft = knownLeft;
    known = new long[words(knownLeft)];
    firstMark = unknownBits;
    unknown = new long[words(unknownBits + 2)];
    nextNode = new int[2 * operations.size() + 1];
    previousNode = new int[nextNode.length];
    link();
  }

  Verdict run(long maximumSteps) {
    if (knownLeft == 0) {
      return new Verdict.Linearizable();
    }
    long steps = 1;
    frames.add(frame(LinearState.ABSENT, Long.MIN_VALUE, false, false));
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
      boolean afterUnknown = operations.get(operation).isUnknown();
      boolean afterMovable = afterUnknown && isMovable(operation, after);
      if (!visit(after, afterUnknown, afterMovable)) {
        putBack(operation);
        continue;
      }
      if (++steps > maximumSteps) {
        return new Verdict.Undecided(steps - 1);
      }
      noteLongest(after);
      frames.add(frame(after, notBefore(frame, operation), afterUnknown, afterMovable));
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

  /**
   * Returns whether an unknown operation can take effect after an undo of the next one instead.
   *
   * @param after the state after it
   */
  private boolean isMovable(int operation, LinearState after) {
    return after.before == null || after.before.mayStay() || model.isBlind(operation);
  }

  /** Notes a configuration. Returns whether no visited one was as good. */
  private boolean visit(LinearState state, boolean afterUnknown, boolean afterMovable) {
    if (!undoes) {
      return visits.add(known, unknown, state);
    }
    mark(firstMark, afterUnknown);
    mark(firstMark + 1, afterMovable);
    boolean isBetter = visits.add(known, unknown, state);
    mark(firstMark, false);
    mark(firstMark + 1, false);
    return isBetter;
  }

  private void mark(int bit, boolean isSet) {
    if (isSet) {
      unknown[bit >> 6] |= 1L << bit;
    } else {
      unknown[bit >> 6] &= ~(1L << bit);
    }
  }

  /** Finds the steps that may follow a configuration. */
  private Frame frame(
      LinearState state, long notBeforeNanos, boolean afterUnknown, boolean afterMovable) {
    Frame frame = new Frame(state, notBeforeNanos, afterUnknown, afterMovable);
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
      boolean isUseful =
          operations.get(operation).isUnknown() ? !frame.afterMovable : !frame.afterUnknown;
      if (isUseful) {
        addStep(frame, operation, 0, frame.state, model.afterBlind(operation));
      }
      return false;
    }
    int undone = 0;
    LinearState state = frame.state;
    while (state != null) {
      if (state.mayBePresent(notBefore(frame, operation))
          && addStep(frame, operation, undone, state, model.afterPresent(state, operation))) {
        return true;
      }
      if (state.mayBeAbsent(notAfterNanos)) {
        LinearState absent = state.expired();
        if (addStep(frame, operation, undone, absent, model.afterAbsent(absent, operation))) {
          return true;
        }
      }
      undone++;
      state = frame.afterUnknown ? null : state.before;
    }
    return false;
  }

  /**
   * Adds a step. Returns whether no other is needed.
   *
   * @param undone how many changes are undone before it
   * @param found the state in which the operation finds the key
   * @param next the state after the operation; null if there is no such step
   */
  private boolean addStep(
      Frame frame, int operation, int undone, LinearState found, @Nullable LinearState next) {
    if (next == null) {
      return false;
    }
    if (operations.get(operation).isUnknown()) {
      if (!next.holdsSame(found)) {
        frame.add(operation, undone, undoes ? next.over(found) : next);
      }
      return false;
    }
    if (next.equals(frame.state)
        && model.isRead(operation)
        && !next.losesBefore(frame.notBeforeNanos, notBefore(frame, operation))) {
      frame.addOnly(operation, next);
      return true;
    }
    frame.add(operation, undone, next);
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
  private List<Step> order() {
    List<Step> order = new ArrayList<>(frames.size());
    for (Frame frame : frames) {
      int last = frame.position - 1;
      order.add(new Step(frame.operations[last], frame.undone[last]));
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
    for (Step step : longest.subList(first, longest.size())) {
      if (step.undone > 0) {
        lines.add("  (changes without answer undone: " + step.undone + ")");
      }
      lines.add("  " + operations.get(step.operation).describe(origin));
    }
    lines.add("The key then holds " + longestState.describe(origin) + ".");
    for (LinearState state = longestState.before; state != null; state = state.before) {
      lines.add("After an undo it holds " + state.describe(origin) + ".");
    }
    lines.add("None of these can follow:");
    boolean[] placed = new boolean[operations.size()];
    longest.forEach(step -> placed[step.operation] = true);
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
