package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import io.keyvalueserve.sql.expr.Expr;
import io.keyvalueserve.sql.expr.Values;
import io.keyvalueserve.sql.run.Joining.BuiltRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Joins rows. The rows of the right input are kept: in a table by their keys if equalities are
 * joined, else in a list. If the right input can be asked for entries of some keys, and the left
 * one has few rows, only these are read.
 *
 * @param leftKeys columns of the left input that are equal to {@code rightKeys}
 * @param nullKeys for each key, whether null is equal to null
 * @param tests of rows of both inputs together
 * @param lookup the index among the keys of the one that is the key of the right input's entries;
 *     -1 if none is
 */
public record JoinNode(
    Node left,
    Node right,
    JoinKind kind,
    int leftWidth,
    int rightWidth,
    List<Integer> leftKeys,
    List<Integer> rightKeys,
    List<Boolean> nullKeys,
    List<Expr> tests,
    String text,
    int lookup)
    implements Node {
  private static final int FEW = 512;

  @Override
  public RowSource open(Execution execution) {
    Held held = new Held(execution);
    if (lookup >= 0 && right instanceof LookupNode source) {
      return openLookup(source, held, execution);
    }
    return openHash(execution.open(left), held, execution);
  }

  private RowSource openHash(RowSource leftRows, Held held, Execution execution) {
    RowSource rightRows;
    try {
      rightRows = execution.open(right);
    } catch (RuntimeException | Error e) {
      leftRows.close();
      throw e;
    }
    return new Hashed(leftRows, rightRows, held, execution);
  }

  /** Reads some rows of the left input: if these are all, the right one is asked for their keys. */
  private RowSource openLookup(LookupNode source, Held held, Execution execution) {
    RowSource leftRows = execution.open(left);
    try {
      List<@Nullable Object[]> first = new ArrayList<>();
      Set<Object> keys = new LinkedHashSet<>();
      boolean isAll = false;
      while (first.size() < FEW) {
        if (!leftRows.next()) {
          isAll = true;
          break;
        }
        execution.step();
        held.add(leftRows.row());
        first.add(leftRows.row());
        Object value = leftRows.row()[leftKeys.get(lookup)];
        Object key = KeyValues.of(value, source.keyType(), execution.env().zone());
        if (key != null) {
          keys.add(key);
        }
      }
      RowSource buffered = new Buffered(first, leftRows);
      if (!isAll) {
        return openHash(buffered, held, execution);
      }
      RowSource found = source.open(execution, new ArrayList<>(keys));
      return new Hashed(buffered, found, held, execution);
    } catch (RuntimeException | Error e) {
      held.release();
      leftRows.close();
      throw e;
    }
  }

  /** Rows that were read before, and then the others. */
  private static final class Buffered extends Rows {
    private final List<@Nullable Object[]> first;
    private final RowSource rest;
    private int at;

    Buffered(List<@Nullable Object[]> first, RowSource rest) {
      super(rest);
      this.first = first;
      this.rest = rest;
    }

    @Override
    @Nullable Object @Nullable [] make() {
      if (at < first.size()) {
        return first.get(at++);
      }
      return rest.next() ? rest.row() : null;
    }
  }

  /** A join whose right input is in a table. */
  private final class Hashed extends Joining {
    private final RowSource rightRows;
    private final Held held;
    private final Execution execution;
    private final List<BuiltRow> all = new ArrayList<>();
    private final Map<RowKey, List<BuiltRow>> byKey = new HashMap<>();
    private boolean isBuilt;

    Hashed(RowSource leftRows, RowSource rightRows, Held held, Execution execution) {
      super(leftRows, kind, tests, leftWidth, rightWidth, execution, leftRows, rightRows);
      this.rightRows = rightRows;
      this.held = held;
      this.execution = execution;
    }

    private void build() {
      isBuilt = true;
      while (rightRows.next()) {
        execution.step();
        BuiltRow row = new BuiltRow(rightRows.row());
        boolean isListed = leftKeys.isEmpty() || kind.keepsRight();
        RowKey key = RowKey.of(row.values, rightKeys);
        boolean canMatch = !leftKeys.isEmpty() && canMatch(key);
        if (!isListed && !canMatch) {
          continue;
        }
        held.add(Values.sizeOf(row.values) + RowKey.BYTES);
        if (isListed) {
          all.add(row);
        }
        if (canMatch) {
          byKey.computeIfAbsent(key, _ -> new ArrayList<>(1)).add(row);
        }
      }
      rightRows.close();
    }

    private boolean canMatch(RowKey key) {
      for (int i = 0; i < key.values().length; i++) {
        if (key.values()[i] == null && !nullKeys.get(i)) {
          return false;
        }
      }
      return true;
    }

    @Override
    List<BuiltRow> candidates(@Nullable Object[] row) {
      if (!isBuilt) {
        build();
      }
      if (leftKeys.isEmpty()) {
        return all;
      }
      RowKey key = RowKey.of(row, leftKeys);
      return canMatch(key) ? byKey.getOrDefault(key, List.of()) : List.of();
    }

    @Override
    List<BuiltRow> all() {
      if (!isBuilt) {
        build();
      }
      return all;
    }

    @Override
    void release() {
      all.clear();
      byKey.clear();
      held.release();
    }
  }

  @Override
  public List<Node> inputs() {
    return List.of(left, right);
  }

  @Override
  public String describe(@Nullable Execution execution) {
    StringBuilder name = new StringBuilder();
    name.append(leftKeys.isEmpty() ? "Loop" : lookup >= 0 ? "Lookup" : "Hash")
        .append(" join ")
        .append(kind.name());
    for (int i = 0; i < leftKeys.size(); i++) {
      name.append(i == 0 ? " on $" : " and $")
          .append(leftKeys.get(i))
          .append(" = $")
          .append(leftWidth + rightKeys.get(i));
    }
    return name.append(tests.isEmpty() ? "" : "; where " + text).toString();
  }

  @Override
  public double estimatedRows() {
    double l = left.estimatedRows();
    double r = right.estimatedRows();
    return switch (kind) {
      case SEMI, ANTI -> l;
      default -> leftKeys.isEmpty() ? l * r : Math.max(l, r);
    };
  }
}
