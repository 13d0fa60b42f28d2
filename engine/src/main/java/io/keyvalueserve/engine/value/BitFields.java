package io.keyvalueserve.engine.value;

import java.util.Arrays;
import java.util.List;

/**
 * A run of steps on the bit fields of a value, one after the other.
 *
 * <p>For one thread.
 */
public final class BitFields {
  private final long[] results;
  private final boolean[] failed;
  private byte[] value;
  private boolean changed;

  private BitFields(byte[] value, int count) {
    this.value = value;
    this.results = new long[count];
    this.failed = new boolean[count];
  }

  /**
   * Runs all steps.
   *
   * @param value is not changed; empty if there is none
   */
  public static BitFields run(byte[] value, List<BitField> steps) {
    int needed = 0;
    for (BitField step : steps) {
      if (step.writes()) {
        needed = Math.max(needed, step.requiredBytes());
      }
    }
    BitFields run = new BitFields(value, steps.size());
    if (needed > 0) {
      run.value = Arrays.copyOf(value, Math.max(value.length, needed));
      run.changed = needed > value.length;
    }
    for (int i = 0; i < steps.size(); i++) {
      run.step(i, steps.get(i));
    }
    return run;
  }

  private void step(int index, BitField field) {
    long before = field.read(value);
    if (!field.writes()) {
      results[index] = before;
      return;
    }
    boolean adds = field.action() == BitField.Action.INCREMENT;
    long base = adds ? before : field.operand();
    long added = adds ? field.operand() : 0;
    int beyond = field.beyond(base, added);
    long after = base + added;
    if (beyond != 0) {
      if (field.overflow() == BitField.Overflow.FAIL) {
        failed[index] = true;
        return;
      }
      after = field.corrected(after, beyond);
    }
    results[index] = adds ? after : before;
    if (after != before) {
      field.write(value, after);
      changed = true;
    }
  }

  /** Returns the answers of the steps, in their order; 0 where one failed. */
  public long[] results() {
    return results;
  }

  /** Returns which steps had no answer, because their result did not fit. */
  public boolean[] failed() {
    return failed;
  }

  /** Returns the value after all steps: another array than that given if a step could write. */
  public byte[] value() {
    return value;
  }

  /** Returns whether the value is another one now, be it only longer. */
  public boolean isChanged() {
    return changed;
  }
}
