package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.expr.Expr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins each row of the left input with those of the right one that may match it. Those of the
 * right one are at hand.
 */
abstract class Joining extends Rows {
  private final RowSource left;
  private final JoinKind kind;
  private final List<Expr> tests;
  private final int leftWidth;
  private final int rightWidth;
  private final Execution execution;
  private @Nullable Object @Nullable [] leftRow;
  private List<BuiltRow> candidates = List.of();
  private int at;
  private boolean hasMatch;
  private boolean isLeftDone;
  private int unmatchedAt;

  /** A row of the right input. */
  static final class BuiltRow {
    final @Nullable Object[] values;
    boolean isMatched;

    BuiltRow(@Nullable Object[] values) {
      this.values = values;
    }
  }

  Joining(
      RowSource left,
      JoinKind kind,
      List<Expr> tests,
      int leftWidth,
      int rightWidth,
      Execution execution,
      RowSource... inputs) {
    super(inputs);
    this.left = left;
    this.kind = kind;
    this.tests = tests;
    this.leftWidth = leftWidth;
    this.rightWidth = rightWidth;
    this.execution = execution;
  }

  /** Returns the rows of the right input that may match. */
  abstract List<BuiltRow> candidates(@Nullable Object[] row);

  /** Returns all rows of the right input; needed only if they are kept without a match. */
  abstract List<BuiltRow> all();

  @Override
  @Nullable Object @Nullable [] make() {
    while (!isLeftDone) {
      @Nullable Object[] row = leftRow;
      if (row == null) {
        if (!left.next()) {
          isLeftDone = true;
          break;
        }
        execution.step();
        row = left.row();
        leftRow = row;
        candidates = candidates(row);
        at = 0;
        hasMatch = false;
      }
      @Nullable Object[] made = match(row);
      if (made != null) {
        return made;
      }
    }
    return kind.keepsRight() ? unmatched() : null;
  }

  private @Nullable Object @Nullable [] match(@Nullable Object[] row) {
    while (at < candidates.size()) {
      BuiltRow candidate = candidates.get(at++);
      execution.step();
      @Nullable Object[] both = both(row, candidate.values);
      if (!Node.passes(tests, both, execution.env())) {
        continue;
      }
      hasMatch = true;
      candidate.isMatched = true;
      switch (kind) {
        case SEMI -> {
          leftRow = null;
          return row;
        }
        case ANTI -> at = candidates.size();
        default -> {
          return both;
        }
      }
    }
    leftRow = null;
    if (hasMatch) {
      return null;
    }
    return kind == JoinKind.ANTI
        ? row
        : kind.keepsLeft() ? both(row, new @Nullable Object[rightWidth]) : null;
  }

  private @Nullable Object @Nullable [] unmatched() {
    List<BuiltRow> all = all();
    while (unmatchedAt < all.size()) {
      execution.step();
      BuiltRow row = all.get(unmatchedAt++);
      if (!row.isMatched) {
        return both(new @Nullable Object[leftWidth], row.values);
      }
    }
    return null;
  }

  private @Nullable Object[] both(@Nullable Object[] row, @Nullable Object[] other) {
    @Nullable Object[] both = new @Nullable Object[leftWidth + rightWidth];
    System.arraycopy(row, 0, both, 0, leftWidth);
    System.arraycopy(other, 0, both, leftWidth, rightWidth);
    return both;
  }
}
