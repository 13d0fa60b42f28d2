package io.keyvalueserve.grid.query;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.query.Aggregate;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.Order;
import io.keyvalueserve.engine.query.Scan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Scans as members send them to each other. The keys of a scan are not sent. */
final class ScanCodec {
  private ScanCodec() {}

  static void write(ObjectDataOutput out, Scan scan) throws IOException {
    ConditionCodec.writeFields(out, scan.fields());
    ConditionCodec.write(out, scan.condition());
    Scan.Grouping grouping = scan.grouping();
    out.writeBoolean(grouping != null);
    if (grouping != null) {
      writeGrouping(out, grouping);
    }
    out.writeInt(scan.order().size());
    for (Order order : scan.order()) {
      out.writeInt(order.column());
      out.writeBoolean(order.descending());
      out.writeBoolean(order.nullsFirst());
    }
    out.writeLong(scan.limit());
  }

  private static void writeGrouping(ObjectDataOutput out, Scan.Grouping grouping)
      throws IOException {
    out.writeInt(grouping.columns().size());
    for (int column : grouping.columns()) {
      out.writeInt(column);
    }
    out.writeInt(grouping.aggregates().size());
    for (Aggregate aggregate : grouping.aggregates()) {
      out.writeString(aggregate.function().name());
      out.writeInt(aggregate.column());
      out.writeBoolean(aggregate.distinct());
    }
  }

  static Scan read(ObjectDataInput in) throws IOException {
    List<Field> fields = ConditionCodec.readFields(in);
    var condition = ConditionCodec.read(in);
    Scan.@Nullable Grouping grouping = in.readBoolean() ? readGrouping(in) : null;
    List<Order> order = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      order.add(new Order(in.readInt(), in.readBoolean(), in.readBoolean()));
    }
    return new Scan(fields, condition, null, grouping, order, in.readLong());
  }

  private static Scan.Grouping readGrouping(ObjectDataInput in) throws IOException {
    List<Integer> columns = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      columns.add(in.readInt());
    }
    List<Aggregate> aggregates = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      aggregates.add(
          new Aggregate(
              Aggregate.Function.valueOf(ValueCodec.text(in)), in.readInt(), in.readBoolean()));
    }
    return new Scan.Grouping(columns, aggregates);
  }
}
