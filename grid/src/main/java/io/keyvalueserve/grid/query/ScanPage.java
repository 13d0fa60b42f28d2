package io.keyvalueserve.grid.query;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.maps.query.ScanPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows, groups or the first rows of an order, of one member, and where to go on. */
final class ScanPage implements IdentifiedDataSerializable {
  private List<@Nullable Object[]> rows = List.of();
  private ScanPosition next = ScanPosition.begin(new BitSet());
  private long examined;
  private QueryException.@Nullable Kind failure;
  private String message = "";

  /** Creates an empty page for deserialization. */
  ScanPage() {}

  ScanPage(List<@Nullable Object[]> rows, ScanPosition next, long examined) {
    this.rows = rows;
    this.next = next;
    this.examined = examined;
  }

  /** Returns a page that says why there is none. */
  static ScanPage failed(QueryException why) {
    ScanPage page = new ScanPage();
    page.failure = why.kind();
    page.message = String.valueOf(why.getMessage());
    return page;
  }

  /**
   * Returns the rows.
   *
   * @throws QueryException if the scan has failed at the member
   */
  List<@Nullable Object[]> rows() {
    if (failure != null) {
      throw new QueryException(failure, message);
    }
    return rows;
  }

  /** Returns where to go on. */
  ScanPosition next() {
    return next;
  }

  /** Returns how many entries were looked at. */
  long examined() {
    return examined;
  }

  @Override
  public int getFactoryId() {
    return QuerySerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return QuerySerialization.SCAN_PAGE;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeString(failure == null ? null : failure.name());
    out.writeString(message);
    out.writeByteArray(next.toBytes());
    out.writeLong(examined);
    out.writeInt(rows.size());
    out.writeInt(rows.isEmpty() ? 0 : rows.getFirst().length);
    for (@Nullable Object[] row : rows) {
      for (Object value : row) {
        ValueCodec.write(out, value);
      }
    }
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    String kind = in.readString();
    failure = kind == null ? null : QueryException.Kind.valueOf(kind);
    message = ValueCodec.text(in);
    next = ScanPosition.of(Objects.requireNonNullElse(in.readByteArray(), new byte[0]));
    examined = in.readLong();
    int count = in.readInt();
    int columns = in.readInt();
    rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      @Nullable Object[] row = new @Nullable Object[columns];
      for (int column = 0; column < columns; column++) {
        row[column] = ValueCodec.read(in);
      }
      rows.add(row);
    }
  }
}
