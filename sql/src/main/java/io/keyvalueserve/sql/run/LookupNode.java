package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.RowSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scan that can be asked for the entries of some keys.
 *
 * @param rest what is done with the rows of the scan: the same scan is at its bottom
 */
public record LookupNode(ScanNode scan, Node rest, FieldType keyType) implements Node {
  @Override
  public RowSource open(Execution execution) {
    return execution.open(rest);
  }

  /** Reads the entries of keys only. */
  public RowSource open(Execution execution, List<Object> keys) {
    return open(rest, execution, keys);
  }

  private RowSource open(Node node, Execution execution, List<Object> keys) {
    return switch (node) {
      case ScanNode source -> source.open(execution, keys);
      case FilterNode filter ->
          new FilterNode(new KeyedNode(keys, filter.input()), filter.tests(), filter.text())
              .open(execution);
      case ProjectNode project ->
          new ProjectNode(new KeyedNode(keys, project.input()), project.values(), project.text())
              .open(execution);
      default -> throw new IllegalStateException("no lookup through " + node.getClass());
    };
  }

  /** The part below, asked for some keys. */
  private final class KeyedNode implements Node {
    private final List<Object> keys;
    private final Node node;

    KeyedNode(List<Object> keys, Node node) {
      this.keys = keys;
      this.node = node;
    }

    @Override
    public RowSource open(Execution execution) {
      return LookupNode.this.open(node, execution, keys);
    }

    @Override
    public List<Node> inputs() {
      return List.of(node);
    }

    @Override
    public String describe(@Nullable Execution execution) {
      return "Keys " + keys.size();
    }

    @Override
    public double estimatedRows() {
      return keys.size();
    }
  }

  @Override
  public List<Node> inputs() {
    return List.of(rest);
  }

  @Override
  public String describe(@Nullable Execution execution) {
    return "By keys of the other side, if these are few";
  }

  @Override
  public double estimatedRows() {
    return rest.estimatedRows();
  }
}
