package io.keyvalueserve.grid.ledger;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Segments of which a test says what happens before and after each step. */
class FaultySegments implements SegmentStore {
  private final SegmentStore real;

  FaultySegments(SegmentStore real) {
    this.real = real;
  }

  /** What a ledger does with its segments. */
  enum Step {
    LAST,
    GET,
    REPLACE,
    NOTE
  }

  /** Before a step is done; may throw. */
  void before(Step step) {}

  /** After a step was done; may throw. */
  void after(Step step) {}

  @Override
  public byte @Nullable [] get(int tenantNumber, int segment) {
    before(Step.GET);
    byte[] stored = real.get(tenantNumber, segment);
    after(Step.GET);
    return stored;
  }

  @Override
  public boolean replace(int tenantNumber, int segment, byte @Nullable [] expected, byte[] next) {
    before(Step.REPLACE);
    boolean replaced = real.replace(tenantNumber, segment, expected, next);
    after(Step.REPLACE);
    return replaced;
  }

  @Override
  public int lastSegment(int tenantNumber) {
    before(Step.LAST);
    int last = real.lastSegment(tenantNumber);
    after(Step.LAST);
    return last;
  }

  @Override
  public Set<Integer> tenantNumbers() {
    return real.tenantNumbers();
  }

  @Override
  public void noteLastSegment(int tenantNumber, int segment) {
    before(Step.NOTE);
    real.noteLastSegment(tenantNumber, segment);
    after(Step.NOTE);
  }
}
