package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names that expressions of a query can use. */
final class Scope {
  final @Nullable Scope outer;
  final List<Relation> relations = new ArrayList<>();
  final Set<String> merged = new HashSet<>();
  final List<Bindings.WindowUse> windows = new ArrayList<>();
  int width;

  /** The highest place of the row that was used since this was set. */
  int highestSlot = -1;

  boolean hasAggregates;
  boolean usesOuter;

  Scope(@Nullable Scope outer) {
    this.outer = outer;
  }

  /** Adds a source of rows; its columns come behind those before. */
  Relation add(String alias, List<Relation.Column> columns) {
    Relation relation = new Relation(alias, columns, width);
    relations.add(relation);
    width += columns.size();
    return relation;
  }

  /** Finds a column, here or in a query around. */
  Bound find(Ast.Name name) {
    int depth = 0;
    for (Scope scope = this; scope != null; scope = scope.outer) {
      Bound bound = scope.findHere(name, depth);
      if (bound != null) {
        for (Scope crossed = this; crossed != scope; ) {
          crossed.usesOuter = true;
          Scope next = crossed.outer;
          if (next == null) {
            break;
          }
          crossed = next;
        }
        return bound;
      }
      depth++;
    }
    throw new PostgresException(
        "42703",
        "column \"" + String.join(".", name.parts()) + "\" does not exist",
        name.position(),
        "");
  }

  private @Nullable Bound findHere(Ast.Name name, int depth) {
    List<String> parts = name.parts();
    String column = parts.getLast();
    String alias = parts.size() == 1 ? null : parts.get(parts.size() - 2);
    Bound found = null;
    for (Relation relation : relations) {
      if (alias != null && !relation.alias().equals(alias)) {
        continue;
      }
      int index = relation.find(column);
      if (index < 0) {
        continue;
      }
      if (found == null) {
        found = column(relation, index, depth);
      } else if (alias == null
          && !merged.contains(column)
          && !relation.columns().get(index).isHidden()) {
        throw new PostgresException(
            "42702", "column reference \"" + column + "\" is ambiguous", name.position(), "");
      }
    }
    return found != null || alias != null ? found : wholeRow(column, depth);
  }

  Bound column(Relation relation, int index, int depth) {
    int slot = relation.base() + index;
    highestSlot = Math.max(highestSlot, slot);
    Relation.Column column = relation.columns().get(index);
    Eval eval =
        depth == 0 ? env -> Lazy.value(env.row[slot]) : env -> Lazy.value(env.up(depth).row[slot]);
    return new Bound(column.type(), eval, depth == 0 ? slot : -1, null, -1, column.fields());
  }

  private @Nullable Bound wholeRow(String alias, int depth) {
    for (Relation relation : relations) {
      if (relation.alias().equals(alias)) {
        List<String> names = relation.columns().stream().map(Relation.Column::name).toList();
        List<PgType> types = relation.columns().stream().map(Relation.Column::type).toList();
        int from = relation.base();
        int to = from + names.size();
        highestSlot = Math.max(highestSlot, to - 1);
        Eval eval =
            env -> {
              @Nullable Object[] row = Arrays.copyOfRange(env.up(depth).row, from, to);
              for (int i = 0; i < row.length; i++) {
                row[i] = Lazy.value(row[i]);
              }
              return new Composite(names, Arrays.asList(row));
            };
        return new Bound(PgType.RECORD, eval, -1, null, -1, new Bound.Fields(names, types));
      }
    }
    return null;
  }
}
